#include "local/sandbox/node_init.hpp"

#include "local/sandbox/channel.hpp"
#include "local/sandbox/containers/container.hpp"
#include "local/sandbox/containers/container_log.hpp"
#include "local/sandbox/containers/control_groups.hpp"
#include "local/sandbox/mounts/mounts.hpp"
#include "local/sandbox/netlink.hpp"
#include "local/sandbox/processes.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <poll.h>
#include <set>
#include <signal.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

namespace kftrain::local::sandbox {
namespace {

namespace json = boost::json;

class pod_init {
public:
    pod_init(int channel, bool namespaces, int requests)
        : channel_(channel), namespaces_(namespaces), requests_(requests) {
        if (!namespaces_) adopt_orphans();
        sigset_t child;
        ::sigemptyset(&child);
        ::sigaddset(&child, SIGCHLD);
        ::sigprocmask(SIG_BLOCK, &child, nullptr);
        ::signal(SIGXFSZ, SIG_IGN); // a limit of file sizes shows as a write that fails
        signals_.reset(check(::signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK), "watch child processes"));
    }

    void run() {
        while (!done_) {
            std::vector<pollfd> watched{pollfd{channel_, POLLIN, 0}, pollfd{signals_.get(), POLLIN, 0}};
            for (auto const& [pid, log] : logs_) watched.push_back(pollfd{log.reader(), POLLIN, 0});
            if (::poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) fail("wait for messages");
            std::size_t at = 2;
            for (auto& [pid, log] : logs_)
                if (watched[at++].revents != 0) log.keep_some();
            if (watched[1].revents != 0) {
                signalfd_siginfo info{};
                while (::read(signals_.get(), &info, sizeof info) > 0) {}
                reap();
            }
            if (watched[0].revents != 0) {
                datagram message;
                if (receive(channel_, message) == transfer::closed) break;
                answer(message);
            }
        }
        kill_all();
    }

private:
    void answer(datagram& message) {
        json::object reply{{"id", message.body["id"]}};
        try {
            if (message.cut) throw std::system_error(EMFILE, std::generic_category(), "receive a request");
            auto const what = text_of(message.body, "request");
            if (what == "socket") {
                auto const socket = open_socket(message.body);
                int const fd = socket.get();
                reply["ok"] = true;
                send(channel_, reply, {&fd, 1});
                return;
            }
            handle(what, message, reply);
            reply["ok"] = true;
        } catch (std::system_error const& e) {
            reply["error"] = e.what();
            reply["errno"] = e.code().value();
        } catch (failed_step const& e) {
            reply["error"] = e.what();
            if (e.error() != 0) reply["errno"] = e.error();
        } catch (std::exception const& e) {
            reply["error"] = e.what();
        }
        if (!done_) send(channel_, reply); // a removal is answered by the node, once this process is gone
    }

    void handle(std::string const& what, datagram& message, json::object& reply) {
        if (what == "create_pod") return create(message.body);
        if (what == "start_container") return start(message, reply);
        if (what == "signal") return signal(message.body);
        if (what != "remove_pod") throw std::invalid_argument("unknown request \"" + what + "\"");
        done_ = true;
    }

    void create(json::object const& body) {
        if (!namespaces_) return;
        auto const host_name = text_of(body, "hostname");
        check(::sethostname(host_name.data(), host_name.size()), "set host name \"" + host_name + "\"");
        make_mounts_private();
        auto binds = binds_of(body);
        for (auto const& [member, target] : {std::pair{"hosts", "/etc/hosts"}, {"resolv_conf", "/etc/resolv.conf"}}) {
            bind_request one;
            one.source = text_of(body, member);
            one.target = target;
            if (!one.source.empty()) binds.push_back(std::move(one));
        }
        bind_plan plan(std::move(binds));
        mount_proc();
        mount_pod_file_systems();
        mount_memory(body);
        plan.apply(mount_point_link(requests_, text_of(body, "pod")));
        netlink network;
        network.set_up("lo");
        network.add_address("eth0", to_ipv4(text_of(body, "address"), "pod address"), pod_prefix_length);
        network.set_up("eth0");
        network.add_default_route(to_ipv4(bridge_address, "bridge address"));
    }

    void start(datagram& message, json::object& reply) {
        auto const name = text_of(message.body, "container");
        if (find(name) != running_.end()) throw std::invalid_argument("container \"" + name + "\" is already running");
        if (message.fds.empty())
            throw std::invalid_argument("container \"" + name + "\": expected an output descriptor");
        pod_ = text_of(message.body, "pod");
        pid_t joined = 0;
        if (message.body.contains("join")) {
            auto const other = text_of(message.body, "join");
            auto const running = find(other);
            if (running == running_.end()) throw std::invalid_argument("container \"" + other + "\" is not running");
            joined = running->first;
        }
        auto const group = enter_group(name, message.body, reply);
        bool const limited = message.body.contains("limits");
        container_streams streams;
        if (!message.body.contains("log_files")) {
            streams.output = message.fds[0].get();
            if (message.fds.size() == 3) {
                streams.input = message.fds[1].get();
                streams.error = message.fds[2].get();
            }
            auto const started = start_in(group, name, message.body, streams, joined);
            running_[started.program] = {name, started.init, limited};
            return;
        }
        unique_fd terminal; // our end
        if (message.fds.size() == 3) terminal = std::move(message.fds[2]);
        container_log log(std::move(message.fds.front()), number_of(message.body, "log_file_size"),
                          number_of(message.body, "log_files"), std::move(terminal));
        if (message.fds.size() > 1) streams.input = message.fds[1].get();
        streams.output = log.writer() < 0 ? streams.input : log.writer();
        auto const started = start_in(group, name, message.body, streams, joined);
        log.close_writer();
        logs_.emplace(started.program, std::move(log));
        running_[started.program] = {name, started.init, limited};
    }

    control_group_link::entry enter_group(std::string const& container, json::object const& request,
                                          json::object& reply) const {
        control_group_link const groups(requests_, pod_);
        if (request.contains("join_limits")) return groups.join(text_of(request, "join_limits"));
        if (!request.contains("limits")) return control_group_link::entry();
        auto made = groups.make(container, request.at("limits").as_object());
        if (!made.fault.empty()) reply["unlimited"] = made.fault;
        return made;
    }

    started_container start_in(control_group_link::entry const& group, std::string const& name,
                               json::object const& request, container_streams streams, pid_t joined) const {
        try {
            return start_container(request, streams, namespaces_, requests_, joined, group.processes);
        } catch (std::exception const&) {
            if (request.contains("limits")) end_group(name);
            throw;
        }
    }

    /// Ends the control group of a container. Returns whether the kernel killed a process in it.
    bool end_group(std::string const& container) const {
        try {
            return control_group_link(requests_, pod_).end(container);
        } catch (std::exception const&) {
            return false; // without a supervisor the node ends as well
        }
    }

    void signal(json::object const& body) {
        auto const name = text_of(body, "container");
        auto const container = find(name);
        if (container == running_.end()) throw std::invalid_argument("container \"" + name + "\" is not running");
        auto const number = static_cast<int>(number_of(body, "signal"));
        check(::kill(container->first, number), "signal container \"" + name + "\"");
        // The processes above the program must end with it, even if they were stopped.
        if (number == SIGKILL) ::kill(container->second.init, SIGCONT);
    }

    void report(pid_t pid, int status) {
        auto const container = running_.find(pid);
        if (container == running_.end()) return;
        // Before the end is known, so that who reads the log then finds all of it.
        if (auto const log = logs_.find(pid); log != logs_.end()) {
            log->second.finish();
            logs_.erase(log);
        }
        json::object exited{{"pod", pod_}, {"container", container->second.name}};
        if (WIFSIGNALED(status))
            exited["signal"] = WTERMSIG(status);
        else
            exited["code"] = WEXITSTATUS(status);
        if (container->second.limited && end_group(container->second.name)) exited["out_of_memory"] = true;
        running_.erase(container);
        send(channel_, json::object{{"exited", std::move(exited)}});
    }

    void reap() {
        std::map<pid_t, int> ended;
        std::set<pid_t> killed;
        // Again after each kill: when the end of a container is reported, none of its processes waits to be reaped.
        for (bool strays = true; strays;) {
            int status = 0;
            for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) ended[pid] = status;
            std::set<pid_t> inits;
            strays = false;
            for (auto const& [program, container] : running_) {
                auto const init = ended.find(container.init);
                if (init == ended.end()) {
                    inits.insert(container.init);
                } else if (init->second != 0 && killed.insert(container.init).second) {
                    // The init process was killed, and its program with it; other descendants became children here.
                    strays = true;
                    if (ended.contains(program)) continue;
                    ::kill(program, SIGKILL);
                    // The code that killed processes of another container may have reaped this one.
                    if (::waitpid(program, &status, 0) != program) status = SIGKILL;
                    ended[program] = status;
                }
            }
            if (strays) kill_below(inits);
        }
        for (auto const& [pid, how] : ended) report(pid, how);
    }

    void kill_all() {
        if (namespaces_) {
            ::kill(-1, SIGKILL); // everything in this PID namespace but ourselves
        } else {
            for (auto const& [program, container] : running_) {
                ::kill(program, SIGKILL);
                ::kill(container.init, SIGKILL);
            }
        }
        int status = 0;
        while (namespaces_ || !running_.empty()) {
            auto const pid = ::waitpid(-1, &status, 0);
            if (pid < 0) break;
            report(pid, status);
        }
        if (!namespaces_) kill_descendants();
    }

    struct start_record {
        std::string name;
        pid_t init = 0; ///< between us and the program
        bool limited = false;
    };
    using starts = std::map<pid_t, start_record>; ///< by process id of the program

    starts::const_iterator find(std::string const& name) const {
        return std::find_if(running_.begin(), running_.end(), [&](auto const& c) { return c.second.name == name; });
    }

    int channel_;
    bool namespaces_;
    int requests_; ///< to the supervisor
    bool done_ = false;
    unique_fd signals_;
    std::string pod_;
    starts running_;
    std::map<pid_t, container_log> logs_; ///< by process id of the program, too
};

} // namespace

void run_pod_init(int channel, bool namespaces, int requests) {
    try {
        if (namespaces) check(::prctl(PR_SET_PDEATHSIG, SIGKILL), "die with the node");
        close_others({channel, requests});
        pod_init(channel, namespaces, requests).run();
    } catch (std::exception const&) {
        ::_exit(1); // the node reports that this process ended
    }
    ::_exit(0);
}

} // namespace kftrain::local::sandbox
