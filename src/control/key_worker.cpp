#include "control/key_worker.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

namespace kftrain::control {
namespace {

namespace asio = boost::asio;

using made_key = result<rules::key_texts>;
using key_handler = kube::any_handler<void(made_key)>;

/// Keys take all of a processor; some are left to the rest of the program.
std::size_t thread_count() { return std::clamp<std::size_t>(std::thread::hardware_concurrency() / 2, 1, 4); }

/// An exception on a thread of the pool would end the program.
made_key make_safely(content_maker& maker, rules::ssh_key wanted) {
    try {
        return maker.make(wanted);
    } catch (std::exception const& e) {
        diagnostics why;
        why.message = e.what();
        return failure(make_error_code(boost::system::errc::not_enough_memory), std::move(why));
    }
}

made_key aborted() {
    diagnostics why;
    why.message = "the operator ended before the key was generated";
    return failure(asio::error::operation_aborted, std::move(why));
}

} // namespace

/// A caller that waits. Its handler is touched on the loop only.
struct key_worker::pending {
    pending(asio::any_io_executor const& loop, key_handler h) : handler(std::move(h)), work(loop) {}

    void end(made_key made) {
        if (!handler) return;
        auto h = std::move(*handler);
        handler.reset();
        work.reset();
        std::move(h)(std::move(made));
    }

    std::optional<key_handler> handler;
    asio::executor_work_guard<asio::any_io_executor> work;
};

void key_worker::begin(rules::ssh_key wanted, key_handler handler) {
    auto const caller = std::make_shared<pending>(loop_, std::move(handler));
    if (closed_) return asio::post(loop_, [caller] { caller->end(aborted()); });
    if (!maker_) maker_ = make_content_maker();
    if (!threads_) threads_.emplace(thread_count());
    std::erase_if(waiting_, [](auto const& w) { return w.expired(); });
    waiting_.push_back(caller);
    // The copy of `caller` must not be const: the thread would keep a reference, and could destroy the operator with
    // it.
    asio::post(*threads_, [caller = caller, wanted, maker = maker_, loop = loop_]() mutable {
        made_key made = make_safely(*maker, wanted);
        asio::post(loop,
                   [caller = std::move(caller), made = std::move(made)]() mutable { caller->end(std::move(made)); });
    });
}

asio::awaitable<made_key> key_worker::make(rules::ssh_key wanted) {
    auto const initiate = [](auto handler, key_worker* self, rules::ssh_key what) {
        self->begin(what, key_handler(std::move(handler)));
    };
    asio::use_awaitable_t<> token;
    auto made = co_await asio::async_initiate<asio::use_awaitable_t<>, void(made_key)>(initiate, token, this, wanted);
    co_return made;
}

void key_worker::close() {
    closed_ = true;
    if (threads_) {
        threads_->stop();
        threads_->join();
    }
    for (auto const& w : std::exchange(waiting_, {}))
        if (auto const caller = w.lock()) asio::post(loop_, [caller] { caller->end(aborted()); });
    threads_.reset();
}

} // namespace kftrain::control
