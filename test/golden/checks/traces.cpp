#include "golden/checks/traces.hpp"

#include <algorithm>

namespace golden {

std::string request::title() const {
    auto rest = path.substr(path.find("/namespaces/") + 12);
    rest = rest.substr(rest.find('/') + 1);
    return method + " " + rest.substr(0, rest.find('/')) + " " + name;
}

namespace {

void sort_texts(json::array& texts) {
    std::ranges::sort(texts, {}, [](json::value const& v) { return std::string_view(v.as_string()); });
}

} // namespace

json::value normal_body(json::value body) {
    body = pruned(body);
    // To the server the status of such a body means nothing, since there is a subresource.
    if (text(body.as_object(), "apiVersion") == "batch.volcano.sh/v1alpha1") body.as_object().erase("status");
    auto* meta = body.as_object().if_contains("metadata");
    if (meta == nullptr) return body;
    auto& m = meta->as_object();
    for (auto const* owned : {"namespace", "resourceVersion", "creationTimestamp", "managedFields"}) m.erase(owned);
    if (auto* uid = m.if_contains("uid")) *uid = "<uid>";
    if (auto* rules = body.as_object().if_contains("rules"); rules != nullptr && rules->is_array())
        for (auto& rule : rules->get_array())
            if (auto* names = rule.as_object().if_contains("resourceNames")) sort_texts(names->as_array());
    auto* spec = body.as_object().if_contains("spec");
    if (spec == nullptr || text(body.as_object(), "kind") != "Service") return body;
    if (auto* ports = spec->as_object().if_contains("ports")) {
        auto const number = [](json::value const& v) { return v.as_object().at("port").to_number<std::int64_t>(); };
        std::ranges::sort(ports->as_array(), [&](json::value const& a, json::value const& b) {
            auto const left = text(a.as_object(), "name"), right = text(b.as_object(), "name");
            return left != right ? left < right : number(a) < number(b);
        });
    }
    return body;
}

std::string involved_object(json::object const& event) {
    auto const& about = child_of(event, "involvedObject");
    return text(about, "kind") + ' ' + text(about, "name");
}

json::value as_conditions(json::object const& status) {
    if (auto const& state = child_of(status, "state"); state.contains("phase"))
        return json::value(text(state, "phase"));
    json::array result;
    for (auto const& c : list_of(status, "conditions")) {
        auto const& o = c.as_object();
        result.emplace_back(text(o, "type") + "=" + text(o, "status") + "/" + text(o, "reason"));
    }
    return result;
}

} // namespace golden
