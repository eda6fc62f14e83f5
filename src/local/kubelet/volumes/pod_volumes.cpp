#include "local/kubelet/volumes/pod_volumes.hpp"

#include "base/make_failure.hpp"
#include "local/kubelet/containers/container_command.hpp"
#include "local/kubelet/volumes/account_token.hpp"
#include "local/kubelet/volumes/claim_binding.hpp"
#include "local/kubelet/volumes/machine_folders.hpp"
#include "local/kubelet/volumes/pod_files.hpp"
#include "local/kubelet/volumes/volume_files.hpp"

#include <kftrain/kube/api.hpp>

#include <boost/asio/co_spawn.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <tuple>

namespace kftrain::local {
namespace {

namespace fs = std::filesystem;

std::string mount_failed(std::string const& volume, std::string const& why) {
    return "MountVolume.SetUp failed for volume \"" + volume + "\" : " + why;
}

/// A folder that every user may write to, whatever the umask is.
error_code make_open_folder(fs::path const& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (!failed) fs::permissions(folder, fs::perms::all, failed);
    return failed;
}

/// Objects may be secret, and the directory of the node one that others can read.
error_code make_private_folder(fs::path const& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (!failed) fs::permissions(folder, fs::perms::owner_all, failed);
    return failed;
}

failure unusable_mount(std::string message) { return make_failure(errc::invalid_argument, std::move(message)); }

/// Whether a server accepts a subPath: it is relative and has no `..`.
/// @par Upstream kubernetes v1.31 `pkg/apis/core/validation/validation.go`, `validateLocalDescendingPath`
bool is_sub_path(fs::path const& path) { return path.is_relative() && std::ranges::find(path, "..") == path.end(); }

/// Opens the part of a volume that is mounted, and creates its directories in a writable volume.
result<real_path> part_of(real_path volume, core::volume_mount const& m, bool writable) {
    if (m.sub_path.empty()) return volume;
    std::error_code failed = std::make_error_code(std::errc::cross_device_link);
    real_path part;
    if (is_sub_path(m.sub_path))
        part = open_within(volume, m.sub_path, writable ? creation::directories : creation::none, failed);
    if (leads_out(failed))
        return unusable_mount("subPath \"" + m.sub_path + "\" leads out of volume \"" + m.name + "\"");
    if (failed)
        return unusable_mount("subPath \"" + m.sub_path + "\" of volume \"" + m.name + "\": " + text_of(failed));
    return part;
}

constexpr std::chrono::seconds pause_after_failure{60};

/// Returns the files of a source of a projected volume, as they are now.
template <class Object, class Source, class Projection>
asio::awaitable<result<std::vector<volume_file>>> read_files(kube::api<Object> objects, std::string name, Source from,
                                                             Projection given) {
    from.items = std::move(given.items);
    from.optional = given.optional;
    auto [ec, object] = co_await objects.async_get(name, await);
    if (ec && !is_not_found(ec)) co_return make_failure(ec, ec.message());
    co_return files_of(from, ec ? nullptr : &object);
}

/// Writes the specification and the status, if they have changed. The caller retries after a conflict.
template <class Object>
asio::awaitable<error_code> write_changes(kube::api<Object> objects, Object next, Object before) {
    error_code ec;
    if (next.spec != before.spec) {
        auto const status = next.status;
        std::tie(ec, next) = co_await objects.async_replace(next, await);
        next.status = status;
    }
    if (!ec && next.status != before.status) std::tie(ec, next) = co_await objects.async_replace_status(next, await);
    co_return ec;
}

} // namespace

pod_volumes::pod_volumes(kubelet::state& owner, std::function<void(std::string const&)> trouble,
                         std::function<void()> changed)
    : owner_(owner), trouble_(std::move(trouble)), changed_(std::move(changed)) {}

void pod_volumes::stop() {
    trouble_ = nullptr;
    changed_ = nullptr;
    config_maps_.clear();
    secrets_.clear();
    renewals_.clear();
}

/// Why the files could not be written; empty if they are there.
std::string pod_volumes::write(fs::path const& folder, result<std::vector<volume_file>> const& files) const {
    if (!files) return files.error().detail.message;
    auto const ec = write_volume(folder, *files);
    if (ec) return "write to " + folder.string() + ": " + ec.message();
    give_to_group(folder, true);
    return {};
}

/// @par Upstream kubernetes v1.31 `pkg/volume/volume_linux.go`, `changeFilePermission`
void pod_volumes::give_to_group(fs::path const& folder, bool read_only) const {
    if (!group_ || ::geteuid() != 0) return; // in a user namespace, the user of the container owns the files
    auto const give = [&](fs::path const& path) {
        struct stat info{};
        if (::lstat(path.c_str(), &info) != 0) return;
        [[maybe_unused]] auto const owned = ::lchown(path.c_str(), static_cast<uid_t>(-1), static_cast<gid_t>(*group_));
        mode_t mode = (info.st_mode & 07777U) | (read_only ? 0440U : 0660U);
        if (S_ISDIR(info.st_mode)) mode |= S_ISGID | 0110U;
        if (!S_ISLNK(info.st_mode)) ::chmod(path.c_str(), mode);
    };
    give(folder);
    std::error_code ignored;
    for (auto const& entry : fs::recursive_directory_iterator(folder, ignored)) give(entry.path());
}

template <class Source, class Object>
void pod_volumes::follow(pod const& p, std::string const& volume, Source const& source, std::string const& name,
                         std::list<shown<Source, Object>>& list) {
    kube::informer_options only;
    only.field_selector = "metadata.name=" + name;
    kube::informer<Object> object(kube::api<Object>(owner_.client, p.metadata.namespace_), owner_.objects,
                                  std::move(only));
    auto& one =
        list.emplace_back(volume, source, volume_folder(owner_.options.directory, p, volume), std::move(object));
    one.object.on_event([weak = weak_from_this(), &one](auto const& e) {
        auto const alive = weak.lock(); // and with it `one`, whose informer calls this
        if (!alive) return;
        if (one.ready && !alive->owner_.stopping) {
            auto const* now = e.kind == change_kind::deleted ? nullptr : e.object.get();
            auto const why = alive->write(one.folder, files_of(one.source, now));
            if (!why.empty() && alive->trouble_) alive->trouble_(mount_failed(one.volume, why));
        }
        if (alive->changed_) alive->changed_();
    });
    one.object.async_run([](error_code) {});
}

template <class Source, class Object>
asio::awaitable<std::string> pod_volumes::show(pod const& p, std::string const& volume, Source const& source,
                                               std::string const& name, std::list<shown<Source, Object>>& list) {
    auto const self = shared_from_this();
    auto const is_this = [&](auto const& one) { return one.volume == volume; };
    if (std::ranges::none_of(list, is_this)) follow(p, volume, source, name, list);
    kube::api<Object> objects(owner_.client, p.metadata.namespace_);
    auto [ec, object] = co_await objects.async_get(name, await);
    if (ec && !is_not_found(ec)) co_return mount_failed(volume, ec.message());
    auto const one = std::ranges::find_if(list, is_this);
    // No file may come into a directory that is gone.
    if (owner_.stopping || one == list.end()) co_return "the pod is ending";
    Object const* newest = ec ? nullptr : &object;
    typename kube::informer<Object>::object followed;
    if (one->object.has_synced() && (ec || one->object.has_observed(object.metadata.resource_version))) {
        followed = one->object.find(p.metadata.namespace_, name);
        newest = followed.get();
    }
    auto const why = write(one->folder, files_of(source, newest));
    if (!why.empty()) co_return mount_failed(volume, why);
    one->ready = true;
    co_return std::string();
}

void pod_volumes::project_again(pod const& p, core::volume const& v, std::chrono::seconds pause) {
    auto& timer = renewals_.try_emplace(v.name, owner_.client.get_executor()).first->second;
    timer.expires_after(pause);
    timer.async_wait([weak = weak_from_this(), p, v](error_code ec) {
        auto const self = weak.lock();
        if (ec || !self || !self->trouble_) return;
        // The handler keeps all from before the first step on.
        auto renew = [](std::shared_ptr<pod_volumes> me, pod of, core::volume what) -> asio::awaitable<void> {
            std::string const why = co_await me->project(of, what);
            if (why.empty() || me->owner_.stopping || !me->trouble_) co_return;
            me->trouble_(why);
            me->project_again(of, what, pause_after_failure);
        };
        asio::co_spawn(self->owner_.client.get_executor(), renew(self, p, v),
                       [kept = self->owner_.shared_from_this()](std::exception_ptr) {});
    });
}

/// Joins the files of all sources, as they are now.
asio::awaitable<std::string> pod_volumes::project(pod const& p, core::volume const& v) {
    auto const self = shared_from_this();
    auto renewal = std::chrono::seconds::max();
    kube::api<core::config_map> config_maps(owner_.client, p.metadata.namespace_);
    kube::api<core::secret> secrets(owner_.client, p.metadata.namespace_);
    std::vector<volume_file> files;
    for (auto const& source : v.projected->sources) {
        result<std::vector<volume_file>> part = std::vector<volume_file>();
        if (source.config_map) {
            core::config_map_volume_source from;
            from.name = source.config_map->name;
            from.default_mode = v.projected->default_mode;
            part = co_await read_files(config_maps, from.name, from, *source.config_map);
        } else if (source.secret) {
            core::secret_volume_source from;
            from.secret_name = source.secret->name;
            from.default_mode = v.projected->default_mode;
            part = co_await read_files(secrets, from.secret_name, from, *source.secret);
        } else if (source.service_account_token) {
            result<account_token> token = co_await request_account_token(
                owner_.client, p, *source.service_account_token, v.projected->default_mode);
            if (token) renewal = std::min(renewal, token->renewal);
            if (token)
                part->push_back(std::move(token->file));
            else
                part = token.error();
        } else if (source.downward_api) {
            part = field_files(source.downward_api->items, v.projected->default_mode, p);
        }
        if (!part) co_return mount_failed(v.name, part.error().detail.message);
        merge_files(files, *std::move(part));
    }
    // No file may come into a directory that is gone.
    if (owner_.stopping || !trouble_) co_return "the pod is ending";
    auto const why = write(volume_folder(owner_.options.directory, p, v.name), files);
    if (why.empty() && renewal != std::chrono::seconds::max()) project_again(p, v, renewal);
    co_return why.empty() ? why : mount_failed(v.name, why);
}

asio::awaitable<std::string> pod_volumes::bind_claim(std::string const& volume, core::persistent_volume_claim claim) {
    auto const self = shared_from_this();
    host_paths_.erase(volume);
    auto const volumes = kube::api<core::persistent_volume>::all_namespaces(owner_.client);
    kube::api<core::persistent_volume_claim> claims(owner_.client, claim.metadata.namespace_);
    kube::list_options suitable;
    if (!claim.spec.volume_name.empty()) suitable.field_selector = "metadata.name=" + claim.spec.volume_name;
    auto [unread, all] = co_await volumes.async_list(suitable, await);
    if (unread) co_return mount_failed(volume, unread.message());
    auto const chosen = find_volume(claim, all.items);
    if (!chosen) co_return mount_failed(volume, chosen.error().detail.message);
    if (*chosen == nullptr) co_return std::string();
    auto found = **chosen;
    core::host_path_volume_source source;
    if (found.spec.host_path)
        source = *found.spec.host_path;
    else if (found.spec.local)
        source.path = found.spec.local->path;
    else
        co_return mount_failed(volume, "persistentvolume \"" + found.metadata.name +
                                           "\": expected the source \"hostPath\" or \"local\", got another");
    if (auto const path = prepare_host_path(source, owner_.options); !path)
        co_return mount_failed(volume, path.error().detail.message);
    auto const before = found;
    auto const claim_before = claim;
    bind(found, claim);
    error_code ec = co_await write_changes(volumes, found, before);
    if (!ec) ec = co_await write_changes(claims, claim, claim_before);
    if (ec) co_return mount_failed(volume, "the claim could not be bound: " + ec.message());
    host_paths_[volume] = source; // not earlier: another claim may have taken the volume
    co_return std::string();
}

/// Finds the folder of a claim, and marks the claim as bound.
asio::awaitable<std::string> pod_volumes::claim(pod const& p, core::volume const& v) {
    auto const self = shared_from_this();
    auto const& name = v.persistent_volume_claim->claim_name;
    auto const& ns = p.metadata.namespace_;
    std::filesystem::path folder = directory_of_claim(ns, name, owner_.options);
    kube::api<core::persistent_volume_claim> claims(owner_.client, ns);
    auto [ec, found] = co_await claims.async_get(name, await);
    if (is_not_found(ec) && folder.empty())
        co_return mount_failed(v.name, "persistentvolumeclaim \"" + name + "\" not found");
    if (ec && !is_not_found(ec)) co_return mount_failed(v.name, ec.message());
    // A bound claim without the name of a volume has a directory of its own, which it keeps.
    if (!ec && folder.empty() && (found.status.phase != "Bound" || !found.spec.volume_name.empty())) {
        if (auto why = co_await bind_claim(v.name, found); !why.empty() || host_paths_.contains(v.name)) co_return why;
    }
    if (!ec && found.status.phase != "Bound") {
        found.status.phase = "Bound";
        found.status.access_modes = found.spec.access_modes;
        found.status.capacity = found.spec.resources.requests;
        auto [unwritten, stored] = co_await claims.async_replace_status(found, await);
        (void)unwritten; // shown only; the next pod tries again
        (void)stored;
    }
    if (owner_.stopping) co_return "the pod is ending";
    if (folder.empty()) {
        folder = std::filesystem::path(owner_.options.directory) / "claims" / ns / name;
        auto failed = make_private_folder(folder.parent_path());
        if (!failed) failed = make_open_folder(folder);
        if (failed) co_return mount_failed(v.name, failed.message());
        give_to_group(folder, false);
    }
    elsewhere_[v.name] = folder;
    co_return std::string();
}

asio::awaitable<std::string> pod_volumes::set_up(pod const& p) {
    if (p.spec.security_context) group_ = p.spec.security_context->fs_group;
    for (auto const& v : p.spec.volumes) {
        std::string why;
        if (auto const ec = make_private_folder(volume_folder(owner_.options.directory, p, v.name).parent_path()))
            why = mount_failed(v.name, ec.message());
        else if (v.config_map)
            why = co_await show(p, v.name, *v.config_map, v.config_map->name, config_maps_);
        else if (v.secret)
            why = co_await show(p, v.name, *v.secret, v.secret->secret_name, secrets_);
        else if (v.projected)
            why = co_await project(p, v);
        else if (v.persistent_volume_claim)
            why = co_await claim(p, v);
        else if (v.downward_api) {
            auto const files = field_files(v.downward_api->items, v.downward_api->default_mode, p);
            why = write(volume_folder(owner_.options.directory, p, v.name), files);
            if (!why.empty()) why = mount_failed(v.name, why);
        } else if (v.host_path) {
            auto const path = prepare_host_path(*v.host_path, owner_.options);
            if (!path) why = mount_failed(v.name, path.error().detail.message);
        } else if (auto const failed = make_open_folder(volume_folder(owner_.options.directory, p, v.name)))
            why = mount_failed(v.name, failed.message());
        else
            give_to_group(volume_folder(owner_.options.directory, p, v.name), false);
        if (!why.empty()) co_return why;
    }
    co_return std::string();
}

asio::awaitable<std::string> pod_volumes::find_full_volume(pod p) const {
    constexpr std::int64_t block = 512;  // in bytes, of stat(2)
    constexpr std::size_t at_once = 256; // files, before others have their turn
    auto const self = shared_from_this();
    asio::steady_timer turn(owner_.client.get_executor());
    for (auto const& v : p.spec.volumes) {
        if (!v.empty_dir || v.empty_dir->medium == "Memory" || !v.empty_dir->size_limit) continue;
        auto const limit = v.empty_dir->size_limit->value();
        std::int64_t size = 0;
        std::size_t files = 0;
        std::error_code failed; // files come and go
        fs::recursive_directory_iterator at(volume_folder(owner_.options.directory, p, v.name),
                                            fs::directory_options::skip_permission_denied, failed);
        for (; !failed && at != fs::recursive_directory_iterator() && size <= limit; at.increment(failed)) {
            struct stat info{};
            if (::lstat(at->path().c_str(), &info) == 0)
                size += static_cast<std::int64_t>(info.st_blocks) * block /
                        std::max<std::int64_t>(static_cast<std::int64_t>(info.st_nlink), 1);
            if (++files % at_once != 0) continue;
            turn.expires_after(std::chrono::milliseconds(1));
            co_await turn.async_wait(await);
        }
        if (size > limit)
            co_return "Usage of EmptyDir volume \"" + v.name + "\" exceeds the limit \"" +
                v.empty_dir->size_limit->canonical() + "\". ";
    }
    co_return std::string();
}

/// Checks paths of the machine again, because containers may have put links into them.
result<real_path> pod_volumes::open_volume(pod const& p, core::volume const& v) const {
    if (v.host_path) return prepare_host_path(*v.host_path, owner_.options);
    if (auto const bound = host_paths_.find(v.name); bound != host_paths_.end())
        return prepare_host_path(bound->second, owner_.options);
    auto const other = elsewhere_.find(v.name);
    std::error_code failed;
    auto folder = open_real(
        other == elsewhere_.end() ? volume_folder(owner_.options.directory, p, v.name) : other->second, failed);
    if (failed) return unusable_mount("volume \"" + v.name + "\": " + failed.message());
    return folder;
}

result<std::vector<bind_mount>> pod_volumes::mounts_of(pod const& p, core::container const& c,
                                                       std::vector<std::string> const& env) const {
    std::vector<bind_mount> mounts;
    for (auto const& given : c.volume_mounts) {
        auto m = given;
        if (!m.sub_path_expr.empty()) {
            auto path = expand_sub_path(m.sub_path_expr, env);
            if (!path) return path.error();
            m.sub_path = *std::move(path);
        }
        auto const v = std::ranges::find(p.spec.volumes, m.name, &core::volume::name);
        if (v == p.spec.volumes.end()) return unusable_mount("the pod has no volume \"" + m.name + "\"");
        bool const written_here = v->config_map || v->secret || v->projected || v->downward_api;
        bool const read_only_claim = v->persistent_volume_claim && v->persistent_volume_claim->read_only;
        auto volume = open_volume(p, *v);
        if (!volume) return volume.error();
        auto const source = part_of(*std::move(volume), m, !written_here && !read_only_claim);
        if (!source) return source.error();
        mounts.emplace_back(source->path.string(), m.mount_path, m.read_only || written_here || read_only_claim);
        mounts.back().follows_links = false;
    }
    return mounts;
}

} // namespace kftrain::local
