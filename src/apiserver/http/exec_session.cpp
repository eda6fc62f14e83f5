#include "apiserver/http/exec_session.hpp"

#include "apiserver/http/remote_session.hpp"

#include <kftrain/kube/initiate.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <utility>

namespace kftrain::apiserver {
namespace {

using kube::detail::exec_byte;
using kube::detail::spdy_session;
using kube::detail::spdy_stream;
using kube::detail::web_socket;
using namespace std::chrono_literals;

/// How long a client may take to open its streams. @par Upstream kubelet, `DefaultStreamCreationTimeout`
constexpr auto opening_time = std::chrono::seconds(30);
constexpr std::array from_client{exec_byte::size, exec_byte::input};

class channel_link final : public exec_link {
public:
    explicit channel_link(std::shared_ptr<web_socket> socket) : socket_(std::move(socket)) {}

    asio::awaitable<error_code> open() override { co_return error_code(); }

    asio::awaitable<outcome> read() override {
        for (;;) {
            auto [ec, message] = co_await web_socket::read(socket_);
            if (ec) co_return outcome(ec, exec_byte::close, std::string());
            if (message.empty()) continue;
            auto const to = static_cast<exec_byte>(message.front());
            message.erase(0, 1);
            // Of the channels, a client can only close that of the input.
            if (to == exec_byte::close && message != std::string(1, '\0')) continue;
            co_return outcome(error_code(), to, std::move(message));
        }
    }

    asio::awaitable<error_code> write(exec_byte to, std::string text) override {
        return web_socket::write(socket_, kube::detail::exec_message(to, text));
    }
    asio::awaitable<void> close() override { return web_socket::close(socket_); }
    void cut() noexcept override { socket_->cut(); }
    void on_unwritable(std::function<void()> f) override { socket_->on_unwritable(std::move(f)); }

private:
    std::shared_ptr<web_socket> socket_;
};

class spdy_link final : public exec_link {
public:
    spdy_link(std::shared_ptr<spdy_session> spdy, exec_request const& streams) : spdy_(std::move(spdy)) {
        missing_["error"] = exec_byte::status;
        if (streams.input) missing_["stdin"] = exec_byte::input;
        if (streams.output) missing_["stdout"] = exec_byte::output;
        if (streams.error_output) missing_["stderr"] = exec_byte::error_output;
        if (streams.tty) missing_["resize"] = exec_byte::size;
    }

    asio::awaitable<error_code> open() override {
        asio::co_spawn(spdy_->executor(), spdy_session::run(spdy_), asio::detached);
        auto const limit = std::make_shared<asio::steady_timer>(spdy_->executor(), opening_time);
        limit->async_wait([weak = std::weak_ptr<spdy_session>(spdy_), limit](error_code ec) {
            if (auto const spdy = weak.lock(); spdy && !ec) spdy->cut();
        });
        while (!missing_.empty()) {
            auto stream = co_await spdy_session::accept(spdy_);
            if (!stream) break;
            auto const at = missing_.find(std::string(stream->fields().get("streamType")));
            if (at == missing_.end()) continue; // which resets it
            stream->reply();
            streams_[at->second] = std::move(stream);
            missing_.erase(at);
        }
        limit->cancel();
        co_return missing_.empty() ? error_code() : spdy_->fault();
    }

    asio::awaitable<outcome> read() override {
        for (;;) {
            for (auto const which : from_client) {
                auto const at = streams_.find(which);
                if (at == streams_.end() || !at->second->is_readable()) continue;
                auto [ec, bytes] = co_await spdy_stream::read(at->second);
                if (!ec) co_return outcome(ec, which, std::move(bytes));
                if (spdy_->fault()) break;
                at->second->finish();
                streams_.erase(at);
                if (which == exec_byte::input) co_return outcome(error_code(), exec_byte::close, std::string());
            }
            if (spdy_->fault()) co_return outcome(spdy_->fault(), exec_byte::close, std::string());
            co_await spdy_->arrivals().async_wait(await);
        }
    }

    asio::awaitable<error_code> write(exec_byte to, std::string text) override {
        auto const at = streams_.find(to);
        if (at == streams_.end()) co_return error_code(); // the client does not want it
        co_return co_await spdy_stream::write(at->second, std::move(text));
    }

    asio::awaitable<void> close() override {
        for (auto const& [which, stream] : streams_) stream->finish();
        co_await spdy_session::flush(spdy_);
    }
    void cut() noexcept override { spdy_->cut(); }
    void on_unwritable(std::function<void()> f) override { spdy_->on_unwritable(std::move(f)); }

private:
    std::shared_ptr<spdy_session> spdy_;
    std::map<std::string, exec_byte> missing_; ///< by type
    std::map<exec_byte, std::shared_ptr<spdy_stream>> streams_;
};

/// How long the client may take to close the connection, so that it receives the last message.
constexpr auto farewell_time = 2s;

template <class Token>
auto read_from(std::shared_ptr<exec_process> p, exec_process::channel from, asio::any_io_executor executor,
               Token&& token) {
    return kube::detail::initiate<void(error_code, std::string)>(
        std::move(executor), std::forward<Token>(token),
        [p, from](kube::any_handler<void(error_code, std::string)> h) { p->async_read(from, std::move(h)); });
}

template <class Token>
auto write_to(std::shared_ptr<exec_process> p, std::string text, asio::any_io_executor executor, Token&& token) {
    return kube::detail::initiate<void(error_code)>(
        std::move(executor), std::forward<Token>(token),
        [p](kube::any_handler<void(error_code)> h, std::string t) { p->async_write(std::move(t), std::move(h)); },
        std::move(text));
}

template <class Token> auto wait_for(std::shared_ptr<exec_process> p, asio::any_io_executor executor, Token&& token) {
    return kube::detail::initiate<void(error_code, exec_result)>(
        std::move(executor), std::forward<Token>(token),
        [p](kube::any_handler<void(error_code, exec_result)> h) { p->async_wait(std::move(h)); });
}

} // namespace

std::shared_ptr<exec_link> make_channel_link(std::shared_ptr<web_socket> socket) {
    return std::make_shared<channel_link>(std::move(socket));
}

std::shared_ptr<exec_link> make_spdy_link(std::shared_ptr<spdy_session> spdy, exec_request const& streams) {
    return std::make_shared<spdy_link>(std::move(spdy), streams);
}

exec_session::exec_session(asio::any_io_executor executor, std::shared_ptr<exec_link> link,
                           std::shared_ptr<exec_process> process)
    : executor_(std::move(executor)),
      link_(std::move(link)),
      process_(std::move(process)),
      changed_(executor_, std::chrono::steady_clock::time_point::max()) {}

void exec_session::stop() noexcept {
    stopped_ = true;
    process_->kill();
    link_->cut();
    changed_.cancel();
}

void exec_session::spawn(asio::awaitable<void> part) {
    auto self = std::static_pointer_cast<exec_session>(shared_from_this());
    asio::co_spawn(executor_, std::move(part), [self = std::move(self)](std::exception_ptr e) {
        if (e) self->stop();
        self->changed_.cancel();
    });
}

asio::awaitable<void> exec_session::run() {
    auto const self = std::static_pointer_cast<exec_session>(shared_from_this());
    auto const unopened = co_await link_->open();
    if (unopened || stopped_) {
        stop();
        co_return;
    }
    link_->on_unwritable([weak = weak_from_this()] {
        if (auto const session = weak.lock()) session->stop();
    });
    spawn(carry_output(self, channel::output, exec_byte::output));
    spawn(carry_output(self, channel::error_output, exec_byte::error_output));
    spawn(carry_input(self));
    spawn(await_end(self));
    while (!stopped_ && !(ended_ && outputs_ == 0)) co_await changed_.async_wait(await);
    if (!stopped_) {
        co_await link_->write(exec_byte::status, kube::detail::write_exec_end(end_));
        co_await link_->close();
    }
    // carry_input() notices that the client has closed the connection.
    changed_.expires_after(farewell_time);
    auto const until = changed_.expiry();
    while (!stopped_ && std::chrono::steady_clock::now() < until) {
        changed_.expires_at(until);
        co_await changed_.async_wait(await);
    }
    stop();
}

asio::awaitable<void> exec_session::carry_output(std::shared_ptr<exec_session> self, channel from, exec_byte to) {
    error_code failed;
    while (!failed && !self->stopped_) {
        auto [ec, piece] = co_await read_from(self->process_, from, self->executor_, await);
        failed = ec;
        if (!failed) failed = co_await self->link_->write(to, std::move(piece));
    }
    --self->outputs_;
}

asio::awaitable<void> exec_session::carry_input(std::shared_ptr<exec_session> self) {
    bool open = true; // the input of the command
    for (;;) {
        auto [ec, to, text] = co_await self->link_->read();
        if (ec) break;
        if (to == exec_byte::input && open && !text.empty()) {
            auto [failed] = co_await write_to(self->process_, std::move(text), self->executor_, await);
            if (failed) open = false; // what comes now is dropped
        } else if (to == exec_byte::close) {
            open = false;
            self->process_->close_input();
        } else if (to == exec_byte::size) {
            self->resize(text);
        }
    }
    self->stop();
}

asio::awaitable<void> exec_session::await_end(std::shared_ptr<exec_session> self) {
    auto [ec, result] = co_await wait_for(self->process_, self->executor_, await);
    self->end_.exit_code = result.exit_code;
    self->end_.message = ec && result.message.empty() ? ec.message() : std::move(result.message);
    if (ec) self->end_.exit_code.reset();
    self->ended_ = true;
}

void exec_session::resize(std::string_view text) {
    boost::system::error_code ec;
    auto const size = boost::json::parse({text.data(), text.size()}, ec);
    if (ec || !size.is_object()) return;
    auto const number = [&](char const* name) -> unsigned {
        auto const* const n = size.get_object().if_contains(name);
        return n != nullptr && n->is_int64() && n->get_int64() > 0 && n->get_int64() <= 0xffff
                   ? static_cast<unsigned>(n->get_int64())
                   : 0;
    };
    auto const columns = number("Width");
    auto const rows = number("Height");
    if (columns != 0 && rows != 0) process_->resize(columns, rows);
}

} // namespace kftrain::apiserver
