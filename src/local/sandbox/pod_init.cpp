#include "pod_init.hpp"

#include "channel.hpp"
#include "container.hpp"
#include "container_log.hpp"
#include "mounts.hpp"
#include "netlink.hpp"
#include "network.hpp"
#include "processes.hpp"

#include <array>
#include <map>
#include <optional>
#include <poll.h>
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
    pod_init(int channel, bool namespaces) : channel_(channel), namespaces_(namespaces) {
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
            handle(text_of(message.body, "request"), message);
            reply["ok"] = true;
        } catch (std::system_error const& e) {
            reply["error"] = e.what();
            reply["errno"] = e.code().value();
        } catch (std::exception const& e) {
            reply["error"] = e.what();
        }
        if (!done_) send(channel_, reply); // a removal is answered by the node, once this process is gone
    }

    void handle(std::string const& what, datagram& message) {
        if (what == "create_pod") return create(message.body);
        if (what == "start_container") return start(message);
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
        plan.apply();
        netlink network;
        network.set_up("lo");
        network.add_address("eth0", to_ipv4(text_of(body, "address"), "pod address"), pod_prefix_length);
        network.set_up("eth0");
        network.add_default_route(to_ipv4(bridge_address, "bridge address"));
    }

    void start(datagram& message) {
        auto const name = text_of(message.body, "container");
        for (auto const& [pid, running] : running_)
            if (running == name) throw std::invalid_argument("container \"" + name + "\" is running already");
        if (message.fds.empty())
            throw std::invalid_argument("container \"" + name + "\": expected an output descriptor");
        pod_ = text_of(message.body, "pod");
        if (!message.body.contains("log_files")) {
            running_[start_container(message.body, message.fds.front().get(), namespaces_)] = name;
            return;
        }
        container_log log(std::move(message.fds.front()), number_of(message.body, "log_file_size"),
                          number_of(message.body, "log_files"));
        auto const pid = start_container(message.body, log.writer(), namespaces_);
        log.close_writer();
        logs_.emplace(pid, std::move(log));
        running_[pid] = name;
    }

    void signal(json::object const& body) {
        auto const name = text_of(body, "container");
        for (auto const& [pid, running] : running_) {
            if (running != name) continue;
            check(::kill(pid, static_cast<int>(number_of(body, "signal"))), "signal container \"" + name + "\"");
            return;
        }
        throw std::invalid_argument("container \"" + name + "\" is not running");
    }

    void report(pid_t pid, int status) {
        auto const container = running_.find(pid);
        if (container == running_.end()) return;
        // Before the end is known, so that who reads the log then finds all of it.
        if (auto const log = logs_.find(pid); log != logs_.end()) {
            log->second.finish();
            logs_.erase(log);
        }
        json::object exited{{"pod", pod_}, {"container", container->second}};
        if (WIFSIGNALED(status))
            exited["signal"] = WTERMSIG(status);
        else
            exited["code"] = WEXITSTATUS(status);
        running_.erase(container);
        send(channel_, json::object{{"exited", std::move(exited)}});
    }

    void reap() {
        for (;;) {
            siginfo_t info{};
            if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return;
            // A container is over with its first process: what that left behind goes too, while its id is still taken.
            if (running_.contains(info.si_pid)) kill_session(info.si_pid);
            int status = 0;
            ::waitpid(info.si_pid, &status, 0);
            report(info.si_pid, status);
        }
    }

    void kill_all() {
        if (namespaces_)
            ::kill(-1, SIGKILL); // everything in this PID namespace but ourselves
        else
            for (auto const& [pid, name] : running_) ::kill(pid, SIGKILL);
        int status = 0;
        while (namespaces_ || !running_.empty()) {
            auto const pid = ::waitpid(-1, &status, 0);
            if (pid < 0) break;
            report(pid, status);
        }
        if (!namespaces_) kill_descendants();
    }

    int channel_;
    bool namespaces_;
    bool done_ = false;
    unique_fd signals_;
    std::string pod_;
    std::map<pid_t, std::string> running_;
    std::map<pid_t, container_log> logs_;
};

} // namespace

void run_pod_init(int channel, bool namespaces) {
    try {
        if (namespaces) check(::prctl(PR_SET_PDEATHSIG, SIGKILL), "die with the node");
        close_others({channel});
        pod_init(channel, namespaces).run();
    } catch (std::exception const&) {
        ::_exit(1); // the node reports that this process ended
    }
    ::_exit(0);
}

} // namespace kftrain::local::sandbox
