#include "apiserver/http/exec_link.hpp"

#include "apiserver/http/remote_session.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>

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

} // namespace

std::shared_ptr<exec_link> make_channel_link(std::shared_ptr<web_socket> socket) {
    return std::make_shared<channel_link>(std::move(socket));
}

std::shared_ptr<exec_link> make_spdy_link(std::shared_ptr<spdy_session> spdy, exec_request const& streams) {
    return std::make_shared<spdy_link>(std::move(spdy), streams);
}

} // namespace kftrain::apiserver
