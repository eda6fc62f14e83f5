#define KFTRAIN_DESCRIBE_MEMBERS // the tables below need the members described

#include "job/observed_types.hpp"

#include "model/partial_table.hpp"

#include <kftrain/model/core.hpp>

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
                                 kept_field("deletionGracePeriodSeconds"),
                                 kept_field("labels"),
                                 kept_field("ownerReferences", &owners::value)};
using meta = partial_table<object_meta, meta_fields>;

constexpr std::array spec_fields{kept_field("nodeName"), kept_field("hostname"), kept_field("subdomain")};

constexpr std::array container_fields{kept_field("name"), kept_field("state"), kept_field("ready"),
                                      kept_field("restartCount")};
using containers =
    partial_container<std::vector<container_status>, partial_table<container_status, container_fields>::value>;

constexpr std::array status_fields{kept_field("phase"),
                                   kept_field("conditions"),
                                   kept_field("message"),
                                   kept_field("reason"),
                                   kept_field("podIP"),
                                   kept_field("initContainerStatuses", &containers::value),
                                   kept_field("containerStatuses", &containers::value)};

constexpr std::array pod_fields{kept_field("metadata", &meta::value),
                                kept_field("spec", &partial_table<pod_spec, spec_fields>::value),
                                kept_field("status", &partial_table<pod_status, status_fields>::value)};

constexpr std::array service_spec_fields{kept_field("selector"), kept_field("publishNotReadyAddresses")};
constexpr std::array service_fields{kept_field("metadata", &meta::value),
                                    kept_field("spec", &partial_table<service_spec, service_spec_fields>::value)};

} // namespace

object_type const& observed_pod_type() noexcept {
    return partial_object<pod, partial_table<pod, pod_fields>::value>::type;
}

object_type const& observed_service_type() noexcept {
    return partial_object<service, partial_table<service, service_fields>::value>::type;
}

} // namespace kftrain
