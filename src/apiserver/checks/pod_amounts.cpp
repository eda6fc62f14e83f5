#include "apiserver/checks/pod_amounts.hpp"

namespace kftrain::apiserver {
namespace {

void add_amounts(resource_list& sum, resource_list const& other) {
    for (auto const& [name, amount] : other) sum[name] += amount;
}

void raise_amounts(resource_list& most, resource_list const& other) {
    for (auto const& [name, amount] : other)
        if (auto& m = most[name]; m < amount) m = amount;
}

} // namespace

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
    resource_list sum, staying, starting;
    if (auto const* const containers = array_in(spec, "containers"))
        for (auto const& c : *containers) add_amounts(sum, container_amounts(c.get_object(), list));
    if (auto const* const containers = array_in(spec, "initContainers"))
        for (auto const& c : *containers) {
            auto now = staying;
            add_amounts(now, container_amounts(c.get_object(), list));
            if (text_in(c.get_object(), "restartPolicy") == "Always") staying = now;
            raise_amounts(starting, now);
        }
    add_amounts(sum, staying);
    raise_amounts(sum, starting);
    for (auto const& [name, amount] : amounts_in(spec, "overhead"))
        if (list == "requests" || sum.contains(name)) sum[name] += amount;
    return sum;
}

} // namespace kftrain::apiserver
