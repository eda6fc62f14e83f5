#include <kftrain/job/member_lookup.hpp>
#include <kftrain/objects/core/config_map.hpp>

#include <map>
#include <mutex>
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
