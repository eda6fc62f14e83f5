#include <kftrain/kube/blocking.hpp>

#include "kube/async/thread_check.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>

#include <chrono>

namespace kftrain::kube {
namespace {

/// The io_context of an executor, also of a strand on one; or null.
asio::io_context* context_of(asio::any_io_executor const& executor) {
    using plain = asio::io_context::executor_type;
    if (auto const* e = executor.target<plain>()) return &e->context();
    if (auto const* s = executor.target<asio::strand<plain>>()) return &s->get_inner_executor().context();
    return nullptr;
}

/// Another thread may run the handler that ends the wait, so this one looks up from time to time.
constexpr std::chrono::milliseconds slice{20};

} // namespace

error_code can_block(asio::any_io_executor const& executor) noexcept {
    auto* const context = context_of(executor);
    if (context == nullptr) return errc::not_supported;
    if (context->get_executor().running_in_this_thread()) return errc::would_deadlock;
    return {};
}

error_code run_until(asio::any_io_executor const& executor, std::atomic<bool> const& done) {
    if (done) return {};
    if (auto const ec = can_block(executor)) return ec;
    auto* const context = context_of(executor);
    auto const work = asio::prefer(executor, asio::execution::outstanding_work.tracked);
    while (!done) {
        if (context->stopped()) context->restart();
        context->run_one_for(slice);
    }
    return {};
}

error_code detail::can_block(start_place const& place) {
    if (!place.allows_any_thread()) {
        auto const ec = kube::can_block(place.executor());
        return ec ? ec : place.fault();
    }
    return runs_here(place.executor()) ? make_error_code(errc::would_deadlock) : error_code();
}

error_code detail::block_until(start_place const& place, std::atomic<bool> const& done) {
    if (!place.allows_any_thread()) return run_until(place.executor(), done);
    done.wait(false);
    return {};
}

} // namespace kftrain::kube
