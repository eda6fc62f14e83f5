#include "apiserver/http/port_session.hpp"

#include "kube/exec/exec_protocol.hpp"

#include <kftrain/kube/initiate.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>

#include <charconv>
#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <utility>
#include <vector>

namespace kftrain::apiserver {
namespace {

using kube::detail::spdy_session;
using kube::detail::spdy_stream;
using kube::detail::web_socket;
using connection_ptr = std::shared_ptr<port_connection>;

/// How long the second stream of a pair may take. @par Upstream kubelet, `DefaultStreamCreationTimeout`
constexpr auto pairing_time = std::chrono::seconds(30);

template <class... T, class Begin>
asio::awaitable<std::tuple<error_code, T...>> step(asio::any_io_executor executor, Begin begin) {
    return kube::detail::initiate<void(error_code, T...)>(
        std::move(executor), await,
        [begin = std::move(begin)](kube::any_handler<void(error_code, T...)> h) mutable { begin(std::move(h)); });
}

asio::awaitable<std::tuple<error_code, std::string>> connect(connection_ptr c, asio::any_io_executor executor) {
    return step<std::string>(executor, [c](auto h) { c->async_connect(std::move(h)); });
}

asio::awaitable<std::tuple<error_code, std::string>> read_from(connection_ptr c, asio::any_io_executor executor) {
    return step<std::string>(executor, [c](auto h) { c->async_read(std::move(h)); });
}

asio::awaitable<std::tuple<error_code>> write_to(connection_ptr c, std::string text, asio::any_io_executor executor) {
    return step<>(executor,
                  [c, text = std::move(text)](auto h) mutable { c->async_write(std::move(text), std::move(h)); });
}

std::string failure_text(upgraded_call const& what, std::uint16_t port, std::string const& why) {
    return "error forwarding port " + std::to_string(port) + " to pod " + what.pod + ", uid " + what.pod_uid + ": " +
           why;
}

/// The common part of both protocols: the open connections, and the end.
class port_session : public remote_session {
public:
    port_session(asio::any_io_executor executor, upgraded_call what)
        : executor_(std::move(executor)), what_(std::move(what)) {}

    void stop() noexcept final {
        if (std::exchange(stopped_, true)) return;
        auto const open = std::exchange(open_, {});
        for (auto const& c : open) c->close();
        cut();
    }

protected:
    virtual void cut() noexcept = 0;

    /// Opens a connection; `why` receives the reason if there is none.
    asio::awaitable<connection_ptr> open(std::uint16_t port, std::string& why) {
        if (stopped_) {
            why = "the server stops";
            co_return nullptr;
        }
        auto made = what_.open_port(port);
        if (!made) {
            why = made.error().message;
            co_return nullptr;
        }
        auto const c = std::move(*made);
        open_.push_back(c);
        auto [ec, text] = co_await connect(c, executor_);
        if (!ec) co_return c;
        leave(c);
        why = text.empty() ? ec.message() : std::move(text);
        co_return nullptr;
    }
    void leave(connection_ptr const& c) noexcept {
        c->close();
        open_.remove(c);
    }
    void spawn(asio::awaitable<void> part) {
        asio::co_spawn(executor_, std::move(part), [self = shared_from_this()](std::exception_ptr e) {
            if (e) self->stop();
        });
    }

    asio::any_io_executor executor_;
    upgraded_call what_;
    std::list<connection_ptr> open_;
    bool stopped_ = false;
};

class channel_ports final : public port_session {
public:
    channel_ports(asio::any_io_executor executor, std::shared_ptr<web_socket> socket, upgraded_call what)
        : port_session(std::move(executor), std::move(what)),
          socket_(std::move(socket)),
          connections_(what_.ports.size()),
          ready_(executor_, asio::steady_timer::time_point::max()),
          left_(what_.ports.size()) {}

    asio::awaitable<void> run() override {
        // A client that is gone is noticed although nothing is read from it.
        socket_->on_unwritable([weak = weak_from_this()] {
            if (auto const self = weak.lock()) self->stop();
        });
        for (std::size_t i = 0; i < what_.ports.size(); ++i) {
            std::string const number{static_cast<char>(what_.ports[i] & 0xffU),
                                     static_cast<char>(what_.ports[i] >> 8U)};
            co_await send(2 * i, number);
            co_await send(2 * i + 1, number);
        }
        for (std::size_t i = 0; i < what_.ports.size(); ++i) spawn(carry(i));
        for (;;) {
            auto [ec, message] = co_await web_socket::read(socket_);
            if (ec) break;
            if (message.size() < 2) continue;
            std::size_t const channel = static_cast<unsigned char>(message.front());
            if (channel % 2 != 0 || channel / 2 >= connections_.size()) continue;
            auto& of = connections_[channel / 2];
            while (!of.connection && !of.ended && !stopped_) co_await ready_.async_wait(await);
            if (of.ended || stopped_) continue; // there is no reader
            auto [failed] = co_await write_to(of.connection, message.substr(1), executor_);
            if (failed && of.connection) of.connection->close();
        }
        stop();
    }

private:
    struct place {
        connection_ptr connection; ///< null before the connection and after the end
        bool ended = false;
    };

    void cut() noexcept override {
        socket_->cut();
        ready_.cancel();
    }

    asio::awaitable<error_code> send(std::size_t channel, std::string text) {
        return web_socket::write(socket_, std::string(1, static_cast<char>(channel)).append(text));
    }

    asio::awaitable<void> carry(std::size_t i) {
        std::string why;
        auto& of = connections_[i];
        of.connection = co_await open(what_.ports[i], why);
        ready_.cancel();
        auto const connection = of.connection;
        if (!connection) {
            co_await send(2 * i + 1, failure_text(what_, what_.ports[i], why));
        } else {
            error_code failed;
            while (!failed) {
                auto [ec, text] = co_await read_from(connection, executor_);
                failed = ec;
                if (!failed) failed = co_await send(2 * i, std::move(text));
            }
            leave(connection);
        }
        of.ended = true;
        of.connection.reset();
        ready_.cancel();
        if (--left_ != 0 || stopped_) co_return;
        co_await web_socket::close(socket_); // the client closes the connection
    }

    std::shared_ptr<web_socket> socket_;
    std::vector<place> connections_;
    asio::steady_timer ready_;
    std::size_t left_; ///< ports that have not ended
};

class spdy_ports final : public port_session {
public:
    spdy_ports(std::shared_ptr<spdy_session> spdy, upgraded_call what)
        : port_session(spdy->executor(), std::move(what)), spdy_(std::move(spdy)) {}

    asio::awaitable<void> run() override {
        spawn(spdy_session::run(spdy_));
        for (;;) {
            auto stream = co_await spdy_session::accept(spdy_);
            if (!stream) break;
            take(std::move(stream));
        }
        stop();
    }

private:
    /// The streams of one connection: its bytes, and the reason of a failure.
    struct pair {
        std::shared_ptr<spdy_stream> data, error;
        std::shared_ptr<asio::steady_timer> limit; ///< while one is missing
    };

    void cut() noexcept override {
        spdy_->cut();
        for (auto const& [id, waiting] : std::exchange(pairs_, {})) waiting.limit->cancel();
    }

    void take(std::shared_ptr<spdy_stream> stream) {
        auto const& fields = stream->fields();
        auto const type = fields.get("streamType");
        auto const text = fields.get("port");
        std::uint16_t port = 0;
        auto const read = std::from_chars(text.data(), text.data() + text.size(), port);
        bool const is_port = read.ec == std::errc() && read.ptr == text.data() + text.size() && port != 0;
        std::string const id(fields.get("requestID"));
        auto& of = pairs_[id];
        auto& place = type == "data" ? of.data : of.error;
        if (!is_port || (type != "data" && type != "error") || place) {
            stream->reset(kube::detail::spdy_reset::protocol_error);
            if (!of.limit) pairs_.erase(id);
            return;
        }
        stream->reply();
        place = std::move(stream);
        if (!of.limit) {
            of.limit = std::make_shared<asio::steady_timer>(executor_, pairing_time);
            return of.limit->async_wait([weak = weak_from_this(), this, id](error_code ec) {
                if (auto const self = weak.lock(); self && !ec) pairs_.erase(id); // which resets the stream
            });
        }
        of.limit->cancel();
        auto const whole = std::move(of);
        pairs_.erase(id);
        spawn(carry(whole, port));
    }

    asio::awaitable<void> carry(pair of, std::uint16_t port) {
        std::string why;
        auto const connection = co_await open(port, why);
        if (connection) {
            auto const directions = std::make_shared<int>(2);
            spawn(carry_input(of.data, connection, directions));
            error_code failed;
            while (!failed) {
                auto [ec, text] = co_await read_from(connection, executor_);
                failed = ec;
                if (!failed) failed = co_await spdy_stream::write(of.data, std::move(text));
            }
            // A pod that sends no more may still read.
            if (--*directions == 0 || failed != asio::error::eof) leave(connection);
        } else {
            co_await spdy_stream::write(of.error, failure_text(what_, port, why));
        }
        of.data->finish();
        of.error->finish();
    }

    asio::awaitable<void> carry_input(std::shared_ptr<spdy_stream> from, connection_ptr to,
                                      std::shared_ptr<int> directions) {
        error_code failed;
        while (!failed) {
            auto [ec, text] = co_await spdy_stream::read(from);
            failed = ec;
            if (ec) break;
            auto [unsent] = co_await write_to(to, std::move(text), executor_);
            failed = unsent;
        }
        to->close_output();
        // A client that has reset the stream does not read either.
        if (--*directions == 0 || failed != asio::error::eof) leave(to);
    }

    std::shared_ptr<spdy_session> spdy_;
    std::map<std::string, pair> pairs_; ///< of which one stream is missing, by request
};

} // namespace

std::shared_ptr<remote_session> make_port_session(asio::any_io_executor executor, std::shared_ptr<web_socket> socket,
                                                  upgraded_call what) {
    return std::make_shared<channel_ports>(std::move(executor), std::move(socket), std::move(what));
}

std::shared_ptr<remote_session> make_port_session(std::shared_ptr<spdy_session> spdy, upgraded_call what) {
    return std::make_shared<spdy_ports>(std::move(spdy), std::move(what));
}

} // namespace kftrain::apiserver
