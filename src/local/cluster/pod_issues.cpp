#include "local/cluster/pod_issues.hpp"

#include "job/contract/pod_templates.hpp"

#include <kftrain/job/job_rules.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>

namespace kftrain::local {
namespace {

/// The same path in another pod, where the item of the first list in the path may have another index; empty if it does
/// not exist.
std::string place_in(core::pod_spec const& to, core::pod_spec const& from, std::string const& path) {
    auto const open = path.find('[');
    auto const close = path.find(']', open);
    if (open == path.npos || close == path.npos) return path;
    std::size_t index = 0;
    std::from_chars(path.data() + open + 1, path.data() + close, index);
    auto const moved = [&](auto const& old_list, auto const& new_list) {
        if (index >= old_list.size()) return std::string();
        auto const& name = old_list[index].name;
        auto const at = std::ranges::find_if(new_list, [&](auto const& item) { return item.name == name; });
        if (at == new_list.end()) return std::string();
        return path.substr(0, open + 1) + std::to_string(at - new_list.begin()) + path.substr(close);
    };
    auto const list = std::string_view(path).substr(0, open);
    if (list == "spec.containers") return moved(from.containers, to.containers);
    if (list == "spec.initContainers") return moved(from.init_containers, to.init_containers);
    if (list == "spec.volumes") return moved(from.volumes, to.volumes);
    return path;
}

/// The issue as the template has it; absent if the operator makes it.
std::optional<issue> written_issue(pod_template_place const& t, issues const& of_template, core::pod const& made,
                                   issue const& found) {
    auto const path = place_in(t.given->spec, made.spec, found.path);
    auto const own = std::ranges::find(of_template, path, &issue::path);
    if (path.empty() || own == of_template.end()) return std::nullopt;
    issue i = *own;
    i.path = t.path + "." + own->path;
    i.message = t.path + "." + own->message;
    return i;
}

bool is_needed(std::optional<bool> const& optional) { return !optional.value_or(false); }

/// Calls `visit(type, name, path)` for each Secret, ConfigMap and claim that the pod needs.
void visit_references(pod const& p, auto const& visit) {
    auto const& secret = core::secret::resource;
    auto const& config_map = core::config_map::resource;
    for (std::size_t i = 0; i < p.spec.volumes.size(); ++i) {
        auto const& v = p.spec.volumes[i];
        auto const path = "spec.volumes[" + std::to_string(i) + "]";
        if (v.secret && is_needed(v.secret->optional))
            visit(secret, v.secret->secret_name, path + ".secret.secretName");
        if (v.config_map && is_needed(v.config_map->optional))
            visit(config_map, v.config_map->name, path + ".configMap.name");
        if (v.persistent_volume_claim)
            visit(core::persistent_volume_claim::resource, v.persistent_volume_claim->claim_name,
                  path + ".persistentVolumeClaim.claimName");
        if (!v.projected) continue;
        for (std::size_t k = 0; k < v.projected->sources.size(); ++k) {
            auto const& source = v.projected->sources[k];
            auto const at = path + ".projected.sources[" + std::to_string(k) + "]";
            if (source.secret && is_needed(source.secret->optional))
                visit(secret, source.secret->name, at + ".secret.name");
            if (source.config_map && is_needed(source.config_map->optional))
                visit(config_map, source.config_map->name, at + ".configMap.name");
        }
    }
    auto const of_container = [&](core::container const& c, std::string const& path) {
        for (std::size_t i = 0; i < c.env_from.size(); ++i) {
            auto const& from = c.env_from[i];
            auto const at = path + ".envFrom[" + std::to_string(i) + "]";
            if (from.secret_ref && is_needed(from.secret_ref->optional))
                visit(secret, from.secret_ref->name, at + ".secretRef.name");
            if (from.config_map_ref && is_needed(from.config_map_ref->optional))
                visit(config_map, from.config_map_ref->name, at + ".configMapRef.name");
        }
        for (std::size_t i = 0; i < c.env.size(); ++i) {
            if (!c.env[i].value_from) continue;
            auto const& from = *c.env[i].value_from;
            auto const at = path + ".env[" + std::to_string(i) + "].valueFrom";
            if (from.secret_key_ref && is_needed(from.secret_key_ref->optional))
                visit(secret, from.secret_key_ref->name, at + ".secretKeyRef.name");
            if (from.config_map_key_ref && is_needed(from.config_map_key_ref->optional))
                visit(config_map, from.config_map_key_ref->name, at + ".configMapKeyRef.name");
        }
    };
    for (std::size_t i = 0; i < p.spec.init_containers.size(); ++i)
        of_container(p.spec.init_containers[i], "spec.initContainers[" + std::to_string(i) + "]");
    for (std::size_t i = 0; i < p.spec.containers.size(); ++i)
        of_container(p.spec.containers[i], "spec.containers[" + std::to_string(i) + "]");
}

} // namespace

issues issues_of_pods(prepared_job const& job, pod_judge const& judge) {
    auto const templates = pod_templates(*job);
    issues found;
    std::set<std::string> reported;
    std::set<std::string_view> seen;
    for (auto const& m : job.layout().members) {
        // Members of a role differ by their names and numbers only, and there may be a hundred thousand.
        if (!seen.insert(m.role).second) continue;
        auto const p = job.pod_of(m);
        auto const of_pod = judge(p);
        if (of_pod.empty()) continue;
        auto const* const t = template_of(templates, m.role);
        issues of_template;
        if (t != nullptr) {
            pod alone;
            alone.metadata = t->given->metadata;
            alone.spec = t->given->spec;
            of_template = judge(alone);
        }
        for (auto const& i : of_pod) {
            auto written = t != nullptr ? written_issue(*t, of_template, p, i) : std::nullopt;
            if (!written) {
                written = i;
                written->path.clear();
                written->message.insert(0, "pod " + (p.metadata.name.empty() ? m.host_name() : p.metadata.name) + ": ");
            }
            if (reported.insert(written->message).second) found.push_back(*std::move(written));
        }
    }
    return found;
}

std::set<named_object> needed_objects(pod const& p) {
    std::set<named_object> all;
    visit_references(p, [&](resource_info const& type, std::string const& name, std::string const&) {
        if (!name.empty()) all.emplace(&type, name);
    });
    return all;
}

issues references_to(std::set<named_object> const& objects, pod const& p) {
    issues found;
    visit_references(p, [&](resource_info const& type, std::string const& name, std::string path) {
        if (!objects.contains(named_object(&type, name))) return;
        auto& i = found.emplace_back();
        i.rule = "local.missing-object";
        auto const wanted = std::string(type.kind) + " \"" + name + "\"";
        auto const volume = std::ranges::find_if(p.spec.volumes, [&](core::volume const& v) {
            return v.persistent_volume_claim && v.persistent_volume_claim->claim_name == name;
        });
        bool const is_claim = path.ends_with(".claimName") && volume != p.spec.volumes.end();
        i.message = path + ": " + (is_claim ? "volume \"" + volume->name + "\" needs " : std::string()) + wanted +
                    (is_claim ? ", which does not exist" : " does not exist");
        i.path = std::move(path);
    });
    return found;
}

} // namespace kftrain::local
