#include <kftrain/kube/blocking.hpp>

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

} // namespace kftrain::kube
