#include "base/file_bytes.hpp"
#include "base/joined.hpp"
#include "cli/commands.hpp"
#include "cli/local/local_options.hpp"
#include "cli/local/local_state.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/kube/config.hpp>
#include <kftrain/kube/https_transport.hpp>
#include <kftrain/local/leftovers.hpp>
#include <kftrain/local/local_cluster.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/reflect.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <random>
#include <set>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace kftrain::cli {
namespace {

namespace asio = boost::asio;

logger to_log() {
    return logger([](log_level, std::string_view message, std::initializer_list<log_field> fields) {
        std::cerr << message;
        for (auto const& [key, value] : fields) std::cerr << ' ' << key << '=' << value;
        std::cerr << std::endl;
    });
}

/// Each watch needs a descriptor, and the usual limit of 1024 is low. Pods inherit the limit, so it is not raised
/// further than needed.
void allow_many_connections() {
    constexpr rlim_t wanted = 8192;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
    limit.rlim_cur = std::min(wanted, limit.rlim_max);
    ::setrlimit(RLIMIT_NOFILE, &limit); // on failure, fewer connections are possible
}

/// As those that mkdtemp() chooses.
std::string random_letters() {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    std::random_device system;
    std::uniform_int_distribution<std::size_t> place(0, letters.size() - 1);
    std::string out(6, ' ');
    for (char& c : out) c = letters[place(system)];
    return out;
}

/** Runs a local cluster as a server until SIGINT or SIGTERM. Holds `state` until the end. Calls `ready` once: with an
    empty text when the kubeconfig is written, or with the reason of a failure. */
int serve(local_options const& options, held_state& state, std::function<void(std::string const& why_not)> ready) {
    allow_many_connections();
    local::local_cluster_options o;
    // Chosen here, so that it is recorded for `local down`. The node creates it and marks it at once.
    auto const directory = "/tmp/kftrain-" + random_letters();
    static_cast<local::pod_options&>(o) = options.pods;
    o.directory = directory;
    o.mode = options.mode;
    o.rules = options.flags;
    o.nodes = options.nodes;
    o.simulate = options.simulate;
    o.data_directory = options.data_directory.string();
    o.node_resources = options.node_resources;
    o.logger = to_log();
    o.listen.emplace().port = options.port;
    o.listen->users = options.users;
    o.listen->user_certificates = options.user_certificates;

    asio::io_context context;
    local::local_cluster cluster(context, o);
    asio::signal_set signals(context, SIGINT, SIGTERM);
    asio::cancellation_signal stop;
    int exit = success;
    diagnostics detail;

    cluster.async_start(local::start_options().with_detail(detail), [&](error_code ec) {
        if (ec) {
            exit = cluster_failed;
            return ready(failure(ec, detail).to_string());
        }
        cluster.async_run(asio::bind_cancellation_slot(stop.slot(), [&](error_code ended) {
            if (!is_cancelled(ended)) {
                std::cerr << "the local cluster failed: " << ended.message() << std::endl;
                exit = cluster_failed;
            }
            signals.cancel();
        }));
        signals.async_wait([&](error_code cancelled, int) {
            if (!cancelled) stop.emit(asio::cancellation_type::terminal);
        });
        auto noted = state.write_kubeconfig(kube::to_kubeconfig(*cluster.config(), "kftrain", cluster.user_configs()));
        if (noted) noted = state.claim(directory);
        if (!noted) {
            exit = cluster_failed;
            ready(noted.error().to_string());
            return stop.emit(asio::cancellation_type::terminal);
        }
        if (!cluster.fallback_reason().empty())
            std::cerr << "pods run without a sandbox: " << cluster.fallback_reason() << '\n';
        ready({});
    });
    context.run();
    state.remove_kubeconfig();
    return exit;
}

/// Detaches the process from the terminal and sends its output to the log file.
void detach(int log) {
    ::setsid();
    int const null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(null, STDIN_FILENO);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
}

/// Quotes the text for a POSIX shell.
std::string shell_quoted(std::string const& text) {
    constexpr std::string_view plain = "/._-+:,@%=";
    if (std::ranges::all_of(text, [&](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || plain.find(c) != plain.npos;
        }))
        return text;
    std::string quoted = "'";
    for (char const c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

void print_how_to_reach(local_state const& state) {
    std::cout << "export KUBECONFIG=" << shell_quoted(state.kubeconfig().string()) << '\n' << "kubectl get pods";
    std::set<std::string_view> printed{"jobs"}; // those of the group batch
    for (auto const* kind : known_job_rules()) {
        auto const& of = *kind->primary().info;
        std::cout << ',' << of.plural;
        if (!printed.insert(of.plural).second) std::cout << '.' << of.version << '.' << of.group;
    }
    std::cout << "\nkubectl create -f FILE" << std::endl;
}

/// Ends a server that did not become ready; usually it has ended already.
void end_child(pid_t child) {
    constexpr int most_tries = 1000;
    ::kill(child, SIGTERM);
    for (int tries = 0; tries < most_tries; ++tries) {
        if (::waitpid(child, nullptr, WNOHANG) != 0) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
}

int up_in_background(local_options const& options, local_state const& state, held_state& held) {
    auto const log = held.open_log();
    if (!log) return complain_about(log.error());
    std::array<int, 2> ready{};
    if (::pipe2(ready.data(), O_CLOEXEC) != 0) return complain("cannot create a pipe"), cluster_failed;
    std::cout.flush();
    pid_t const child = ::fork();
    if (child < 0) return complain("cannot start a process"), cluster_failed;
    if (child == 0) {
        ::close(ready[0]);
        detach(log->get());
        int const code = serve(options, held, [&](std::string const& why_not) {
            write_all(ready[1], why_not);
            ::close(ready[1]);
        });
        ::_exit(code);
    }
    ::close(ready[1]);
    std::string why_not; // from the server; empty when it is ready
    read_all(ready[0], why_not);
    ::close(ready[0]);
    auto const standing = state.look();
    if (why_not.empty() && !standing) why_not = standing.error().to_string();
    if (why_not.empty() && !standing->server) why_not = "the server ended immediately; see " + state.log().string();
    if (!why_not.empty()) {
        complain(why_not);
        end_child(child);
        return cluster_failed;
    }
    std::cout << "local cluster is up, process " << child << '\n';
    print_how_to_reach(state);
    return success;
}

/// Prints the objects of a kind, one line each.
template <resource K> bool print_objects(kube::client const& client, auto describe) {
    auto objects = kube::api<K>::all_namespaces(client);
    diagnostics detail;
    auto const list = kube::run_blocking<object_list<K>>(client.get_executor(), detail, [&](auto h) {
        objects.async_list(kube::list_options().with_detail(detail), std::move(h));
    });
    if (!list)
        return complain("cannot list " + std::string(K::resource.plural) + ": " + list.error().to_string()), false;
    for (auto const& object : list->items)
        std::cout << "  " << K::resource.kind << ' ' << object.metadata.namespace_ << '/' << object.metadata.name
                  << "  " << describe(object) << '\n';
    return true;
}

bool print_jobs(kube::client const& client, rules::job_rules const& kind) {
    diagnostics detail;
    kube::call_options o;
    o.detail = &detail;
    auto const body = kube::run_blocking<std::string>(client.get_executor(), detail, [&](auto h) {
        client.async_call(kube::request::list(*kind.primary().info, ""), o, std::move(h));
    });
    if (!body) return complain(body.error().to_string()), false;
    std::vector<erased_object> items;
    if (auto const r = kind.primary().decode_list(*body, items); !r) return complain(r.error().to_string()), false;
    for (auto const& item : items) {
        auto const& meta = kind.primary().metadata(item.get());
        std::cout << "  " << kind.primary().info->kind << ' ' << meta.namespace_ << '/' << meta.name << "  "
                  << to_string(kind.phase(item.get())) << '\n';
    }
    return true;
}

} // namespace

int local_up(local_options const& options) {
    local_state const state(options.state_directory);
    auto const standing = state.look();
    if (!standing) return complain_about(standing.error());
    if (standing->server) {
        std::cout << "local cluster is already up, process " << standing->server->process.id().pid << '\n';
        print_how_to_reach(state);
        if (!options.given.empty())
            complain("no effect on the running cluster: " + joined(options.given, ", ") +
                     "; stop it with \"kftrain local down\" first");
        return success;
    }
    local::remove_leftovers();
    auto held = state.hold();
    if (!held) return complain_about(held.error());
    if (auto const written = held->write_images(to_json(options.pods.images)); !written)
        return complain_about(written.error());
    if (!options.foreground) return up_in_background(options, state, *held);
    return serve(options, *held, [&](std::string const& why_not) {
        if (!why_not.empty()) return complain(why_not);
        std::cout << "local cluster is up; press Ctrl-C to stop it\n";
        print_how_to_reach(state);
    });
}

int local_status(local_options const& options) {
    local_state const state(options.state_directory);
    auto const standing = state.look();
    if (!standing) return complain_about(standing.error());
    if (!standing->server) {
        std::cout << "no local cluster is up\n";
        return job_failed;
    }
    auto const text = state.read_kubeconfig();
    if (!text) return complain_about(text.error());
    auto const config = kube::parse_kubeconfig(*text, kube::kubeconfig_options().with_directory(state.directory()));
    if (!config) return complain(state.kubeconfig().string() + ": " + config.error().to_string()), cluster_failed;
    std::cout << "local cluster is up, process " << standing->server->process.id().pid << ", " << config->server
              << '\n';
    print_how_to_reach(state);

    asio::io_context context;
    auto transport = kube::make_https_transport(context.get_executor(), *config);
    if (!transport) return complain(transport.error().to_string()), cluster_failed;
    kube::client const client(*transport);
    for (auto const* kind : known_job_rules())
        if (!print_jobs(client, *kind)) return cluster_failed;
    bool const listed = print_objects<pod>(client, [](pod const& p) { return p.status.phase; });
    return listed ? success : cluster_failed;
}

} // namespace kftrain::cli
