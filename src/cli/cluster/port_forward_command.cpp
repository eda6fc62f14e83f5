#include "cli/cluster/connection/interruption.hpp"
#include "cli/cluster/connection/job_pod.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/subcommands.hpp"

#include <kftrain/kube/port_forward.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <charconv>
#include <iostream>
#include <optional>
#include <set>

namespace kftrain::cli {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr auto values = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t piece_size = 32 * 1024;
constexpr std::size_t most_connections = 256; ///< at the same time; further ones wait
/// How long a pod may still send after the end of the local program, if the server cannot pass that end on.
constexpr auto rest_time = std::chrono::seconds(30);

struct port_forward_arguments {
    port_forward_arguments() = default;

    connection_options where;
    std::string job; ///< KIND/NAME
    std::vector<std::string> ports;
    pod_choice choice;
};

/// A port of this machine and one of the pod.
struct port_pair {
    port_pair() = default;

    std::uint16_t local = 0; ///< 0: any
    std::uint16_t remote = 0;
};

std::optional<std::uint16_t> read_port(std::string_view text) {
    std::uint16_t port = 0;
    auto const read = std::from_chars(text.data(), text.data() + text.size(), port);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size() || port == 0) return std::nullopt;
    return port;
}

/// REMOTE, LOCAL:REMOTE or :REMOTE.
std::optional<port_pair> read_ports(std::string_view text) {
    auto const colon = text.find(':');
    auto const remote = read_port(colon == std::string_view::npos ? text : text.substr(colon + 1));
    auto const local = colon == std::string_view::npos ? remote : read_port(text.substr(0, colon));
    if (!remote || (!local && colon != 0)) return std::nullopt;
    port_pair p;
    p.local = local.value_or(0);
    p.remote = *remote;
    return p;
}

/// Accepts connections and passes their bytes on to a pod and back.
class forwarder : public std::enable_shared_from_this<forwarder> {
public:
    forwarder(connection& c, remote_command const& target)
        : executor_(c.context().get_executor()),
          client_(c.jobs().get_client()),
          namespace_(target.namespace_),
          pod_(target.pod),
          changed_(executor_, asio::steady_timer::time_point::max()) {}

    /// Listens on the local ports; if one of them cannot be used, prints a message and returns false.
    bool start(std::vector<port_pair> const& pairs) {
        for (auto const& ports : pairs)
            if (!listen(ports)) return false;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            std::cout << "Forwarding 127.0.0.1:" << acceptors_[i]->local_endpoint().port() << " to port "
                      << pairs[i].remote << " of pod " << pod_ << '\n';
            asio::co_spawn(executor_, accept(shared_from_this(), acceptors_[i], pairs[i].remote), asio::detached);
        }
        std::cout.flush();
        return true;
    }

    /// Waits for the signal or the time, then closes all connections.
    static asio::awaitable<int> run(std::shared_ptr<forwarder> self, interruption& stop,
                                    std::optional<std::chrono::steady_clock::time_point> end) {
        asio::steady_timer wait(self->executor_, end.value_or(asio::steady_timer::time_point::max()));
        if (!stop.is_ending()) co_await wait.async_wait(asio::bind_cancellation_slot(stop.slot(), values));
        self->stopped_ = true;
        boost::system::error_code ignored;
        for (auto const& a : self->acceptors_) a->close(ignored);
        for (auto const& l : std::set(self->links_)) self->close(*l);
        self->changed_.cancel();
        while (!self->links_.empty()) co_await self->changed_.async_wait(values);
        co_return stop.is_requested() ? interrupted : success;
    }

private:
    bool listen(port_pair const& ports) {
        boost::system::error_code ec;
        tcp::endpoint const where(asio::ip::address_v4::loopback(), ports.local);
        tcp::acceptor acceptor(executor_);
        acceptor.open(where.protocol(), ec);
        if (!ec) acceptor.set_option(asio::socket_base::reuse_address(true), ec);
        if (!ec) acceptor.bind(where, ec);
        if (!ec) acceptor.listen(asio::socket_base::max_listen_connections, ec);
        if (ec) {
            complain("port-forward: cannot listen on 127.0.0.1:" + std::to_string(ports.local) + ": " + ec.message());
            return false;
        }
        acceptors_.push_back(std::make_shared<tcp::acceptor>(std::move(acceptor)));
        return true;
    }

    struct link {
        explicit link(tcp::socket s) : socket(std::move(s)) {}

        tcp::socket socket;
        kube::port_stream stream;
        asio::cancellation_signal stop; ///< of the connection to the pod
        bool sends = true;              ///< bytes of the local program to the pod
        bool closed = false;
    };
    using link_ptr = std::shared_ptr<link>;

    static asio::awaitable<void> accept(std::shared_ptr<forwarder> self, std::shared_ptr<tcp::acceptor> at,
                                        std::uint16_t remote) {
        while (!self->stopped_) {
            auto [ec, socket] = co_await at->async_accept(values);
            if (ec && !self->stopped_) {
                complain("port-forward: cannot accept a connection: " + ec.message());
                asio::steady_timer pause(self->executor_, std::chrono::seconds(1));
                co_await pause.async_wait(values);
            }
            if (ec) continue;
            auto const l = std::make_shared<link>(std::move(socket));
            self->links_.insert(l);
            asio::co_spawn(self->executor_, serve(self, l, remote), asio::detached);
            while (!self->stopped_ && self->links_.size() >= most_connections)
                co_await self->changed_.async_wait(values);
        }
    }

    static asio::awaitable<void> serve(std::shared_ptr<forwarder> self, link_ptr l, std::uint16_t remote) {
        diagnostics why;
        auto const how = kube::port_forward_options().with_detail(why);
        auto [ec, stream] = co_await kube::async_port_forward(self->client_, self->namespace_, self->pod_, remote, how,
                                                              asio::bind_cancellation_slot(l->stop.slot(), values));
        if (!ec && !l->closed) {
            l->stream = std::move(stream);
            asio::co_spawn(self->executor_, send(self, l), asio::detached);
            ec = co_await receive(self, l, why);
        }
        if (ec && !l->closed && ec != asio::error::eof) self->report(remote, failure(ec, std::move(why)));
        self->close(*l);
        self->links_.erase(l);
        self->changed_.cancel();
    }

    /// From the pod. Returns why it ended.
    static asio::awaitable<error_code> receive(std::shared_ptr<forwarder> self, link_ptr l, diagnostics& why) {
        for (;;) {
            auto [ec, bytes] = co_await l->stream.async_read(kube::next_options().with_detail(why), values);
            if (ec == asio::error::eof) break;
            if (ec) co_return ec;
            auto [failed, sent] = co_await asio::async_write(l->socket, asio::buffer(bytes), values);
            if (failed) co_return asio::error::eof; // the local program has closed the connection
        }
        boost::system::error_code ignored;
        l->socket.shutdown(tcp::socket::shutdown_send, ignored);
        // The local program may send on.
        while (l->sends && !l->closed) co_await self->changed_.async_wait(values);
        co_return asio::error::eof;
    }

    /// To the pod.
    static asio::awaitable<void> send(std::shared_ptr<forwarder> self, link_ptr l) {
        std::string buffer(piece_size, '\0');
        for (;;) {
            auto [ec, size] = co_await l->socket.async_read_some(asio::buffer(buffer), values);
            if (ec || l->closed) break;
            auto [failed] = co_await l->stream.async_write(buffer.substr(0, size), values);
            if (failed) break;
        }
        if (!l->closed) {
            auto [ec] = co_await l->stream.async_close_output(values);
            if (ec == errc::not_supported) {
                asio::steady_timer rest(self->executor_, rest_time);
                co_await rest.async_wait(values);
            }
        }
        l->sends = false;
        self->changed_.cancel();
    }

    void close(link& l) {
        l.closed = true;
        changed_.cancel();
        l.stop.emit(asio::cancellation_type::terminal);
        boost::system::error_code ignored;
        l.socket.close(ignored);
        l.stream = kube::port_stream(); // which ends what is pending
    }

    void report(std::uint16_t remote, failure const& f) const {
        complain("port " + std::to_string(remote) + " of pod " + pod_ + ": " + f.to_string());
    }

    asio::any_io_executor executor_;
    kube::client client_;
    std::string namespace_, pod_;
    std::vector<std::shared_ptr<tcp::acceptor>> acceptors_;
    std::set<link_ptr> links_;
    asio::steady_timer changed_;
    bool stopped_ = false;
};

int forward_ports(port_forward_arguments const& arguments) {
    if (arguments.job.find('/') == std::string::npos) {
        complain("port-forward: JOB: expected KIND/NAME, got \"" + arguments.job + "\"");
        return bad_usage;
    }
    std::vector<port_pair> pairs;
    for (auto const& text : arguments.ports) {
        auto const ports = read_ports(text);
        if (!ports) {
            complain(
                "port-forward: PORT: expected REMOTE, LOCAL:REMOTE or :REMOTE with numbers from 1 to 65535, got \"" +
                text + "\"");
            return bad_usage;
        }
        pairs.push_back(*ports);
    }
    auto const c = connection::open(arguments.where);
    if (!c) return bad_usage;
    job_naming which;
    which.names = {arguments.job};
    auto const target = find_pod(*c, which, arguments.choice);
    if (!target) return target.exit();
    interruption stop(c->context(), std::nullopt);
    auto const all = std::make_shared<forwarder>(*c, *target);
    if (!all->start(pairs)) return bad_usage;
    return after_output(c->run(forwarder::run(all, stop, c->end())));
}

} // namespace

void add_port_forward(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<port_forward_arguments>();
    auto* const command = app.add_subcommand(
        "port-forward",
        "Forward ports of this machine to a replica of a job\n\n"
        "The command accepts connections on 127.0.0.1 and connects each to the port REMOTE of the replica, until it is "
        "interrupted. A port on which no process of the replica listens is reported for each connection. Without "
        "--rank and --role, the replica is the one with rank 0, or the first of a kind without ranks.");
    command->add_option("JOB", arguments->job, "Select the job by kind and name: KIND/NAME")->required();
    command
        ->add_option(
            "PORT", arguments->ports,
            "Forward the local port LOCAL to the port REMOTE; REMOTE alone uses the same local port, :REMOTE a "
            "free one")
        ->option_text("[LOCAL:]REMOTE...")
        ->required();
    add_replica_choice(*command, arguments->choice);
    add_connection_flags(*command, arguments->where, "Stop after DURATION, for example 90s or 5m (default: no limit)");
    command->group(cluster_commands);
    add_footer(*command,
               {{success, "--timeout expired."},
                {job_failed, "The job or the pod does not exist."},
                {bad_usage, "The arguments cannot be used, or a local port is in use."},
                {cluster_failed, "The cluster cannot be reached or refused the request."},
                {interrupted, "The command was interrupted."}},
               {{"Open TensorBoard of rank 0 at http://127.0.0.1:6006", "kftrain port-forward PyTorchJob/mnist 6006"},
                {"Forward a free port to a worker", "kftrain port-forward TFJob/mnist --role Worker --index 1 :2222"}});
    command->callback([arguments, &exit] { exit = forward_ports(*arguments); });
}

} // namespace kftrain::cli
