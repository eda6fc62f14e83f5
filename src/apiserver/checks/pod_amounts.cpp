#include "apiserver/checks/pod_amounts.hpp"

#include "objects/pod_resources.hpp"

namespace kftrain::apiserver {

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
