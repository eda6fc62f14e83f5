#include "kube/async/operation.hpp"

#include <kftrain/kube/initiate.hpp>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <new>
#include <system_error>

namespace kftrain::kube::detail {

asio::execution_context::id time_source::id;

time_source& time_source::of(asio::any_io_executor const& executor) {
    return asio::use_service<time_source>(asio::query(executor, asio::execution::context));
}

void fail(error_code ec) { throw boost::system::system_error(ec); }

error_code code_of(std::exception_ptr const& e) {
    try {
        std::rethrow_exception(e);
    } catch (boost::system::system_error const& s) {
        return s.code();
    } catch (std::system_error const& s) { // of the standard library: of streams and files
        if (s.code().category() == std::generic_category())
            return {s.code().value(), boost::system::generic_category()};
        if (s.code().category() == std::system_category()) return {s.code().value(), boost::system::system_category()};
        return s.code();
    } catch (std::bad_alloc const&) {
        return make_error_code(boost::system::errc::not_enough_memory);
    }
}

std::string with_last_failure(std::string message, std::string const& failure) {
    if (!failure.empty()) message += "; the last failure: " + failure;
    return message;
}

void operation::cancel(asio::cancellation_type type) {
    if ((type & accepted_) == asio::cancellation_type::none) return;
    asio::dispatch(executor_, [self = shared_from_this()] {
        if (!self->done_) self->emit();
    });
}

void cancel(std::initializer_list<std::weak_ptr<operation>> operations) {
    for (auto const& weak : operations)
        if (auto const running = weak.lock()) running->cancel();
}

void operation::emit() {
    cancelled_ = true;
    signal_.emit(asio::cancellation_type::terminal);
}

void operation::listen_to(asio::cancellation_slot caller) {
    if (!caller.is_connected()) return;
    // A signal of the caller's may outlive the io_context, which the timer of the operation must not.
    caller.assign([weak = weak_from_this()](asio::cancellation_type type) {
        if (auto const alive = weak.lock()) alive->cancel(type);
    });
}

void operation::arm(deadline limit) {
    limit_ = std::move(limit);
    if (limit_.time.count() <= 0) return;
    timer_.emplace(executor_, limit_.time);
    timer_->async_wait([weak = weak_from_this()](error_code ec) {
        auto const self = weak.lock();
        if (ec || !self || self->done_) return;
        self->timed_out_ = true;
        self->emit();
    });
}

error_code operation::finish(error_code ec) {
    done_ = true;
    if (timer_) timer_->cancel();
    if (!timed_out_ || ec != asio::error::operation_aborted) return ec;
    if (limit_.detail != nullptr) {
        *limit_.detail = diagnostics();
        limit_.detail->message =
            with_last_failure(limit_.what + ": not complete after " + std::to_string(limit_.time.count()) + " ms",
                              limit_.last_failure ? *limit_.last_failure : std::string());
    }
    return errc::timeout;
}

void complete_aborted(asio::any_io_executor const& executor, any_handler<void(error_code)> handler) {
    complete_later(executor, std::move(handler), asio::error::operation_aborted);
}

} // namespace kftrain::kube::detail
