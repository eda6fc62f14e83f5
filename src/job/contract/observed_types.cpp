#define KFTRAIN_DESCRIBE_MEMBERS // the tables below need the members described

#include <kftrain/job/observed_types.hpp>

#include "model/meta/partial_object.hpp"
#include "objects/pod_resources.hpp"

#include <kftrain/objects/core.hpp>
#include <kftrain/objects/core/config_map.hpp>

#include <algorithm>
#include <array>

namespace kftrain {
namespace {

using detail::kept_field;
using detail::partial_object;
using detail::partial_table;

constexpr std::array observed_owner_fields{kept_field("apiVersion"), kept_field("kind"), kept_field("name"),
                                           kept_field("uid"), kept_field("controller")};
using observed_owners = detail::partial_container<std::vector<owner_reference>,
                                                  partial_table<owner_reference, observed_owner_fields>::value>;

constexpr std::array observed_container_fields{kept_field("name"), kept_field("state"), kept_field("lastState"),
                                               kept_field("ready"), kept_field("restartCount")};
using observed_containers =
    detail::partial_container<std::vector<core::container_status>,
                              partial_table<core::container_status, observed_container_fields>::value>;

/// Annotations of pods that plans read: those by which controllers count failures and find the task of a pod.
constexpr std::array<std::string_view, 5> pod_annotations{
    "batch.kubernetes.io/job-completion-index", "batch.kubernetes.io/job-index-failure-count",
    "batch.kubernetes.io/job-index-ignored-failure-count", "volcano.sh/job-version", "volcano.sh/task-spec"};

constexpr std::array pod_meta_fields{kept_field("name"),
                                     kept_field("namespace"),
                                     kept_field("uid"),
                                     kept_field("resourceVersion"),
                                     kept_field("creationTimestamp"),
                                     kept_field("deletionTimestamp"),
                                     kept_field("deletionGracePeriodSeconds"),
                                     kept_field("labels"),
                                     kept_field("annotations", &detail::partial_string_map<pod_annotations>::value),
                                     kept_field("ownerReferences", &observed_owners::value),
                                     kept_field("finalizers")};
using observed_pod_meta = partial_table<object_meta, pod_meta_fields>;

constexpr std::array meta_fields{kept_field("name"),
                                 kept_field("namespace"),
                                 kept_field("uid"),
                                 kept_field("resourceVersion"),
                                 kept_field("creationTimestamp"),
                                 kept_field("deletionTimestamp"),
                                 kept_field("deletionGracePeriodSeconds"),
                                 kept_field("labels"),
                                 kept_field("ownerReferences", &observed_owners::value)};
using observed_meta = partial_table<object_meta, meta_fields>;

constexpr std::array ports_fields{kept_field("ports"), kept_field("restartPolicy")};
using observed_ports =
    detail::partial_container<std::vector<core::container>, partial_table<core::container, ports_fields>::value>;

constexpr std::array spec_fields{kept_field("nodeName"),
                                 kept_field("hostname"),
                                 kept_field("subdomain"),
                                 kept_field("activeDeadlineSeconds"),
                                 kept_field("initContainers", &observed_ports::value),
                                 kept_field("containers", &observed_ports::value)};

constexpr std::array status_fields{kept_field("phase"),
                                   kept_field("conditions"),
                                   kept_field("message"),
                                   kept_field("reason"),
                                   kept_field("podIP"),
                                   kept_field("initContainerStatuses", &observed_containers::value),
                                   kept_field("containerStatuses", &observed_containers::value)};

constexpr std::array pod_fields{kept_field("metadata", &observed_pod_meta::value),
                                kept_field("spec", &partial_table<core::pod_spec, spec_fields>::value),
                                kept_field("status", &partial_table<core::pod_status, status_fields>::value)};

constexpr std::array service_spec_fields{kept_field("selector"), kept_field("publishNotReadyAddresses"),
                                         kept_field("ports"), kept_field("clusterIP"), kept_field("type")};
constexpr std::array service_fields{kept_field("metadata", &observed_meta::value),
                                    kept_field("spec", &partial_table<core::service_spec, service_spec_fields>::value)};

constexpr std::array secret_fields{kept_field("metadata", &observed_meta::value), kept_field("data"),
                                   kept_field("type")};
using partial_secret = partial_object<core::secret, partial_table<core::secret, secret_fields>::value>;

using partial_pod = partial_object<pod, partial_table<pod, pod_fields>::value>;

/// How `Partial` decodes objects, after which `trim` removes what a table of fields cannot leave out.
template <class Partial, auto Trim>
constexpr object_type trimmed = [] {
    object_type t = Partial::type;
    t.decoder = [](object_type const& self, std::string_view text) -> result<erased_object> {
        auto object = Partial::decode(self, text);
        if (object) Trim(*object);
        return object;
    };
    t.list_decoder = [](object_type const& self, std::string_view text,
                        std::vector<erased_object>& items) -> result<meta::list_meta> {
        auto const before = items.size();
        auto list = Partial::decode_list(self, text, items);
        for (std::size_t i = before; i < items.size(); ++i) Trim(items[i]);
        return list;
    };
    return t;
}();

/// For changes right after decoding, when nobody else has the object.
template <class T> T& writable(erased_object const& object) {
    return *std::const_pointer_cast<T>(std::static_pointer_cast<T const>(object));
}

void drop_values(erased_object const& object) {
    for (auto& [key, value] : writable<core::secret>(object).data) value = {};
}

/// Only pods that can be endpoints have ports that anyone reads, and only by name.
void drop_unused_ports(erased_object const& object) {
    auto& p = writable<pod>(object);
    bool const unreachable = p.status.pod_ip.empty() || has_ended(p);
    for (auto* list : {&p.spec.init_containers, &p.spec.containers}) {
        std::erase_if(*list, [&](core::container const& c) {
            return unreachable || std::ranges::all_of(c.ports, [](auto const& port) { return port.name.empty(); });
        });
        list->shrink_to_fit();
    }
}

} // namespace

object_type const& observed_secret_type() noexcept { return trimmed<partial_secret, &drop_values>; }

object_type const& observed_pod_type() noexcept { return trimmed<partial_pod, &drop_unused_ports>; }

object_type const& observed_service_type() noexcept {
    return partial_object<service, partial_table<service, service_fields>::value>::type;
}

} // namespace kftrain
