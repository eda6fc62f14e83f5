#include "kube/async/timer.hpp"

namespace kftrain::kube::detail {

asio::execution_context::id time_source::id;

time_source& time_source::of(asio::any_io_executor const& executor) {
    return asio::use_service<time_source>(asio::query(executor, asio::execution::context));
}

} // namespace kftrain::kube::detail
