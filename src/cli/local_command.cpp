#include "cli/commands.hpp"
#include "cli/local_server.hpp"
#include "cli/local_state.hpp"

#include <kftrain/kinds/registry.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/kube/config.hpp>
#include <kftrain/kube/https_transport.hpp>

#include <boost/asio/io_context.hpp>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <iostream>
#include <thread>

namespace kftrain::cli {
namespace {

namespace asio = boost::asio;

constexpr std::chrono::seconds stop_limit{30};

/// Becomes a server of its own: no terminal, output to the log file.
void detach(local_state const& state) {
    ::setsid();
    int const null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    int const log = ::open(state.log().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ::dup2(null, STDIN_FILENO);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
}

/// What the server says when it is ready, or why it is not.
std::string read_all(int fd) {
    std::string text;
    std::array<char, 512> piece{};
    for (ssize_t n = 0; (n = ::read(fd, piece.data(), piece.size())) > 0;)
        text.append(piece.data(), static_cast<std::size_t>(n));
    return text;
}

void print_how_to_reach(local_state const& state) {
    std::cout << "export KUBECONFIG=" << state.kubeconfig().string() << '\n' << "kubectl get pods";
    for (auto const* kind : job_kinds()) std::cout << ',' << kind->resource->plural;
    std::cout << std::endl;
}

int up_in_background(local_options const& options, local_state const& state, int lock) {
    std::array<int, 2> ready{};
    if (::pipe2(ready.data(), O_CLOEXEC) != 0) return complain("cannot make a pipe"), cluster_failed;
    std::cout.flush();
    pid_t const child = ::fork();
    if (child < 0) return complain("cannot start a process"), cluster_failed;
    if (child == 0) {
        ::close(ready[0]);
        detach(state);
        int const code = serve(options, state, lock, [&](std::string const& why_not) {
            [[maybe_unused]] auto const n = ::write(ready[1], why_not.data(), why_not.size());
            ::close(ready[1]);
        });
        ::_exit(code);
    }
    ::close(ready[1]);
    std::string const why_not = read_all(ready[0]);
    ::close(ready[0]);
    if (!why_not.empty() || !state.server()) {
        complain(why_not.empty() ? "the server ended at once; see " + state.log().string() : why_not);
        ::waitpid(child, nullptr, 0);
        return cluster_failed;
    }
    std::cout << "local cluster is up, process " << child << '\n';
    print_how_to_reach(state);
    return success;
}

/// Prints a kind's objects, one line each.
template <resource K> bool print_objects(kube::client const& client, auto describe) {
    auto objects = kube::api<K>::all_namespaces(client);
    diagnostics detail;
    auto const list = kube::run_blocking<object_list<K>>(client.get_executor(), detail, [&](auto h) {
        kube::call_options o;
        o.detail = &detail;
        objects.async_list(kube::list_params(), o, std::move(h));
    });
    if (!list)
        return complain("cannot list " + std::string(K::resource.plural) + ": " + list.error().to_string()), false;
    for (auto const& object : list->items)
        std::cout << "  " << K::resource.kind << ' ' << object.metadata.namespace_ << '/' << object.metadata.name
                  << "  " << describe(object) << '\n';
    return true;
}

bool print_jobs(kube::client const& client, job_kind const& kind) {
    diagnostics detail;
    kube::call_options o;
    o.detail = &detail;
    auto const body = kube::run_blocking<std::string>(client.get_executor(), detail, [&](auto h) {
        kube::client(client).start(std::move(h), kube::request::list(*kind.resource, ""), o);
    });
    if (!body) return complain(body.error().to_string()), false;
    std::vector<erased_object> items;
    if (auto const r = kind.objects->decode_list(*body, items); !r) return complain(r.error().to_string()), false;
    for (auto const& item : items) {
        auto const& meta = kind.objects->metadata(item.get());
        std::cout << "  " << kind.resource->kind << ' ' << meta.namespace_ << '/' << meta.name << "  "
                  << to_string(kind.phase(item.get())) << '\n';
    }
    return true;
}

} // namespace

int local_up(local_options const& options) {
    local_state const state(options.state_directory);
    if (auto const pid = state.server()) {
        std::cout << "local cluster is up already, process " << *pid << '\n';
        print_how_to_reach(state);
        return success;
    }
    auto const lock = state.lock();
    if (!lock) return complain(lock.error().to_string()), cluster_failed;
    if (!options.foreground) return up_in_background(options, state, *lock);
    return serve(options, state, *lock, [&](std::string const& why_not) {
        if (!why_not.empty()) return complain(why_not);
        std::cout << "local cluster is up; Ctrl-C ends it\n";
        print_how_to_reach(state);
    });
}

int local_down(local_options const& options) {
    local_state const state(options.state_directory);
    auto const start_limit = std::chrono::steady_clock::now() + stop_limit;
    while (state.starting() && std::chrono::steady_clock::now() < start_limit)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    auto const pid = state.server();
    if (!pid) {
        std::cout << "no local cluster is up\n";
        return success;
    }
    ::kill(*pid, SIGTERM);
    auto const limit = std::chrono::steady_clock::now() + stop_limit;
    while (state.server() == pid) {
        if (std::chrono::steady_clock::now() > limit) {
            complain("process " + std::to_string(*pid) + " did not end within " + std::to_string(stop_limit.count()) +
                     " s");
            return cluster_failed;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    std::cout << "local cluster is down\n";
    return success;
}

int local_status(local_options const& options) {
    local_state const state(options.state_directory);
    auto const pid = state.server();
    if (!pid) {
        std::cout << "no local cluster is up\n";
        return job_failed;
    }
    auto const config = kube::load_kubeconfig(state.kubeconfig());
    if (!config) return complain(config.error().to_string()), cluster_failed;
    std::cout << "local cluster is up, process " << *pid << ", " << config->server << '\n';
    print_how_to_reach(state);

    asio::io_context context;
    auto transport = kube::make_https_transport(context.get_executor(), *config);
    if (!transport) return complain(transport.error().to_string()), cluster_failed;
    kube::client const client(*transport);
    for (auto const* kind : job_kinds())
        if (!print_jobs(client, *kind)) return cluster_failed;
    bool const listed = print_objects<pod>(client, [](pod const& p) { return p.status.phase; });
    return listed ? success : cluster_failed;
}

} // namespace kftrain::cli
