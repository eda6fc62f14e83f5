#define KFTRAIN_DESCRIBE_MEMBERS // the tables below need the members described

#include "kinds/volcano_job/controller.hpp"

#include "model/meta/partial_object.hpp"

namespace kftrain {
namespace {

using detail::kept_field;
using detail::partial_container;
using detail::partial_object;
using detail::partial_table;

constexpr std::array owner_fields{kept_field("apiVersion"), kept_field("kind"), kept_field("name"), kept_field("uid"),
                                  kept_field("controller")};
using owners = partial_container<std::vector<owner_reference>, partial_table<owner_reference, owner_fields>::value>;

constexpr std::array meta_fields{kept_field("name"),
                                 kept_field("namespace"),
                                 kept_field("uid"),
                                 kept_field("resourceVersion"),
                                 kept_field("creationTimestamp"),
                                 kept_field("deletionTimestamp"),
                                 kept_field("labels"),
                                 kept_field("annotations"),
                                 kept_field("ownerReferences", &owners::value)};
using observed_meta = partial_table<object_meta, meta_fields>;

constexpr std::array container_fields{kept_field("name"), kept_field("state"), kept_field("ready"),
                                      kept_field("restartCount")};
using containers = partial_container<std::vector<core::container_status>,
                                     partial_table<core::container_status, container_fields>::value>;

constexpr std::array status_fields{kept_field("phase"), kept_field("initContainerStatuses", &containers::value),
                                   kept_field("containerStatuses", &containers::value)};

constexpr std::array pod_fields{kept_field("metadata", &observed_meta::value),
                                kept_field("status", &partial_table<core::pod_status, status_fields>::value)};

} // namespace

object_type const& volcano::observed_job_pod_type() noexcept {
    return partial_object<core::pod, partial_table<core::pod, pod_fields>::value>::type;
}

} // namespace kftrain
