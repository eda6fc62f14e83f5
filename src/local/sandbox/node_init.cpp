#include "local/sandbox/node_init.hpp"

#include "local/sandbox/channel.hpp"
#include "local/sandbox/mounts/mount_points.hpp"
#include "local/sandbox/mounts/mounts.hpp"
#include "local/sandbox/netlink.hpp"
#include "local/sandbox/processes.hpp"

#include <boost/json/serialize.hpp>

#include <array>
#include <map>
#include <optional>
#include <sched.h>
#include <set>
#include <signal.h>
#include <stdexcept>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

namespace kftrain::local::sandbox {
namespace {

namespace json = boost::json;

struct pod {
    pid_t init = 0;
    unique_fd channel;
    std::string link; ///< our end of its network link
    std::set<std::int64_t> waiting;
    std::int64_t creation = 0;
    std::optional<json::object> farewell; ///< the answer that waits until the pod is gone
};

using pod_map = std::map<std::string, pod>;

class node_init {
public:
    explicit node_init(node_settings const& s)
        : control_(s.control), supervisor_(s.start), requests_(s.requests), namespaces_(s.namespaces) {
        sigset_t child;
        ::sigemptyset(&child);
        ::sigaddset(&child, SIGCHLD);
        check(::sigprocmask(SIG_BLOCK, &child, nullptr), "block SIGCHLD");
        signals_.reset(check(::signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK), "watch child processes"));
        for (int const fd : {control_, signals_.get(), supervisor_}) watch(fd);
        if (namespaces_)
            set_up_namespaces();
        else
            adopt_orphans();
    }

    void run() {
        for (;;) {
            std::array<epoll_event, 64> events{};
            int const count = ::epoll_wait(readable_.get(), events.data(), static_cast<int>(events.size()), -1);
            if (count < 0 && errno != EINTR) fail("wait for messages");
            std::set<int> ready;
            for (int i = 0; i < count; ++i) ready.insert(events[static_cast<std::size_t>(i)].data.fd);
            for (int const fd : ready)
                if (auto const at = pod_of_channel_.find(fd); at != pod_of_channel_.end()) relay(at->second->second);
            if (ready.contains(signals_.get())) reap();
            if (ready.contains(supervisor_)) throw std::runtime_error("the supervisor ended");
            if (!ready.contains(control_)) continue;
            datagram message;
            if (receive(control_, message) == transfer::closed) return;
            answer(message);
        }
    }

private:
    static void set_up_namespaces() {
        make_mounts_private();
        mount_proc();
        std::string const host_name = "kftrain-node";
        check(::sethostname(host_name.data(), host_name.size()), "set the node's host name");
        netlink network;
        network.set_up("lo");
        auto const address = to_ipv4(bridge_address, "bridge address");
        network.add_bridge(bridge_name, address);
        network.add_address(bridge_name, address, pod_prefix_length);
        network.set_up(bridge_name);
    }

    void answer(datagram& message) {
        json::object reply{{"id", message.body["id"]}};
        try {
            if (message.cut) throw std::system_error(EMFILE, std::generic_category(), "receive a request");
            auto const what = text_of(message.body, "request");
            if (what == "listen" || (what == "socket" && !message.body.contains("pod"))) {
                auto const socket = what == "listen" ? open_listener(message.body) : open_socket(message.body);
                reply["ok"] = true;
                int const fd = socket.get();
                send(control_, reply, {&fd, 1});
                return;
            }
            if (what == "create_pod")
                create_pod(message.body);
            else if (what == "remove_pod")
                remove_pod(message.body);
            else
                pass_on(message);
            return;
        } catch (std::system_error const& e) {
            reply["error"] = e.what();
            reply["errno"] = e.code().value();
        } catch (std::exception const& e) {
            reply["error"] = e.what();
        }
        send(control_, reply);
    }

    pod& find(json::object const& body) {
        auto const name = text_of(body, "pod");
        auto const at = pods_.find(name);
        if (at == pods_.end()) throw std::invalid_argument("unknown pod \"" + name + "\"");
        if (at->second.farewell) throw std::invalid_argument("pod \"" + name + "\" is being removed");
        return at->second;
    }

    void create_pod(json::object const& body) {
        auto const name = text_of(body, "pod");
        auto const label = "pod \"" + name + "\": ";
        if (pods_.contains(name)) throw std::invalid_argument("pod \"" + name + "\" exists already");
        auto const address = to_ipv4(text_of(body, "address"), label + "address");
        if (!namespaces_) check_plain(body, label, address);

        auto [ours, theirs] = make_socket_pair();
        int const kinds = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWPID;
        pod fresh;
        fresh.init = fork_into(namespaces_ ? kinds : 0, label + "create its namespaces");
        if (fresh.init == 0) run_pod_init(theirs.get(), namespaces_, requests_);
        fresh.channel = std::move(ours);
        fresh.creation = number_of(body, "id");
        fresh.waiting.insert(fresh.creation);
        try {
            if (namespaces_) {
                fresh.link = "kft" + std::to_string(++links_);
                netlink().add_veth(fresh.link, bridge_name, "eth0", address, fresh.init);
            }
            watch(fresh.channel.get());
            send(fresh.channel.get(), body);
        } catch (...) {
            ::kill(fresh.init, SIGKILL);
            ::waitpid(fresh.init, nullptr, 0);
            throw;
        }
        pid_t const init = fresh.init;
        auto const at = pods_.emplace(name, std::move(fresh)).first;
        pod_of_init_.emplace(init, at);
        pod_of_channel_.emplace(at->second.channel.get(), at);
    }

    void watch(int fd) const {
        epoll_event wanted{};
        wanted.events = EPOLLIN;
        wanted.data.fd = fd;
        check(::epoll_ctl(readable_.get(), EPOLL_CTL_ADD, fd, &wanted), "watch a descriptor");
    }

    void close_channel(pod& p) {
        if (!p.channel) return;
        ::epoll_ctl(readable_.get(), EPOLL_CTL_DEL, p.channel.get(), nullptr);
        pod_of_channel_.erase(p.channel.get());
        p.channel.reset();
    }

    static void check_plain(json::object const& body, std::string const& label, std::uint32_t address) {
        char const* const rest = " requires namespaces, and this node runs plain processes";
        if (static_cast<unsigned char>(reinterpret_cast<char const*>(&address)[0]) != 127)
            throw std::invalid_argument(label + "address " + text_of(body, "address") + rest +
                                        "; expected one in 127.0.0.0/8");
        for (auto const& [member, target] : {std::pair{"hosts", "/etc/hosts"}, {"resolv_conf", "/etc/resolv.conf"}})
            if (!text_of(body, member).empty())
                throw std::invalid_argument(label + target + " as a separate file" + rest);
        if (auto const binds = binds_of(body); !binds.empty())
            throw std::invalid_argument(label + "mounting \"" + binds.front().target + "\"" + rest);
    }

    void remove_pod(json::object const& body) {
        auto& p = find(body);
        p.farewell = json::object{{"id", body.at("id")}, {"ok", true}};
        try {
            send(p.channel.get(), body);
        } catch (std::system_error const&) {
            ::kill(p.init, SIGKILL); // needs nothing that could be used up, and leads to the same
        }
    }

    void pass_on(datagram const& message) {
        auto& p = find(message.body);
        std::vector<int> fds;
        for (auto const& fd : message.fds) fds.push_back(fd.get());
        send(p.channel.get(), message.body, fds);
        p.waiting.insert(number_of(message.body, "id"));
    }

    /// Passes one message of a pod on to the library; false at the end.
    bool relay(pod& p) {
        datagram message;
        auto result = transfer::closed;
        if (p.channel) result = receive(p.channel.get(), message, false);
        if (result == transfer::closed) close_channel(p);
        if (result != transfer::done) return false;
        if (auto const* id = message.body.if_contains("id"); id != nullptr && id->is_int64()) {
            p.waiting.erase(id->as_int64());
            if (id->as_int64() == p.creation && message.body.contains("error")) {
                p.farewell = std::move(message.body);
                ::kill(p.init, SIGKILL);
                return true;
            }
        }
        if (message.cut) {
            message.body["error"] = "receive a socket of a pod: no file descriptor is available";
            message.body["errno"] = EMFILE;
        }
        std::vector<int> fds;
        for (auto const& fd : message.fds) fds.push_back(fd.get());
        send(control_, message.body, fds);
        return true;
    }

    void reap() {
        signalfd_siginfo info{};
        while (::read(signals_.get(), &info, sizeof info) > 0) {}
        std::vector<pod_map::iterator> gone;
        bool killed = false;
        int status = 0;
        for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
            auto const known = pod_of_init_.find(pid);
            if (known == pod_of_init_.end()) continue;
            gone.push_back(known->second);
            pod_of_init_.erase(known);
            killed = killed || status != 0;
        }
        // Killed, it cannot have ended what was below it; in namespaces the kernel has.
        if (killed && !namespaces_) kill_strays();
        for (auto const at : gone) {
            bury(at->first, at->second);
            close_channel(at->second);
            pods_.erase(at);
        }
    }

    /// Kills descendants that belong to no present pod.
    void kill_strays() {
        std::set<pid_t> inits;
        for (auto const& [pid, at] : pod_of_init_) inits.insert(pid);
        kill_below(inits);
    }

    void end_requests(std::string const& pod) const noexcept {
        try {
            mount_point_link(requests_, pod).ended();
        } catch (std::exception const&) {
            return; // without a supervisor this node ends, too; and what is short leaves them until its end
        }
    }

    void bury(std::string const& name, pod& p) {
        while (relay(p)) {}
        end_requests(name);
        try {
            if (!p.link.empty()) netlink().remove_link(p.link); // the kernel would do it too, but later
        } catch (std::system_error const& e) {
            if (!is_shortage(e.code().value())) throw;
        }
        for (auto const id : p.waiting)
            send(
                control_,
                json::object{{"id", id}, {"error", "pod \"" + name + "\": its first process ended"}, {"errno", ESRCH}});
        if (p.farewell)
            send(control_, *p.farewell);
        else
            send(control_, json::object{{"pod_gone", name}});
    }

    int control_;
    int supervisor_; ///< readable when it died
    int requests_;
    bool namespaces_;
    unique_fd signals_;
    unique_fd readable_{check(::epoll_create1(EPOLL_CLOEXEC), "watch descriptors")};
    pod_map pods_;
    std::map<pid_t, pod_map::iterator> pod_of_init_;
    std::map<int, pod_map::iterator> pod_of_channel_; ///< those that are open
    unsigned links_ = 0;
};

} // namespace

void run_node_init(node_settings const& s) {
    int code = 0;
    try {
        if (s.namespaces) check(::prctl(PR_SET_PDEATHSIG, SIGKILL), "die with the supervisor");
        datagram start_signal;
        if (receive(s.start, start_signal) == transfer::closed) ::_exit(1); // the supervisor died before the line above
        close_others({s.control, s.start, s.requests});
        std::optional<node_init> node;
        try {
            node.emplace(s);
        } catch (std::exception const& e) {
            send(s.start, json::object{{"error", e.what()}});
            ::_exit(1);
        }
        send(s.start, json::object{{"ok", true}});
        send(s.control, json::object{{"ready", json::object{{"isolation", s.namespaces ? "namespaces" : "processes"},
                                                            {"reason", s.fallback_reason}}}});
        node->run();
    } catch (std::exception const& e) {
        code = 1;
        std::string const why = std::string("the node's first process: ") + e.what();
        try {
            send(s.control, json::serialize(json::object{{"failed", why}}), {}, false);
        } catch (std::exception const&) {
            code = 2; // the end of the socket shows the failure as well
        }
    }
    if (!s.namespaces) kill_descendants();
    ::_exit(code);
}

} // namespace kftrain::local::sandbox
