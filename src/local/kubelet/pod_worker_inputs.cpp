#include "base/make_failure.hpp"
#include "local/kubelet/containers/container_command.hpp"
#include "local/kubelet/containers/container_security.hpp"
#include "local/kubelet/containers/termination_message.hpp"
#include "local/kubelet/pod_worker.hpp"
#include "local/kubelet/volumes/pod_files.hpp"

#include <kftrain/base/backoff.hpp>
#include <kftrain/kube/api.hpp>

#include <algorithm>

namespace kftrain::local {
namespace {

/// Of a volume that cannot be set up. @par Upstream kubernetes v1.31 `pkg/util/goroutinemap/exponentialbackoff`
constexpr std::chrono::milliseconds first_mount_pause{500};
constexpr std::chrono::milliseconds longest_mount_pause{122'000};

/// Variables of the pod win.
void add_variable(std::vector<std::string>& env, std::string const& name, std::string const& value) {
    auto const same = [&](std::string const& entry) { return entry.starts_with(name + "="); };
    if (std::ranges::none_of(env, same)) env.push_back(name + "=" + value);
}

} // namespace

/// Tries until all volumes are there, at once when an object that was missed comes; false if the pod goes first.
asio::awaitable<bool> pod_worker::make_volumes() {
    auto const weak = weak_from_this();
    std::function<void(std::string const&)> const trouble = [weak](std::string const& why) {
        if (auto const self = weak.lock()) self->warn("FailedMount", why);
    };
    std::function<void()> const changed = [weak] {
        auto const self = weak.lock();
        if (!self) return;
        ++self->volume_changes_;
        self->wake();
    };
    volumes_ = std::make_shared<pod_volumes>(owner_, trouble, changed);
    backoff pause(first_mount_pause, longest_mount_pause);
    while (!leaving() && !owner_.stopping) {
        auto const changes_before = volume_changes_;
        auto const why = co_await volumes_->set_up(pod_);
        if (leaving() || owner_.stopping) break;
        record_.trouble = why;
        if (why.empty()) co_return true;
        warn("FailedMount", why);
        record_.started = record_.started ? record_.started : owner_.now();
        co_await publish();
        if (!leaving() && changes_before == volume_changes_) co_await sleep(pause.next());
    }
    co_return false;
}

/// Reads those that are named; why that failed, or nothing.
template <class Object, class Map> asio::awaitable<std::string> pod_worker::read_objects(Map& objects) {
    kube::api<Object> all(owner_.client, pod_.metadata.namespace_);
    for (auto& [name, object] : objects) {
        auto [ec, found] = co_await all.async_get(name, await);
        if (ec && !is_not_found(ec))
            co_return std::string(Object::resource.kind).append(" \"").append(name).append("\": ") + ec.message();
        if (!ec) object = std::make_shared<Object const>(std::move(found));
    }
    co_return std::string();
}

asio::awaitable<result<container_process>>
pod_worker::describe_process(core::container const& spec, container_record const& record, ready_image const& image) {
    environment_sources sources;
    sources.pod_address = record_.address;
    sources.host_address = record_.host_address;
    add_references(spec, sources);
    auto why = co_await read_objects<core::config_map>(sources.config_maps);
    if (why.empty()) why = co_await read_objects<core::secret>(sources.secrets);
    if (!why.empty()) co_return make_failure(errc::invalid_argument, std::move(why));
    auto const* const config = image.has_config ? &image.config : nullptr;
    if (auto fault = fault_of_root(pod_, spec, image.config.user); !fault.empty())
        co_return make_failure(errc::invalid_argument, std::move(fault));
    auto command = command_of(pod_, spec, &sources, config);
    if (!command) co_return command.error();
    if (owner_.access && may_call_api(pod_)) {
        add_variable(command->env, "KUBERNETES_SERVICE_HOST", "10.244.0.1");
        add_variable(command->env, "KUBERNETES_SERVICE_PORT", "443");
        if (!owner_.kubectl.empty()) add_variable(command->env, "KFTRAIN_KUBECTL", owner_.kubectl);
    }
    auto mounts = volumes_->mounts_of(pod_, spec, command->env);
    if (!mounts) co_return mounts.error();
    container_process process;
    process.pod = id();
    process.container = process_name(spec, record);
    process.argv = std::move(command->argv);
    process.env = std::move(command->env);
    process.working_dir = spec.working_dir;
    if (process.working_dir.empty() && !image.root.empty()) process.working_dir = image.config.working_dir;
    if (process.working_dir.empty() && image.root.empty()) process.working_dir = owner_.options.working_directory;
    process.mounts = std::move(*mounts);
    if (owner_.access && may_call_api(pod_) && !image.root.empty())
        process.mounts.insert(process.mounts.begin(), account_mount(owner_.options.directory, pod_));
    process.rights = rights_of(pod_, spec, config);
    if (auto const at = spec.resources.limits.find("memory"); at != spec.resources.limits.end())
        process.limits.memory = at->second.value();
    if (auto const at = spec.resources.limits.find("cpu"); at != spec.resources.limits.end())
        process.limits.cpu = at->second.milli_value();
    auto const message = termination_message_path(spec, !image.root.empty());
    if (!message.empty() && owner_.node.mode() == isolation::namespaces) {
        auto const file = termination_file(owner_.options.directory, pod_, process.container);
        if (auto fault = make_termination_file(file); !fault.empty())
            co_return make_failure(errc::invalid_argument, std::move(fault));
        process.mounts.emplace_back(file.string(), message);
    }
    co_return process;
}

} // namespace kftrain::local
