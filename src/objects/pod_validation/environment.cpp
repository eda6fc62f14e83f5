#include "base/ascii.hpp"
#include "model/rules/label_syntax.hpp"
#include "model/rules/name_syntax.hpp"
#include "model/rules/value_syntax.hpp"
#include "objects/pod_validation/checks.hpp"

#include <array>
#include <span>

namespace kftrain::pod_checks {
namespace {

using field_names = std::span<std::string_view const>;

constexpr std::array<std::string_view, 9> variable_fields{
    "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName",
    "status.hostIP", "status.hostIPs",     "status.podIP", "status.podIPs"};
constexpr std::array<std::string_view, 5> volume_fields{"metadata.annotations", "metadata.labels", "metadata.name",
                                                        "metadata.namespace", "metadata.uid"};
/// Fields of pods that a server accepts in addition to these two lists.
constexpr std::array<std::string_view, 4> other_fields{"spec.restartPolicy", "spec.schedulerName", "status.phase",
                                                       "spec.host"};
constexpr std::array<std::string_view, 6> resources{"limits.cpu",   "limits.ephemeral-storage",   "limits.memory",
                                                    "requests.cpu", "requests.ephemeral-storage", "requests.memory"};
constexpr std::array<std::string_view, 13> units{"1",   "1k",  "1M",  "1G",  "1T",  "1P", "1E",
                                                 "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"};

/// The parts of `metadata.labels['key']`.
struct subscripted {
    std::string_view path;
    std::string_view key;
    bool found = false;
};

subscripted split(std::string_view text) {
    subscripted out;
    if (!text.ends_with("']")) return out;
    auto const inner = text.substr(0, text.size() - 2);
    auto const at = inner.find("['");
    if (at == std::string_view::npos || at == 0) return out;
    out.path = inner.substr(0, at);
    out.key = inner.substr(at + 2);
    out.found = true;
    return out;
}

void check_divisor(core::resource_field_selector const& s, field_path const& at, field_faults& found) {
    if (s.divisor.is_zero()) return;
    auto const unit = s.divisor.canonical();
    bool const huge = s.resource.starts_with("limits.hugepages-") || s.resource.starts_with("requests.hugepages-");
    bool const cpu = s.resource.ends_with(".cpu") && is_one_of(s.resource, resources);
    if (!cpu && !huge && !is_one_of(s.resource, resources)) return;
    if (cpu ? unit == "1m" || unit == "1" : is_one_of(unit, units)) return;
    std::string_view const what = huge                              ? "hugepages"
                                  : cpu                             ? "cpu"
                                  : s.resource.ends_with(".memory") ? "memory"
                                                                    : "local ephemeral storage";
    std::string why = "only divisor's values ";
    why += cpu ? "1m and 1" : "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei";
    found.invalid_text(at.text("divisor"), s.resource,
                       why.append(" are supported with the ").append(what).append(" resource"));
}

template <class Selector> void check_key(Selector const& s, field_path const& at, field_faults& found) {
    found.invalid_text(at.text("name"), s.name, dns_subdomain_faults(s.name));
    if (s.key.empty())
        found.required(at.text("key"));
    else
        found.invalid_text(at.text("key"), s.key, config_key_faults(s.key));
}

void check_variable(core::env_var const& v, field_path const& at, field_faults& found) {
    if (v.name.empty())
        found.required(at.text("name"));
    else if (auto const why = environment_name_faults(v.name); !why.empty())
        found.invalid_text(at.text("name"), v.name, why);
    if (!v.value_from) return;
    field_path const from(at, "valueFrom");
    auto const& source = *v.value_from;
    int sources = 0;
    if (source.field_ref) {
        ++sources;
        check_field_reference(*source.field_ref, false, field_path(from, "fieldRef"), found);
    }
    if (source.resource_field_ref) {
        ++sources;
        check_resource_reference(*source.resource_field_ref, false, field_path(from, "resourceFieldRef"), found);
    }
    if (source.config_map_key_ref) {
        ++sources;
        check_key(*source.config_map_key_ref, field_path(from, "configMapKeyRef"), found);
    }
    if (source.secret_key_ref) {
        ++sources;
        check_key(*source.secret_key_ref, field_path(from, "secretKeyRef"), found);
    }
    if (sources == 0)
        found.invalid_text(from.text(), "",
                           "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`");
    else if (!v.value.empty())
        found.invalid_text(from.text(), "", "may not be specified when `value` is not empty");
    else if (sources > 1)
        found.invalid_text(from.text(), "", "may not have more than one field specified at a time");
}

void check_name_of(std::string const& name, field_path const& at, field_faults& found) {
    if (name.empty())
        found.required(at.text("name"));
    else
        found.invalid_text(at.text("name"), name, dns_subdomain_faults(name, true));
}

/// Upstream ascribes what is wrong with the sources to the list.
void check_source(core::env_from_source const& s, field_path const& at, std::string const& list, field_faults& found) {
    if (!s.prefix.empty()) found.invalid_text(at.text("prefix"), s.prefix, environment_name_faults(s.prefix));
    if (s.config_map_ref) check_name_of(s.config_map_ref->name, field_path(at, "configMapRef"), found);
    if (s.secret_ref) check_name_of(s.secret_ref->name, field_path(at, "secretRef"), found);
    if (!s.config_map_ref && !s.secret_ref)
        found.invalid_text(list, "", "must specify one of: `configMapRef` or `secretRef`");
    else if (s.config_map_ref && s.secret_ref)
        found.invalid_text(list, "", "may not have more than one field specified at a time");
}

} // namespace

void check_field_reference(core::object_field_selector const& s, bool of_volume, field_path const& at,
                           field_faults& found) {
    auto const& path = s.field_path;
    auto const refuse = [&](std::string const& why) {
        found.invalid_text(at.text("fieldPath"), path, std::string_view("error converting fieldPath: " + why));
    };
    if (path.empty()) return found.required(at.text("fieldPath"));
    if (!s.api_version.empty() && s.api_version != "v1") return refuse("unsupported pod version: " + s.api_version);
    if (auto const parts = split(path); parts.found) {
        if (parts.path == "metadata.annotations")
            found.invalid_text(at.text(), to_lower(parts.key), label_key_faults(to_lower(parts.key)));
        else if (parts.path == "metadata.labels")
            found.invalid_text(at.text(), parts.key, label_key_faults(parts.key));
        else
            refuse("field label does not support subscript: " + path);
        return;
    }
    if (!is_one_of(path, variable_fields) && !is_one_of(path, volume_fields) && !is_one_of(path, other_fields))
        return refuse("field label not supported: " + path);
    auto const known = of_volume ? field_names(volume_fields) : field_names(variable_fields);
    std::string_view const meant = path == "spec.host" ? "spec.nodeName" : std::string_view(path);
    if (!is_one_of(meant, known)) found.unsupported(at.text("fieldPath"), meant, known);
}

void check_resource_reference(core::resource_field_selector const& s, bool of_volume, field_path const& at,
                              field_faults& found) {
    bool const huge = s.resource.starts_with("limits.hugepages-") || s.resource.starts_with("requests.hugepages-");
    if (of_volume && s.container_name.empty())
        found.required(at.text("containerName"));
    else if (s.resource.empty())
        found.required(at.text("resource"));
    else if (!is_one_of(s.resource, resources) && !huge)
        found.unsupported(at.text("resource"), s.resource, resources);
    check_divisor(s, at, found);
}

void check_environment(core::container const& c, field_path const& at, field_faults& found) {
    for (std::size_t i = 0; i < c.env.size(); ++i) check_variable(c.env[i], field_path(at, "env", i), found);
    for (std::size_t i = 0; i < c.env_from.size(); ++i)
        check_source(c.env_from[i], field_path(at, "envFrom", i), at.text("envFrom"), found);
}

} // namespace kftrain::pod_checks
