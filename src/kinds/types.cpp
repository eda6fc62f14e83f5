#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/kinds/types.hpp>

#include <kftrain/kinds/all.hpp>
#include <kftrain/model/autoscaling.hpp>
#include <kftrain/model/batch.hpp>
#include <kftrain/model/config_map.hpp>
#include <kftrain/model/coscheduling.hpp>
#include <kftrain/model/event.hpp>
#include <kftrain/model/lease.hpp>
#include <kftrain/model/namespace.hpp>
#include <kftrain/model/node.hpp>
#include <kftrain/model/persistent_volume_claim.hpp>
#include <kftrain/model/pod.hpp>
#include <kftrain/model/rbac.hpp>
#include <kftrain/model/reflect.hpp>
#include <kftrain/model/service.hpp>
#include <kftrain/model/stateful_set.hpp>
#include <kftrain/model/volcano.hpp>

namespace kftrain {

template struct table<mixed_list>;
template struct table<document_type>;

namespace {

template <class T> std::shared_ptr<void> make() { return std::make_shared<T>(); }

template <class T> known_type entry() {
    known_type t;
    t.info = &T::resource;
    t.type = &table<T>::value;
    t.make = &make<T>;
    return t;
}

template <class... Types> std::vector<known_type> entries() {
    return {entry<Types>()..., entry<object_list<Types>>()...};
}

template <class... Kinds> std::vector<known_type> all(job_list<Kinds...>) {
    auto types = entries<Kinds..., batch_job, config_map, coscheduling_pod_group, endpoints, event, events_event,
                         horizontal_pod_autoscaler, lease, namespace_, node, persistent_volume_claim, pod, pod_template,
                         resource_quota, role, role_binding, scale, secret, service, service_account, stateful_set,
                         volcano_pod_group, volcano_queue>();
    types.push_back(entry<binding>());
    types.push_back(entry<api_status>());
    types.push_back(entry<mixed_list>());
    return types;
}

} // namespace

std::span<known_type const> known_types() noexcept {
    static std::vector<known_type> const types = all(known_jobs());
    return types;
}

known_type const* find_type(std::string_view api_version, std::string_view kind) noexcept {
    for (auto const& t : known_types()) {
        std::string_view stem = kind;
        if (t.info->list) {
            if (!stem.ends_with("List")) continue;
            stem.remove_suffix(4);
        }
        if (t.info->kind == stem && t.info->api_version() == api_version) return &t;
    }
    return nullptr;
}

result<document_type> type_of_document(std::string_view text, decode_options const& options) {
    decode_options lenient = options;
    lenient.strict = false;
    return from_yaml<document_type>(text, lenient);
}

} // namespace kftrain
