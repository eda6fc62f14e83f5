#include "apiserver/tables/table.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

// The cells of EndpointSlices and autoscalers.
namespace kftrain::apiserver {
namespace {

/// The first of them, and the number of the others.
std::string short_list(std::vector<std::string> const& all, std::size_t most, std::string_view separator) {
    std::string text;
    for (std::size_t i = 0; i < all.size() && i < most; ++i) text.append(i > 0 ? separator : "").append(all[i]);
    return all.size() > most ? text + " + " + std::to_string(all.size() - most) + " more..." : text;
}

/// The form of a metric source in an autoscaler.
struct metric_form {
    std::string_view type, member;
    bool is_resource;
};
constexpr std::array<metric_form, 5> metric_forms{{{"External", "external", false},
                                                   {"Pods", "pods", false},
                                                   {"Object", "object", false},
                                                   {"Resource", "resource", true},
                                                   {"ContainerResource", "containerResource", true}}};

std::string amount(json::object const* from, std::string_view name) {
    auto const* v = from != nullptr ? from->if_contains(name) : nullptr;
    if (v == nullptr) return {};
    if (v->is_string()) return std::string(view(v->get_string()));
    return v->is_int64() ? std::to_string(v->get_int64()) + "%" : std::string();
}

/// `current/target` of one metric, or `<unknown>` for what is not known.
std::string target_of(json::object const& spec, json::object const* status) {
    auto const type = text_in(spec, "type");
    for (auto const& form : metric_forms) {
        if (form.type != type) continue;
        auto const* source = object_in(spec, form.member);
        auto const* target = source != nullptr ? object_in(*source, "target") : nullptr;
        auto const* found = status != nullptr ? object_in(*status, form.member) : nullptr;
        auto const* current = found != nullptr ? object_in(*found, "current") : nullptr;
        std::string_view unit = "value";
        if (!amount(target, "averageValue").empty())
            unit = "averageValue";
        else if (form.is_resource)
            unit = "averageUtilization";
        auto const shown = [](std::string text, std::string_view otherwise) {
            return text.empty() ? std::string(otherwise) : std::move(text);
        };
        auto text = shown(amount(current, unit), "<unknown>") + "/" +
                    shown(amount(target, unit), form.is_resource ? "<auto>" : "<unknown>");
        if (form.is_resource) return std::string(text_in(*source, "name")) + ": " + text;
        return unit == "averageValue" && form.type != "Pods" ? text + " (avg)" : text;
    }
    return "<unknown type>";
}

std::string targets_of(json::object const& spec, json::object const& status) {
    std::vector<std::string> all;
    auto const* known = array_in(status, "currentMetrics");
    each(spec, "metrics", [&](json::object const& metric) {
        auto const i = all.size();
        auto const* current = known != nullptr && i < known->size() ? (*known)[i].if_object() : nullptr;
        all.push_back(target_of(metric, current));
    });
    return all.empty() ? "<none>" : short_list(all, 2, ", ");
}

} // namespace

json::array endpoint_slice_cells(json::object const& slice, time_point now) {
    std::vector<std::string> ports, addresses;
    each(slice, "ports", [&](json::object const& port) {
        auto const number = integer_in(port, "port");
        auto const name = std::string(text_in(port, "name"));
        ports.push_back(number ? std::to_string(*number) : name.empty() ? "*" : name);
    });
    each(slice, "endpoints", [&](json::object const& endpoint) {
        auto const* list = array_in(endpoint, "addresses");
        for (auto const& address : list != nullptr ? *list : json::array())
            if (address.is_string()) addresses.emplace_back(view(address.get_string()));
    });
    json::array out;
    out.emplace_back(text_at(slice, "metadata.name"));
    out.emplace_back(text_at(slice, "addressType"));
    out.emplace_back(or_unset(short_list(ports, 3, ",")));
    out.emplace_back(or_unset(short_list(addresses, 3, ",")));
    out.emplace_back(age(text_at(slice, "metadata.creationTimestamp"), now));
    return out;
}

json::array autoscaler_cells(json::object const& autoscaler, time_point now) {
    auto const part = [&](std::string_view name) -> json::object const& {
        auto const* found = object_in(autoscaler, name);
        return found != nullptr ? *found : empty_object;
    };
    auto const& spec = part("spec");
    auto const& status = part("status");
    auto const least = integer_in(spec, "minReplicas");
    json::array out;
    out.emplace_back(text_at(autoscaler, "metadata.name"));
    out.emplace_back(text_at(spec, "scaleTargetRef.kind") + "/" + text_at(spec, "scaleTargetRef.name"));
    out.emplace_back(targets_of(spec, status));
    out.emplace_back(least ? std::to_string(*least) : "<unset>");
    out.emplace_back(integer_in(spec, "maxReplicas").value_or(0));
    out.emplace_back(integer_in(status, "currentReplicas").value_or(0));
    out.emplace_back(age(text_at(autoscaler, "metadata.creationTimestamp"), now));
    return out;
}

} // namespace kftrain::apiserver
