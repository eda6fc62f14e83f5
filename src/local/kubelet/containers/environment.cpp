#include "local/kubelet/containers/environment.hpp"

#include "base/make_failure.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <thread>

namespace kftrain::local {
namespace {

constexpr std::string_view label_prefix = "metadata.labels['";
constexpr std::string_view annotation_prefix = "metadata.annotations['";

failure no_such(std::string_view kind, std::string_view name) {
    return make_failure(errc::invalid_argument, std::string(kind).append(" \"").append(name).append("\" not found"));
}

template <class Map> auto object_in(Map const& objects, std::string const& name) {
    auto const at = objects.find(name);
    return at == objects.end() ? nullptr : at->second.get();
}

std::string_view text_of(std::string const& value) { return value; }
std::string_view text_of(bytes const& value) { return value.data; }

template <class Reference, class Object>
result<std::vector<foreign_variable>> all_of(Reference const& from, Object const* object, std::string_view kind,
                                             std::string_view prefix) {
    std::vector<foreign_variable> found;
    if (object == nullptr) {
        if (!from.optional.value_or(false)) return no_such(kind, from.name);
        return found;
    }
    for (auto const& [key, value] : object->data) found.emplace_back(std::string(prefix) + key, text_of(value));
    return found;
}

template <class Selector, class Object>
result<std::optional<std::string>> key_of(Selector const& from, Object const* object, std::string_view kind,
                                          std::string_view shown, std::string const& ns) {
    bool const optional = from.optional.value_or(false);
    if (object == nullptr) {
        if (!optional) return no_such(kind, from.name);
        return std::optional<std::string>();
    }
    if (auto const at = object->data.find(from.key); at != object->data.end())
        return std::optional(std::string(text_of(at->second)));
    if (optional) return std::optional<std::string>();
    return make_failure(errc::invalid_argument,
                        std::string("couldn't find key ").append(from.key).append(" in ").append(shown) + " " + ns +
                            "/" + from.name);
}

/// Returns the text between the quotes of `metadata.labels['key']`; nothing for another path.
std::optional<std::string_view> subscript(std::string_view path, std::string_view of) {
    if (!path.starts_with(of) || !path.ends_with("']") || path.size() < of.size() + 2) return std::nullopt;
    return path.substr(of.size(), path.size() - of.size() - 2);
}

std::string entry_of(string_map const& entries, std::string_view key) {
    auto const at = entries.find(key);
    return at == entries.end() ? std::string() : at->second;
}

quantity amount_in(resource_list const& resources, std::string const& name) {
    auto const at = resources.find(name);
    return at == resources.end() ? quantity("0") : at->second;
}

/// The capacity of a node of this machine.
quantity capacity_of_machine(std::string_view resource) {
    std::error_code ignored;
    if (resource == "cpu") return quantity::from(std::max(1U, std::thread::hardware_concurrency()));
    if (resource == "memory") return quantity::from(std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE));
    if (resource == "ephemeral-storage")
        return quantity::from(static_cast<std::int64_t>(std::filesystem::space("/", ignored).capacity));
    return quantity("0");
}

std::optional<std::string> field_of(std::string_view path, pod const& p, environment_sources const& sources) {
    if (auto const key = subscript(path, label_prefix)) return entry_of(p.metadata.labels, *key);
    if (auto const key = subscript(path, annotation_prefix)) return entry_of(p.metadata.annotations, *key);
    // The server of a cluster gives every pod a service account, which this one does not.
    std::string const account = p.spec.service_account_name.empty() ? "default" : p.spec.service_account_name;
    std::array<std::pair<std::string_view, std::string const*>, 9> const known{{
        {"metadata.name", &p.metadata.name},
        {"metadata.namespace", &p.metadata.namespace_},
        {"metadata.uid", &p.metadata.uid},
        {"spec.nodeName", &p.spec.node_name},
        {"spec.serviceAccountName", &account},
        {"status.hostIP", &sources.host_address},
        {"status.hostIPs", &sources.host_address},
        {"status.podIP", &sources.pod_address},
        {"status.podIPs", &sources.pod_address},
    }};
    for (auto const& [name, value] : known)
        if (path == name) return *value;
    return std::nullopt;
}

} // namespace

void add_references(core::container const& c, environment_sources& to) {
    for (auto const& from : c.env_from) {
        if (from.config_map_ref) to.config_maps.try_emplace(from.config_map_ref->name);
        if (from.secret_ref) to.secrets.try_emplace(from.secret_ref->name);
    }
    for (auto const& variable : c.env) {
        if (!variable.value_from) continue;
        auto const& from = *variable.value_from;
        if (from.config_map_key_ref) to.config_maps.try_emplace(from.config_map_key_ref->name);
        if (from.secret_key_ref) to.secrets.try_emplace(from.secret_key_ref->name);
    }
}

result<std::vector<foreign_variable>> variables_of(core::env_from_source const& from,
                                                   environment_sources const& sources) {
    if (from.config_map_ref)
        return all_of(*from.config_map_ref, object_in(sources.config_maps, from.config_map_ref->name), "configmap",
                      from.prefix);
    if (from.secret_ref)
        return all_of(*from.secret_ref, object_in(sources.secrets, from.secret_ref->name), "secret", from.prefix);
    return std::vector<foreign_variable>();
}

result<std::string> resource_value(core::resource_field_selector const& from, pod const& p,
                                   core::container const* own) {
    for (auto const* list : {&p.spec.init_containers, &p.spec.containers})
        for (auto const& c : *list)
            if (!from.container_name.empty() && c.name == from.container_name) own = &c;
    if (own == nullptr || (!from.container_name.empty() && own->name != from.container_name))
        return make_failure(errc::invalid_argument, "container " + from.container_name + " not found");
    auto const dot = from.resource.find('.');
    auto const kind = from.resource.substr(0, dot);
    auto const name = dot == std::string::npos ? std::string() : from.resource.substr(dot + 1);
    bool const is_known =
        name == "cpu" || name == "memory" || name == "ephemeral-storage" || name.starts_with("hugepages-");
    if (!is_known || (kind != "limits" && kind != "requests"))
        return make_failure(errc::invalid_argument, "unsupported container resource : " + from.resource);
    auto amount = amount_in(own->resources.limits, name);
    if (kind == "requests") {
        if (own->resources.requests.contains(name)) amount = amount_in(own->resources.requests, name);
    } else if (amount.is_zero()) {
        amount = capacity_of_machine(name);
    }
    auto const divisor = from.divisor.is_zero() ? quantity("1") : from.divisor;
    auto const whole = name == "cpu" ? amount.milli_value() : amount.value();
    auto const unit = std::max<std::int64_t>(name == "cpu" ? divisor.milli_value() : divisor.value(), 1);
    return std::to_string(whole / unit + (whole % unit > 0 ? 1 : 0));
}

result<std::optional<std::string>> value_of(core::env_var_source const& from, pod const& p, core::container const& own,
                                            environment_sources const& sources) {
    if (from.resource_field_ref) {
        auto amount = resource_value(*from.resource_field_ref, p, &own);
        if (!amount) return amount.error();
        return std::optional(*std::move(amount));
    }
    if (from.config_map_key_ref)
        return key_of(*from.config_map_key_ref, object_in(sources.config_maps, from.config_map_key_ref->name),
                      "configmap", "ConfigMap", p.metadata.namespace_);
    if (from.secret_key_ref)
        return key_of(*from.secret_key_ref, object_in(sources.secrets, from.secret_key_ref->name), "secret", "Secret",
                      p.metadata.namespace_);
    if (!from.field_ref) return std::optional<std::string>();
    auto value = field_of(from.field_ref->field_path, p, sources);
    if (!value) return make_failure(errc::invalid_argument, "unsupported fieldPath: " + from.field_ref->field_path);
    return value;
}

bool is_known_field(std::string_view path) { return field_of(path, pod(), environment_sources()).has_value(); }

} // namespace kftrain::local
