#include <kftrain/job/member_lookup.hpp>

#include "base/ascii.hpp"
#include "base/joined.hpp"
#include "job/contract/field_error.hpp"

#include <kftrain/objects/core/config_map.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace kftrain {

/// Created on the first use: most jobs have none, and most lookups need only environments.
struct member_lookup::mounted_objects {
    std::once_flag rendered;
    std::map<std::string, core::config_map, std::less<>> config_maps;
    std::map<std::string, core::secret, std::less<>> secrets;

    void render(prepared_job const& job) {
        for (auto const& o : job.render()) {
            if (auto const* c = o.get_if<core::config_map>()) config_maps.emplace(c->metadata.name, *c);
            if (auto const* s = o.get_if<core::secret>()) secrets.emplace(s->metadata.name, *s);
        }
    }
};

namespace {

failure not_there(std::string message) {
    failure f;
    f.code = errc::invalid_argument;
    f.detail.message = std::move(message);
    return f;
}

std::string not_static(membership const& layout) {
    return layout.rank_note.empty() ? "the ranks of this job are assigned at run time" : layout.rank_note;
}

/// Whether this may be the end that a server or controller gives to a name that is not known beforehand.
bool is_drawn(std::string_view end) noexcept {
    return end.size() == 5 && std::ranges::all_of(end, [](char c) { return is_lower(c) || is_digit(c); });
}

/// As far as it is known.
std::string name_of(member const& m) { return m.pod_name.empty() ? m.host_name() + "-*" : m.pod_name; }

/// One range per role: `pt-master-0, pt-worker-0 to pt-worker-7`.
template <class Name> std::string ranges_of(std::vector<member> const& all, Name name) {
    std::vector<std::string> ranges;
    for (std::size_t i = 0; i < all.size();) {
        std::size_t end = i;
        while (end < all.size() && all[end].role == all[i].role) ++end;
        ranges.push_back(end - i > 1 ? name(all[i]) + " to " + name(all[end - 1]) : name(all[i]));
        i = end;
    }
    return ranges.empty() ? "none: the job has no replicas" : joined(ranges, ", ");
}

/// In the place of a member: several bear the host name.
constexpr auto several = static_cast<std::size_t>(-1);

/// More characters no name of DNS has.
constexpr std::size_t longest_host = 253;

failure shared_host(std::string_view host, std::string const& pods) {
    return not_there("host " + in_quotes(host) +
                     " is used by several pods of the job; use the pod name instead, one of " + pods);
}

/// Whether the first labels of a domain are those.
bool begins_with_labels(std::string_view domain, std::string_view labels) noexcept {
    return domain.starts_with(labels) && (domain.size() == labels.size() || domain[labels.size()] == '.');
}

/// The value of a field of the pod, as far as it is known before the pod exists.
std::optional<std::string> known_field(object_meta const& pod, std::string_view path) {
    for (auto const& [prefix, entries] : {std::pair(std::string_view("metadata.labels['"), &pod.labels),
                                          {"metadata.annotations['", &pod.annotations}}) {
        if (!path.starts_with(prefix) || !path.ends_with("']")) continue;
        path = path.substr(prefix.size(), path.size() - prefix.size() - 2);
        if (auto const at = entries->find(path); at != entries->end()) return at->second;
        return std::nullopt;
    }
    return std::nullopt;
}

/// Replaces a reference to a label or an annotation of the pod by the value, as the kubelet does.
void set_known_value(core::env_var& v, object_meta const& pod) {
    if (!v.value_from || !v.value_from->field_ref) return;
    auto value = known_field(pod, v.value_from->field_ref->field_path);
    if (!value) return;
    v.value = *std::move(value);
    v.value_from.reset();
}

constexpr std::int32_t usual_mode = 0644; // of API servers, where a volume names none

/// Files of one volume, by paths within it.
using volume_files = std::vector<injected_file>;

void add(volume_files& all, std::string path, std::int32_t mode, std::string source, std::optional<std::string> text) {
    auto& f = all.emplace_back();
    f.path = std::move(path);
    f.mode = mode;
    f.source = std::move(source);
    f.text = std::move(text);
}

/// Without items a volume has every key, under its name.
void add_config_map(volume_files& all, core::config_map const& from, std::vector<core::key_to_path> const& items,
                    std::int32_t mode) {
    std::string const source = "ConfigMap " + from.metadata.name;
    if (items.empty()) {
        for (auto const& [key, text] : from.data) add(all, key, mode, source, text);
        for (auto const& entry : from.binary_data) add(all, entry.first, mode, source, std::nullopt);
    }
    for (auto const& i : items) {
        if (auto const it = from.data.find(i.key); it != from.data.end())
            add(all, i.path, i.mode.value_or(mode), source, it->second);
        else if (from.binary_data.contains(i.key))
            add(all, i.path, i.mode.value_or(mode), source, std::nullopt);
    }
}

/// Keys that a recipe makes are not there yet, so items are taken at their word.
void add_secret(volume_files& all, core::secret const& from, std::vector<core::key_to_path> const& items,
                std::int32_t mode) {
    std::string const source = "Secret " + from.metadata.name;
    if (items.empty()) {
        for (auto const& entry : from.data) add(all, entry.first, mode, source, std::nullopt);
        for (auto const& entry : from.string_data)
            if (!from.data.contains(entry.first)) add(all, entry.first, mode, source, std::nullopt);
    }
    for (auto const& i : items) add(all, i.path, i.mode.value_or(mode), source, std::nullopt);
}

bool may_hold_objects(core::volume const& v) noexcept { return v.config_map || v.secret || v.projected; }

std::string_view without_slash(std::string_view path) noexcept {
    while (path.ends_with('/')) path.remove_suffix(1);
    return path;
}

/// Where a mount shows a file of its volume; absent where it does not.
std::optional<std::string> path_in(core::volume_mount const& m, std::string_view file) {
    std::string top(without_slash(m.mount_path));
    std::string_view const part = without_slash(m.sub_path);
    if (!m.sub_path_expr.empty()) return std::nullopt; // the environment of a process decides
    if (part.empty()) return top + "/" + std::string(file);
    if (file == part) return top;
    if (file.starts_with(part) && file[part.size()] == '/') return top + std::string(file.substr(part.size()));
    return std::nullopt;
}

} // namespace

std::vector<core::env_var> container_environment::effective() const {
    std::vector<core::env_var> result;
    std::unordered_set<std::string_view> seen;
    for (auto it = env.rbegin(); it != env.rend(); ++it)
        if (seen.insert(it->name).second) result.push_back(*it);
    return {std::make_move_iterator(result.rbegin()), std::make_move_iterator(result.rend())};
}

/// Indexes of members, by lookup key.
struct member_lookup::places {
    std::unordered_map<std::string, std::size_t> by_host;
    std::unordered_map<std::int64_t, std::size_t> by_rank;
};

member_lookup::member_lookup(any_job job, operator_options const& options)
    : member_lookup(prepared_job::by_origin(std::move(job), &options)) {}

member_lookup::member_lookup(prepared_job job) : job_(job), objects_(no_objects_yet()) {
    auto const& members = layout().members;
    auto const found = std::make_shared<places>();
    found->by_host.reserve(members.size());
    found->by_rank.reserve(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
        auto const& m = members[i];
        if (auto const [it, fresh] = found->by_host.emplace(m.host_name(), i); !fresh) it->second = several;
        if (m.rank) found->by_rank.emplace(*m.rank, i);
    }
    places_ = found;
}

std::string member_lookup::known_names() const { return ranges_of(layout().members, name_of); }

result<member> member_lookup::of_pod(std::string_view name) const {
    auto it = places_->by_host.find(std::string(name));
    auto const is_one = [&] { return it != places_->by_host.end() && it->second != several; };
    if (is_one() && layout().members[it->second].pod_name == name) return layout().members[it->second];
    if (auto const end = name.rfind('-'); end != name.npos && is_drawn(name.substr(end + 1)))
        it = places_->by_host.find(std::string(name.substr(0, end)));
    if (is_one() && layout().members[it->second].pod_name.empty()) return layout().members[it->second];
    if (auto const* const named = layout().find(name)) return *named; // its host has another name
    return not_there("pod " + in_quotes(name) + " does not belong to this job; pods are " + known_names());
}

result<member> member_lookup::of_host(std::string_view host) const {
    if (host.size() > longest_host) return of_template_host(host);
    auto dot = host.npos; // names of members may have points themselves
    auto it = places_->by_host.find(std::string(host));
    while (it == places_->by_host.end() && dot != 0 &&
           (dot = host.rfind('.', dot == host.npos ? dot : dot - 1)) != host.npos)
        it = places_->by_host.find(std::string(host.substr(0, dot)));
    if (it == places_->by_host.end()) return of_template_host(host);
    if (it->second == several) return shared_host(host.substr(0, dot), known_names());
    auto const& found = layout().members[it->second];
    std::string_view const rest = dot == host.npos ? std::string_view() : host.substr(dot + 1);
    if (rest.empty() || begins_with_labels(layout().domain, rest) || begins_with_labels(rest, layout().domain))
        return found;
    std::string_view const in = rest.substr(0, rest.find('.'));
    std::string_view const ours = std::string_view(layout().domain).substr(0, layout().domain.find('.'));
    if (in != ours && layout().domain == std::string(ours) + ".svc")
        return not_there("host " + in_quotes(host) + " is in namespace " + in_quotes(in) + ", but the job is in " +
                         in_quotes(ours));
    return not_there("host " + in_quotes(host) + " is not the address of a service, expected " + address_of(found));
}

/// Host names that the templates set: of a type with one replica they name a pod as well as its name does.
result<member> member_lookup::of_template_host(std::string_view host) const {
    auto const& all = layout().members;
    std::size_t found = all.size();
    for (std::size_t i = 0; i < all.size();) {
        std::size_t end = i;
        while (end < all.size() && all[end].role == all[i].role) ++end;
        if (pod_of(all[i]).spec.hostname == host && !host.empty()) {
            if (found != all.size() || end - i > 1) return shared_host(host, known_names());
            found = i;
        }
        i = end;
    }
    if (found == all.size())
        return not_there("host " + in_quotes(host) + " does not belong to this job; hosts are " +
                         ranges_of(all, [](member const& m) { return m.host_name(); }));
    return all[found];
}

result<member> member_lookup::of_rank(std::int64_t rank) const {
    auto const it = places_->by_rank.find(rank);
    if (it != places_->by_rank.end()) return layout().members[it->second];
    if (places_->by_rank.empty()) return not_there("rank " + std::to_string(rank) + ": " + not_static(layout()));
    return not_there("rank " + std::to_string(rank) + " does not exist in this job; ranks are 0 to " +
                     std::to_string(places_->by_rank.size() - 1));
}

result<member> member_lookup::of_process(std::int64_t rank) const {
    std::string const subject = "process " + std::to_string(rank);
    if (places_->by_rank.empty()) return not_there(subject + ": " + not_static(layout()));
    if (!layout().processes_per_member)
        return not_there(
            subject +
            ": the number of processes per replica is known only at run time; use the rank of a replica instead");
    std::int64_t const each = *layout().processes_per_member;
    auto const it = rank < 0 ? places_->by_rank.end() : places_->by_rank.find(rank / each);
    if (it == places_->by_rank.end())
        return not_there(subject + " does not exist in this job; processes are 0 to " +
                         std::to_string(static_cast<std::int64_t>(places_->by_rank.size()) * each - 1));
    return layout().members[it->second];
}

result<member> member_lookup::of_index(std::string_view type, std::int32_t index) const {
    auto const replicas = layout().of_role(type);
    if (index >= 0 && static_cast<std::size_t>(index) < replicas.size())
        return replicas[static_cast<std::size_t>(index)];
    return not_there(std::string(type) + " " + std::to_string(index) + " does not exist in this job; replicas are " +
                     known_names());
}

std::optional<process_range> member_lookup::processes_of(member const& r) const noexcept {
    if (!r.rank || !layout().processes_per_member) return std::nullopt;
    process_range range;
    range.count = *layout().processes_per_member;
    range.first = *r.rank * range.count;
    return range;
}

std::string member_lookup::address_of(member const& m) const {
    return layout().domain.empty() ? m.host_name() : m.host_name() + "." + layout().domain;
}

pod member_lookup::pod_of(member const& m) const { return job_.pod_of(m); }

std::vector<container_environment> member_lookup::environment_of(member const& r) const {
    std::vector<container_environment> result;
    pod p = pod_of(r);
    for (auto* list : {&p.spec.init_containers, &p.spec.containers})
        for (auto& c : *list) {
            container_environment environment;
            environment.container = std::move(c.name);
            environment.init = list == &p.spec.init_containers;
            environment.env = std::move(c.env);
            for (auto& v : environment.env) set_known_value(v, p.metadata);
            result.push_back(std::move(environment));
        }
    return result;
}

std::shared_ptr<member_lookup::mounted_objects> member_lookup::no_objects_yet() {
    return std::make_shared<mounted_objects>();
}

std::vector<container_files> member_lookup::files_of(member const& m) const {
    pod const p = pod_of(m);
    std::map<std::string_view, volume_files> volumes;
    auto const look = [](auto const& objects, std::string_view name, auto const& found) {
        if (auto const it = objects.find(name); it != objects.end()) found(it->second);
    };
    for (auto const& v : p.spec.volumes) {
        if (!may_hold_objects(v)) continue;
        std::call_once(objects_->rendered, [&] { objects_->render(job_); });
        auto& files = volumes[v.name];
        auto const take_map = [&](core::config_map_volume_source const& s) {
            look(objects_->config_maps, s.name, [&](core::config_map const& c) {
                add_config_map(files, c, s.items, s.default_mode.value_or(usual_mode));
            });
        };
        auto const take_secret = [&](core::secret_volume_source const& s) {
            look(objects_->secrets, s.secret_name, [&](core::secret const& found) {
                add_secret(files, found, s.items, s.default_mode.value_or(usual_mode));
            });
        };
        if (v.config_map) take_map(*v.config_map);
        if (v.secret) take_secret(*v.secret);
        if (!v.projected) continue;
        auto const mode = v.projected->default_mode.value_or(usual_mode);
        for (auto const& s : v.projected->sources) {
            if (s.config_map)
                look(objects_->config_maps, s.config_map->name,
                     [&](core::config_map const& c) { add_config_map(files, c, s.config_map->items, mode); });
            if (s.secret)
                look(objects_->secrets, s.secret->name,
                     [&](core::secret const& found) { add_secret(files, found, s.secret->items, mode); });
        }
    }

    auto const written = job_.written_files(m);
    std::vector<container_files> result;
    for (auto const* list : {&p.spec.init_containers, &p.spec.containers})
        for (auto const& c : *list) {
            auto& injected = result.emplace_back();
            injected.container = c.name;
            injected.init = list == &p.spec.init_containers;
            for (auto const& mount : c.volume_mounts) {
                auto const it = volumes.find(mount.name);
                if (it == volumes.end()) continue;
                for (auto const& file : it->second)
                    if (auto path = path_in(mount, file.path)) {
                        injected.files.push_back(file);
                        injected.files.back().path = std::move(*path);
                    }
            }
            if (!injected.init) injected.files.insert(injected.files.end(), written.begin(), written.end());
        }
    return result;
}

} // namespace kftrain
