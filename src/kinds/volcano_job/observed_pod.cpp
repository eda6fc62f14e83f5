#define KFTRAIN_DESCRIBE_MEMBERS // the tables below need the members described

#include "kinds/volcano_job/controller.hpp"

#include "job/contract/observed_parts.hpp"

namespace kftrain {
namespace {

using detail::kept_field;
using detail::observed_containers;
using detail::observed_owners;
using detail::partial_object;
using detail::partial_table;

constexpr std::array meta_fields{kept_field("name"),
                                 kept_field("namespace"),
                                 kept_field("uid"),
                                 kept_field("resourceVersion"),
                                 kept_field("creationTimestamp"),
                                 kept_field("deletionTimestamp"),
                                 kept_field("labels"),
                                 kept_field("annotations"),
                                 kept_field("ownerReferences", &observed_owners::value)};
using observed_meta = partial_table<object_meta, meta_fields>;

constexpr std::array status_fields{kept_field("phase"),
                                   kept_field("initContainerStatuses", &observed_containers::value),
                                   kept_field("containerStatuses", &observed_containers::value)};

constexpr std::array pod_fields{kept_field("metadata", &observed_meta::value),
                                kept_field("status", &partial_table<core::pod_status, status_fields>::value)};

} // namespace

object_type const& volcano::observed_job_pod_type() noexcept {
    return partial_object<core::pod, partial_table<core::pod, pod_fields>::value>::type;
}

} // namespace kftrain
