#include "base/make_failure.hpp"
#include "local/dns/pod_names.hpp"
#include "local/kubelet/containers/container_command.hpp"
#include "local/kubelet/containers/container_exec.hpp"
#include "local/kubelet/containers/container_security.hpp"
#include "local/kubelet/containers/missing_program.hpp"
#include "local/kubelet/containers/termination_message.hpp"
#include "local/kubelet/pod_report.hpp"
#include "local/kubelet/pod_worker.hpp"
#include "local/kubelet/volumes/pod_files.hpp"
#include "local/sandbox/mounts/open_without_links.hpp"
#include "local/sandbox/system.hpp"

#include <kftrain/base/backoff.hpp>
#include <kftrain/kube/api.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace kftrain::local {
namespace {

bool is_transient(error_code ec) {
    return ec.category() == boost::system::system_category() && sandbox::is_shortage(ec.value());
}

/// The volumes of the pod that are kept in memory.
std::vector<memory_mount> memory_of(std::string const& directory, pod const& p) {
    std::vector<memory_mount> all;
    for (auto const& v : p.spec.volumes) {
        if (!v.empty_dir || v.empty_dir->medium != "Memory") continue;
        auto& one = all.emplace_back();
        one.path = volume_folder(directory, p, v.name).string();
        if (v.empty_dir->size_limit) one.size = v.empty_dir->size_limit->value();
        // The single group of a user namespace is 0.
        if (::geteuid() == 0 && p.spec.security_context) one.group = p.spec.security_context->fs_group.value_or(0);
    }
    return all;
}

/// Whatever ends the wait for a container, its probes end with it.
class probing {
public:
    explicit probing(std::shared_ptr<container_prober> p) : prober_(std::move(p)) {}
    probing(probing const&) = delete;
    probing& operator=(probing const&) = delete;
    ~probing() {
        if (prober_) prober_->stop();
    }

private:
    std::shared_ptr<container_prober> prober_;
};

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

/// Tries until it is there; false if the pod goes first.
asio::awaitable<bool> pod_worker::make_sandbox() {
    backoff pause(restart_delay(1), restart_delay(99));
    record_.started = owner_.now();
    while (!leaving() && !owner_.stopping) {
        std::string why;
        error_code const ec = co_await try_sandbox(why);
        if (!ec) {
            sandboxed_ = true;
            record_.address = *address_;
            record_.host_address = owner_.node.mode() == isolation::namespaces ? "10.244.0.1" : "127.0.0.1";
            record_.trouble.clear();
            co_await publish();
            co_return !leaving();
        }
        owner_.node_failed(ec);
        if (leaving() || owner_.stopping) co_return false;
        record_.trouble = "Failed to create pod sandbox: " + why;
        warn("FailedCreatePodSandBox", record_.trouble);
        co_await publish();
        co_await rest(pause.next());
    }
    co_return false;
}

asio::awaitable<error_code> pod_worker::try_sandbox(std::string& why) {
    if (!address_) address_ = owner_.addresses.take();
    if (!address_) {
        why = "all addresses of the node are in use";
        co_return error_code(EADDRNOTAVAIL, boost::system::system_category());
    }
    pod_sandbox box;
    box.id = id();
    box.hostname = host_name_of(pod_);
    box.address = *address_;
    diagnostics detail;
    error_code ec;
    box.memory = memory_of(owner_.options.directory, pod_);
    if (owner_.node.mode() == isolation::namespaces) ec = write_pod_files(owner_.options.directory, pod_, box);
    if (!ec && owner_.access && may_call_api(pod_)) {
        ec = write_account(owner_.options.directory, pod_, *owner_.access);
        box.mounts.push_back(account_mount(owner_.options.directory, pod_));
    }
    if (ec) {
        why = "cannot write the files of the pod: " + ec.message();
        co_return ec;
    }
    auto [created] = co_await owner_.node.async_create_pod(box, &detail, await);
    why = detail.message.empty() ? created.message() : detail.message;
    co_return created;
}

/// One attempt, in which something may be thrown, as for lack of memory.
asio::awaitable<pod_worker::attempt> pod_worker::run_once(core::container const& spec, container_record& record) {
    auto const begun = owner_.now();
    std::string thrown;
    try {
        attempt const result = co_await try_container(spec, record);
        co_return result;
    } catch (std::exception const& e) {
        thrown = e.what();
    }
    owner_.options.logger(log_level::error, "container lost",
                          {{"pod", pod_.metadata.name}, {"container", spec.name}, {"error", thrown}});
    auto const name = process_name(spec, record);
    starting_.erase(spec.name);
    if (running_.erase(name) == 0)
        co_return not_created(spec, record, "CreateContainerError", "the kubelet failed: " + thrown);
    // The container runs without a coroutine that waits for it.
    processes_.erase(spec.name);
    owner_.logs->end_runs(id(), spec.name);
    owner_.node.async_signal(id(), name, SIGKILL, nullptr, asio::detached);
    record.state = core::container_state();
    record.state.terminated = terminated(0, SIGKILL, begun, owner_.now());
    record.state.terminated->reason = "ContainerStatusUnknown";
    record.state.terminated->message = "the kubelet failed: " + thrown;
    warn("Failed", "Error: container " + spec.name + ": the kubelet failed: " + thrown, &spec);
    co_return attempt::ended;
}

container_process const* pod_worker::find_process(std::string const& container) const {
    auto const at = processes_.find(container);
    return at == processes_.end() ? nullptr : &at->second;
}

std::string pod_worker::process_name(core::container const& spec, container_record const& record) {
    return spec.name + (record.runs == 0 ? "" : "." + std::to_string(record.runs));
}

pod_worker::attempt pod_worker::not_created(core::container const& spec, container_record& record,
                                            std::string_view reason, std::string why) {
    warn("Failed", "Error: container " + spec.name + ": " + why, &spec);
    record.state = core::container_state();
    auto& waiting = record.state.waiting.emplace();
    waiting.reason = reason;
    waiting.message = std::move(why);
    return attempt::not_created;
}

/// Reports a program that the script of a container runs and that does not exist, as the script alone would rarely do.
/// Returns a sentence about it, or about the command of the container: this may exist in a volume.
std::string pod_worker::note_missing_program(core::container const& spec, container_process const& process) {
    auto const source = source_of_image(spec.image, owner_.options);
    if (source && source->has_root()) return {}; // the programs of this machine do not count
    auto const program =
        missing_program(process.argv, [&](std::string const& p) { return is_on_this_machine(p, process.env); });
    auto text = program.empty() ? std::string() : missing_program_message(spec.name, program);
    bool const in_script = !program.empty() && program != process.argv.front();
    if (in_script) warn("ProgramNotFound", text, &spec);
    if (is_init_container(spec)) record_.trouble = in_script ? text : std::string();
    return text;
}

bool pod_worker::is_init_container(core::container const& c) const {
    return std::ranges::find(pod_.spec.init_containers, c.name, &core::container::name) !=
           pod_.spec.init_containers.end();
}

sandbox::unique_fd pod_worker::make_input(core::container const& spec) {
    inputs_.erase(spec.name);
    if (!spec.stdin && !spec.tty) return {};
    terminal ends;
    if (spec.tty) {
        ends = terminal::open();
    } else {
        std::array<int, 2> pipe{};
        sandbox::check(::pipe2(pipe.data(), O_CLOEXEC), "make a pipe for the standard input");
        ends.theirs.reset(pipe[0]);
        ends.ours.reset(pipe[1]);
    }
    auto& input = inputs_[spec.name];
    input.end = std::move(ends.ours);
    input.accepts_clients = spec.stdin;
    input.closes_with_client = spec.stdin_once;
    input.is_terminal = spec.tty;
    return std::move(ends.theirs);
}

/// Starts a container and waits for its end.
asio::awaitable<pod_worker::attempt> pod_worker::try_container(core::container const& spec, container_record& record) {
    if (owner_.stopping) co_return attempt::lost; // no file may come into a directory that is gone
    // Until the container has ended, the image stays in the store.
    result<ready_image> const image = co_await pull(spec);
    if (leaving() || owner_.stopping) co_return attempt::lost;
    if (!image) {
        auto why = image.error().detail.message;
        if (image.error().code != errc::invalid_argument) why += may_pass_text;
        co_return not_pulled(spec, record, why);
    }
    auto described = co_await describe_process(spec, record, *image);
    if (leaving() || owner_.stopping) co_return attempt::lost;
    if (!described) co_return not_created(spec, record, "CreateContainerConfigError", described.error().to_string());
    container_process process = std::move(*described);
    std::string const name = process.container;
    if (process.argv.empty())
        co_return not_created(spec, record, "CreateContainerError",
                              "no command specified: neither the container nor its image " + spec.image + " has one");
    auto const missing = note_missing_program(spec, process);
    if (auto why = give_root(spec, process, *image); !why.empty())
        co_return not_created(spec, record, "CreateContainerError", std::move(why));
    auto const log = owner_.logs->begin(pod_, spec.name, record.runs);
    error_code unopened;
    auto output = log->open_folder(unopened);
    if (unopened)
        co_return not_created(spec, record, "CreateContainerError",
                              "cannot open the directory of the log " + log->folder().string() + ": " +
                                  unopened.message());
    process.output_fd = output.get();
    process.log = owner_.options.logs;
    sandbox::unique_fd input;
    std::string no_input;
    try {
        input = make_input(spec);
    } catch (std::system_error const& e) {
        no_input = e.what();
    }
    if (!no_input.empty()) co_return not_created(spec, record, "CreateContainerError", std::move(no_input));
    process.input_fd = input.get();
    process.has_terminal = spec.tty;
    if (spec.tty) process.error_fd = inputs_[spec.name].end.get();
    if (spec.tty) add_terminal_type(process.env);

    diagnostics why;
    starting_.insert(spec.name);
    auto [started] = co_await owner_.node.async_start_container(process, &why, await);
    starting_.erase(spec.name);
    output.reset();
    input.reset();
    if (started) {
        inputs_.erase(spec.name);
        wake(); // sidecars may wait for this end
        owner_.node_failed(started);
        if (killed_ || owner_.stopping) co_return attempt::lost;
        remove_layer(process);
        auto text = why.message.empty() ? started.message() : why.message;
        if (!missing.empty()) text += "; " + missing;
        if (is_transient(started)) co_return not_created(spec, record, "CreateContainerError", std::move(text));
        warn("Failed", "Error: " + text, &spec);
        log->end();
        record.restarts = record.runs;
        record.state = core::container_state();
        record.state.terminated = terminated(128, 0, std::nullopt, owner_.now());
        record.state.terminated->reason = "StartError";
        record.state.terminated->message = std::move(text);
        co_return attempt::ended;
    }
    owner_.note_unlimited();
    running_.insert(name);
    record.restarts = record.runs;
    auto const begun = owner_.now();
    // Commands that run beside it get descriptors of their own.
    process.log.reset();
    process.output_fd = process.input_fd = process.error_fd = -1;
    process.has_terminal = false;
    processes_[spec.name] = process;
    if (killed_)
        owner_.node.async_signal(id(), name, SIGKILL, nullptr, asio::detached);
    else if (leaving())
        stop_container(spec, stop_by_.value_or(std::chrono::steady_clock::now()), true);
    bool const hooked = co_await run_post_start(spec, name);
    record.state = core::container_state();
    record.state.running.emplace().started_at = begun;
    std::shared_ptr<container_prober> prober;
    if (hooked) prober = probe(spec, record, process);
    record.unstarted = record.unstarted || !hooked;
    probing const probes(std::move(prober));
    wake(); // the next init container may wait for this start
    co_await publish();

    auto [ec, status] = co_await owner_.node.async_wait(id(), name, &why, await);
    running_.erase(name);
    stops_.erase(name);
    processes_.erase(spec.name);
    log->end();
    owner_.node_failed(ec);
    if (ec) co_return attempt::lost;
    remove_layer(process);
    record.state = core::container_state();
    record.state.terminated = terminated(status.code, status.signal, begun, owner_.now());
    // As with containerd, whatever process was killed, and whatever exit code the container has.
    if (status.out_of_memory) record.state.terminated->reason = "OOMKilled";
    auto const message = termination_file(owner_.options.directory, pod_, name);
    record.state.terminated->message =
        termination_message(spec, record.state.terminated->exit_code != 0, message, log->folder());
    std::error_code ignored;
    std::filesystem::remove(message, ignored);
    co_return attempt::ended;
}

void pod_worker::note(std::string_view type, std::string_view reason, std::string const& message,
                      core::container const* about) {
    if (killed_ || owner_.stopping) return;
    auto to = reference_to_pod(pod_.metadata);
    if (about != nullptr) {
        to.field_path =
            std::string(is_init_container(*about) ? "spec.initContainers{" : "spec.containers{") + about->name + "}";
    }
    owner_.events.record(to, type, reason, message);
}

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
