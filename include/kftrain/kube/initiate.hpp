#ifndef KFTRAIN_KUBE_INITIATE_HPP
#define KFTRAIN_KUBE_INITIATE_HPP

#include <kftrain/kube/transport.hpp>

#include <boost/asio/async_result.hpp>

#include <utility>

namespace kftrain::kube::detail {

/// Erases the completion handler at the border of the compiled library. It carries the executor for the token adapters.
template <class Signature, class Start> class initiation {
public:
    using executor_type = asio::any_io_executor;

    initiation(executor_type executor, Start start) : executor_(std::move(executor)), start_(std::move(start)) {}

    executor_type get_executor() const noexcept { return executor_; }

    template <class Handler, class... Args> void operator()(Handler&& handler, Args&&... args) {
        start_(any_handler<Signature>(std::forward<Handler>(handler)), std::forward<Args>(args)...);
    }

private:
    executor_type executor_;
    Start start_;
};

/// Starts an operation for any completion token; `start` gets the erased handler, then `args`.
template <class Signature, class Token, class Start, class... Args>
auto initiate(asio::any_io_executor executor, Token&& token, Start start, Args&&... args) {
    return asio::async_initiate<Token, Signature>(initiation<Signature, Start>(std::move(executor), std::move(start)),
                                                  token, std::forward<Args>(args)...);
}

} // namespace kftrain::kube::detail

#endif
