#include "apiserver/http/exec_session.hpp"

#include <kftrain/kube/initiate.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include <algorithm>
#include <utility>

namespace kftrain::apiserver {
namespace {

using kube::detail::exec_byte;
using namespace std::chrono_literals;

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
