#ifndef KFTRAIN_SRC_APISERVER_TEXT_DEFAULT_VALUES_HPP
#define KFTRAIN_SRC_APISERVER_TEXT_DEFAULT_VALUES_HPP

#include "apiserver/text/json_access.hpp"

// Common parts of the sources that set defaults.
namespace kftrain::apiserver {

/// Sets a member unless it has a value; an empty text is no value.
inline void fill(json::object& o, std::string_view name, json::value v) {
    auto& here = o[key(name)];
    if (here.is_null() || (here.is_string() && here.get_string().empty())) here = std::move(v);
}

/// Calls f with every object in the array `name` of `o`.
template <class F> void each(json::object& o, std::string_view name, F f) {
    auto* v = o.if_contains(key(name));
    auto* list = v != nullptr ? v->if_array() : nullptr;
    if (list == nullptr) return;
    for (auto& item : *list)
        if (auto* element = item.if_object()) f(*element);
}

/// For pods: see set_defaults().
void set_pod_defaults(json::object& pod, bool creating);
/// For pod templates: the same except for requests, which each pod gets itself.
void set_template_defaults(json::object& pod_template);
void set_stateful_set_defaults(json::object& stateful_set);
/// For batch Jobs: see set_defaults().
void set_job_defaults(json::object& job, bool creating);

} // namespace kftrain::apiserver

#endif
