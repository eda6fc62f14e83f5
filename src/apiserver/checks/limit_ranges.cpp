#include "apiserver/checks/limit_ranges.hpp"

#include "objects/pod_resources.hpp"

#include <array>
#include <cstdio>

namespace kftrain::apiserver {
namespace {

json::object& made_in(json::object& parent, std::string_view name) {
    auto& value = parent[key(name)];
    return value.is_object() ? value.get_object() : value.emplace_object();
}

/// Adds what is missing; returns its names.
std::string fill_in(json::object& container, std::string_view list, resource_list const& given) {
    std::string names;
    for (auto const& [name, amount] : given) {
        auto& own = made_in(made_in(container, "resources"), list);
        if (own.contains(key(name))) continue;
        own[key(name)] = amount.canonical();
        names += (names.empty() ? "" : ", ") + name;
    }
    return names;
}

template <class Item> void each_limit(json::object const& limit_range, Item item) {
    auto const* const spec = object_in(limit_range, "spec");
    auto const* const limits = spec != nullptr ? array_in(*spec, "limits") : nullptr;
    if (limits == nullptr) return;
    for (auto const& limit : *limits)
        if (auto const* const o = limit.if_object()) item(*o);
}

quantity const* amount_of(resource_list const& list, std::string const& name) {
    auto const at = list.find(name);
    return at == list.end() ? nullptr : &at->second;
}

/// Checks the requests and limits of one object of a type.
class usage_check {
public:
    usage_check(std::string type, resource_list requests, resource_list limits, std::vector<std::string>& faults)
        : type_(std::move(type)), requests_(std::move(requests)), limits_(std::move(limits)), faults_(faults) {}

    void at_least(std::string const& name, quantity const& bound) {
        auto const* const request = amount_of(requests_, name);
        auto const* const limit = amount_of(limits_, name);
        auto const head = "minimum " + name + " usage per " + type_ + " is " + bound.canonical();
        if (request == nullptr)
            faults_.push_back(head + ".  No request is specified");
        else if (*request < bound)
            faults_.push_back(head + ", but request is " + request->canonical());
        else if (limit != nullptr && *limit < bound)
            faults_.push_back(head + ", but limit is " + limit->canonical());
    }
    void at_most(std::string const& name, quantity const& bound) {
        auto const* const request = amount_of(requests_, name);
        auto const* const limit = amount_of(limits_, name);
        auto const head = "maximum " + name + " usage per " + type_ + " is " + bound.canonical();
        if (limit == nullptr)
            faults_.push_back(head + ".  No limit is specified");
        else if (*limit > bound)
            faults_.push_back(head + ", but limit is " + limit->canonical());
        else if (request != nullptr && *request > bound)
            faults_.push_back(head + ", but request is " + request->canonical());
    }
    void ratio_at_most(std::string const& name, quantity const& bound) {
        auto const* const request = amount_of(requests_, name);
        auto const* const limit = amount_of(limits_, name);
        auto const head = name + " max limit to request ratio per " + type_ + " is " + bound.canonical() + ", but ";
        if (request == nullptr || request->is_zero()) {
            faults_.push_back(head + "no request is specified or request is 0");
        } else if (limit == nullptr || limit->is_zero()) {
            faults_.push_back(head + "no limit is specified or limit is 0");
        } else {
            auto const ratio = static_cast<double>(limit->milli_value()) / static_cast<double>(request->milli_value());
            if (ratio * 1000 <= static_cast<double>(bound.milli_value())) return;
            std::array<char, 64> text{};
            std::snprintf(text.data(), text.size(), "%f", ratio);
            faults_.push_back(head + "provided ratio is " + text.data());
        }
    }
    void all_of(json::object const& limit) {
        for (auto const& [name, bound] : amounts_in(limit, "min")) at_least(name, bound);
        for (auto const& [name, bound] : amounts_in(limit, "max")) at_most(name, bound);
        for (auto const& [name, bound] : amounts_in(limit, "maxLimitRequestRatio")) ratio_at_most(name, bound);
    }

private:
    std::string type_;
    resource_list requests_, limits_;
    std::vector<std::string>& faults_;
};

} // namespace

void set_limit_range_defaults(json::object& limit_range) {
    auto* const spec = object_in(limit_range, "spec");
    auto* const limits = spec != nullptr ? spec->if_contains("limits") : nullptr;
    if (limits == nullptr || !limits->is_array()) return;
    for (auto& limit : limits->get_array()) {
        auto* const item = limit.if_object();
        if (item == nullptr || text_in(*item, "type") != "Container") continue;
        auto const copy = [&](std::string_view from, std::string_view to) {
            auto const* const source = object_in(static_cast<json::object const&>(*item), from);
            if (source == nullptr || source->empty()) return;
            json::object const values = *source; // the target may be added beside it
            auto& target = made_in(*item, to);
            for (auto const& [name, value] : values)
                if (!target.contains(name)) target[name] = value;
        };
        copy("max", "default");
        copy("default", "defaultRequest");
        copy("min", "defaultRequest");
    }
}

void apply_limit_range_defaults(json::object const& limit_range, json::object& pod) {
    resource_list requests, limits;
    each_limit(limit_range, [&](json::object const& limit) {
        if (text_in(limit, "type") != "Container") return;
        for (auto& [name, amount] : amounts_in(limit, "defaultRequest")) requests[name] = amount;
        for (auto& [name, amount] : amounts_in(limit, "default")) limits[name] = amount;
    });
    auto* const spec = object_in(pod, "spec");
    if (spec == nullptr || (requests.empty() && limits.empty())) return;
    std::string changes;
    for (std::string const list : {"containers", "initContainers"}) {
        auto* const containers = spec->if_contains(list);
        if (containers == nullptr || !containers->is_array()) continue;
        std::string const title = list == "containers" ? "container " : "init container ";
        for (auto& c : containers->get_array()) {
            auto& container = c.get_object();
            auto const note = [&](char const* what, std::string const& names) {
                if (names.empty()) return;
                changes += (changes.empty() ? "" : "; ") + names + " " + what + " for " + title;
                changes += text_in(container, "name");
            };
            auto const added_limits = fill_in(container, "limits", limits);
            note("request", fill_in(container, "requests", requests));
            note("limit", added_limits);
        }
    }
    if (!changes.empty())
        made_in(metadata_of(pod), "annotations")["kubernetes.io/limit-ranger"] = "LimitRanger plugin set: " + changes;
}

std::vector<std::string> limit_range_faults(json::object const& limit_range, json::object const& object) {
    std::vector<std::string> faults;
    auto const* const spec = object_in(object, "spec");
    if (spec == nullptr) return faults;
    bool const of_pod = spec->contains("containers");
    each_limit(limit_range, [&](json::object const& limit) {
        auto const type = text_in(limit, "type");
        if (of_pod && type == "Container")
            for (auto const* list : {"containers", "initContainers"})
                if (auto const* const containers = array_in(*spec, list))
                    for (auto const& c : *containers) {
                        auto const& container = c.get_object();
                        usage_check(std::string(type), container_amounts(container, "requests"),
                                    container_amounts(container, "limits"), faults)
                            .all_of(limit);
                    }
        if (of_pod && type == "Pod")
            usage_check(std::string(type), pod_amounts(*spec, "requests"), pod_amounts(*spec, "limits"), faults)
                .all_of(limit);
        if (!of_pod && type == "PersistentVolumeClaim") {
            auto const requests = container_amounts(*spec, "requests");
            usage_check check(std::string(type), requests, requests, faults);
            for (auto const& [name, bound] : amounts_in(limit, "min")) check.at_least(name, bound);
            for (auto const& [name, bound] : amounts_in(limit, "max")) check.at_most(name, bound);
        }
    });
    return faults;
}

resource_list amounts_in(json::object const& parent, std::string_view list) {
    resource_list out;
    auto const* const amounts = object_in(parent, list);
    if (amounts == nullptr) return out;
    for (auto const& [name, value] : *amounts) {
        auto const text = value.is_string() ? std::string(value.get_string()) : json::serialize(value);
        if (auto amount = quantity::parse(text)) out[std::string(name)] = *std::move(amount);
    }
    return out;
}

resource_list container_amounts(json::object const& container, std::string_view list) {
    auto const* const resources = object_in(container, "resources");
    return resources != nullptr ? amounts_in(*resources, list) : resource_list();
}

resource_list pod_amounts(json::object const& spec, std::string_view list) {
    pod_total total;
    if (auto const* const containers = array_in(spec, "containers"))
        for (auto const& c : *containers) total.add_container(container_amounts(c.get_object(), list));
    if (auto const* const containers = array_in(spec, "initContainers"))
        for (auto const& c : *containers)
            total.add_init_container(container_amounts(c.get_object(), list),
                                     text_in(c.get_object(), "restartPolicy") == "Always");
    auto sum = total.get();
    for (auto const& [name, amount] : amounts_in(spec, "overhead"))
        if (list == "requests" || sum.contains(name)) sum[name] += amount;
    return sum;
}

} // namespace kftrain::apiserver
