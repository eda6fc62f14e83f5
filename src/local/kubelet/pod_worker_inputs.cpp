#include "local/kubelet/pod_worker.hpp"

#include "base/make_failure.hpp"
#include "local/kubelet/containers/container_command.hpp"
#include "local/kubelet/containers/container_security.hpp"
#include "local/kubelet/containers/termination_message.hpp"
#include "local/kubelet/volumes/pod_files.hpp"
#include "local/sandbox/mounts/open_without_links.hpp"

#include <kftrain/base/backoff.hpp>
#include <kftrain/kube/api.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <filesystem>

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

constexpr std::string_view pull_failed = "ErrImagePull";
/// How long ErrImagePull is reported before ImagePullBackOff.
constexpr std::chrono::milliseconds first_report{1000};

asio::awaitable<void> fetch(std::shared_ptr<image_store> images, image_source source,
                            std::shared_ptr<std::optional<result<ready_image>>> found) {
    try {
        result<ready_image> image = co_await images->get(std::move(source));
        found->emplace(std::move(image));
    } catch (std::exception const& e) {
        found->emplace(make_failure(errc::helper_failed, e.what()));
    }
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

/// Begins to probe the container that has just been started; null if it has no probes.
std::shared_ptr<container_prober> pod_worker::probe(core::container const& spec, container_record& record,
                                                    container_process const& started) {
    record.unstarted = spec.startup_probe.has_value();
    record.unready = spec.readiness_probe.has_value();
    if (!spec.startup_probe && !spec.liveness_probe && !spec.readiness_probe) return nullptr;
    container_prober::callbacks handlers;
    // `spec` and `record` live as long as the worker runs the container, and it stops the prober before that ends.
    handlers.judged = [this, &spec, &record](probe_kind kind, bool succeeded) {
        judged(kind, succeeded, spec, record);
    };
    handlers.noted = [this, &spec](probe_kind kind, probe_result const& r) {
        warn(r.success ? "ProbeWarning" : "Unhealthy",
             std::string(name_of(kind)) + (r.success ? " probe warning: " : " probe failed: ") + r.output, &spec);
    };
    auto prober = std::make_shared<container_prober>(owner_, started, spec, record_.address, std::move(handlers));
    probers_[&record] = prober;
    prober->start();
    return prober;
}

void pod_worker::judged(probe_kind kind, bool succeeded, core::container const& spec, container_record& record) {
    if (leaving()) return;
    bool changed = false;
    if (kind == probe_kind::readiness) changed = std::exchange(record.unready, !succeeded) == succeeded;
    if (kind == probe_kind::startup && succeeded) {
        changed = std::exchange(record.unstarted, false);
        wake(); // the next init container may wait for this start
    }
    if (kind != probe_kind::readiness && !succeeded) {
        auto const& failed = kind == probe_kind::startup ? spec.startup_probe : spec.liveness_probe;
        auto const grace = failed->termination_grace_period_seconds;
        warn("Killing",
             "Container " + spec.name + " failed " + (kind == probe_kind::startup ? "startup" : "liveness") +
                 " probe, will be restarted",
             &spec);
        if (auto const prober = probers_[&record].lock()) prober->end();
        stop_container(spec, moment_in(grace ? std::chrono::seconds(*grace) : usual_grace()), false);
    }
    if (!changed) return;
    asio::co_spawn(owner_.client.get_executor(), publish(),
                   [self = shared_from_this(), kept = owner_.shared_from_this()](std::exception_ptr e) {
                       if (e) self->break_down("the status could not be written");
                   });
}

asio::awaitable<result<ready_image>> pod_worker::pull(core::container const& spec) {
    auto const source = source_of_image(spec.image, owner_.options);
    if (!source) co_return source.error();
    // A pod may leave meanwhile. The image is then there for the next one.
    auto const found = std::make_shared<std::optional<result<ready_image>>>();
    asio::co_spawn(owner_.client.get_executor(), fetch(owner_.images, *source, found),
                   [weak = weak_from_this()](std::exception_ptr) {
                       if (auto const self = weak.lock()) self->wake();
                   });
    while (!*found && !leaving() && !owner_.stopping) co_await sleep(std::chrono::hours(1));
    if (!*found) co_return make_failure(errc::ended, "the pod is ending");
    co_return std::move(**found);
}

/// @par Upstream kubernetes v1.32 `pkg/kubelet/images/image_manager.go`, `EnsureImageExists`
pod_worker::attempt pod_worker::not_pulled(core::container const& spec, container_record& record,
                                           std::string const& why) {
    warn("Failed", "Failed to pull image \"" + spec.image + "\": " + why, &spec);
    warn("Failed", "Error: " + std::string(pull_failed), &spec);
    record.state = core::container_state();
    auto& waiting = record.state.waiting.emplace();
    waiting.reason = pull_failed;
    waiting.message = why;
    return attempt::not_created;
}

asio::awaitable<void> pod_worker::back_off_pull(core::container const& spec, container_record& record,
                                                std::chrono::milliseconds delay) {
    auto const& waiting = record.state.waiting;
    if (!waiting || waiting->reason != pull_failed || delay < first_report) {
        co_await rest(delay);
        co_return;
    }
    co_await rest(first_report);
    if (leaving()) co_return;
    auto const text = "Back-off pulling image \"" + spec.image + "\"";
    note("Normal", "BackOff", text, &spec);
    warn("Failed", "Error: ImagePullBackOff", &spec);
    auto why = text + ": " + std::string(pull_failed) + ": " + waiting->message;
    record.state.waiting->reason = "ImagePullBackOff";
    record.state.waiting->message = std::move(why);
    co_await publish();
    co_await rest(delay - first_report);
}

std::string pod_worker::give_root(core::container const& spec, container_process& process,
                                  ready_image const& image) const {
    if (image.root.empty()) return {};
    auto const layer = layer_folder(owner_.options.directory, pod_, process.container);
    std::error_code failed;
    std::filesystem::create_directories(layer, failed);
    if (failed) return "cannot create the directory " + layer.string() + ": " + failed.message();
    auto& root = process.root.emplace();
    root.lower = image.root;
    root.layer = layer.string();
    root.read_only = has_read_only_root(spec);
    return {};
}

void pod_worker::remove_layer(container_process const& process) const {
    if (process.root) sandbox::remove_tree(process.root->layer);
}

} // namespace kftrain::local
