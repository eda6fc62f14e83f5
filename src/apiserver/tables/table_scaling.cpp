#include "apiserver/tables/table.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

// The cells of EndpointSlices, autoscalers, volumes and claims.
namespace kftrain::apiserver {
namespace {

/// The first of them, and the number of the others.
std::string short_list(std::vector<std::string> const& all, std::size_t most, std::string_view separator) {
    std::string text;
    for (std::size_t i = 0; i < all.size() && i < most; ++i) text.append(i > 0 ? separator : "").append(all[i]);
    return all.size() > most ? text + " + " + std::to_string(all.size() - most) + " more..." : text;
}

std::string or_unset(std::string text) { return text.empty() ? "<unset>" : std::move(text); }

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

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> mode_texts{
    {{"ReadWriteOnce", "RWO"}, {"ReadOnlyMany", "ROX"}, {"ReadWriteMany", "RWX"}, {"ReadWriteOncePod", "RWOP"}}};

std::string short_modes(json::object const& o, std::string_view part) {
    auto const* const from = object_in(o, part);
    auto const* const list = from != nullptr ? array_in(*from, "accessModes") : nullptr;
    std::string out;
    if (list == nullptr) return out;
    for (auto const& [name, text] : mode_texts)
        for (auto const& each : *list)
            if (each.is_string() && view(each.get_string()) == name) {
                out.append(out.empty() ? "" : ",").append(text);
                break;
            }
    return out;
}

std::string shown_phase(json::object const& o) {
    return text_at(o, "metadata.deletionTimestamp").empty() ? text_at(o, "status.phase") : "Terminating";
}

std::string class_of(json::object const& o) {
    auto const* const meta = object_in(o, "metadata");
    auto const* const annotations = meta != nullptr ? object_in(*meta, "annotations") : nullptr;
    auto const old =
        annotations != nullptr ? text_in(*annotations, "volume.beta.kubernetes.io/storage-class") : std::string_view();
    return old.empty() ? text_at(o, "spec.storageClassName") : std::string(old);
}

} // namespace

json::array volume_cells(json::object const& volume, time_point now) {
    json::array out;
    out.emplace_back(text_at(volume, "metadata.name"));
    out.emplace_back(text_at(volume, "spec.capacity.storage"));
    out.emplace_back(short_modes(volume, "spec"));
    out.emplace_back(text_at(volume, "spec.persistentVolumeReclaimPolicy"));
    out.emplace_back(shown_phase(volume));
    auto const claim = text_at(volume, "spec.claimRef.name");
    out.emplace_back(claim.empty() ? claim : text_at(volume, "spec.claimRef.namespace") + "/" + claim);
    out.emplace_back(class_of(volume));
    out.emplace_back(or_unset(text_at(volume, "spec.volumeAttributesClassName")));
    out.emplace_back(text_at(volume, "status.reason"));
    out.emplace_back(age(text_at(volume, "metadata.creationTimestamp"), now));
    out.emplace_back(or_unset(text_at(volume, "spec.volumeMode")));
    return out;
}

json::array claim_cells(json::object const& claim, time_point now) {
    auto const volume = text_at(claim, "spec.volumeName");
    json::array out;
    out.emplace_back(text_at(claim, "metadata.name"));
    out.emplace_back(shown_phase(claim));
    out.emplace_back(volume);
    out.emplace_back(volume.empty() ? volume : text_at(claim, "status.capacity.storage"));
    out.emplace_back(volume.empty() ? volume : short_modes(claim, "status"));
    out.emplace_back(class_of(claim));
    out.emplace_back(or_unset(text_at(claim, "spec.volumeAttributesClassName")));
    out.emplace_back(age(text_at(claim, "metadata.creationTimestamp"), now));
    out.emplace_back(or_unset(text_at(claim, "spec.volumeMode")));
    return out;
}

} // namespace kftrain::apiserver
