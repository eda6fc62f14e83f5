#ifndef KFTRAIN_SRC_KUBE_CALLS_BEGUN_BODY_HPP
#define KFTRAIN_SRC_KUBE_CALLS_BEGUN_BODY_HPP

#include "kube/async/waiting_caller.hpp"

#include <kftrain/kube/transport.hpp>

#include <memory>
#include <string>
#include <utility>

namespace kftrain::kube::detail {

/// A body of which the beginning was read already.
class begun_body final : public body_stream {
public:
    /// `ended`: how the last read of `rest` failed, if it did.
    begun_body(asio::any_io_executor executor, std::string begin, error_code ended, std::unique_ptr<body_stream> rest)
        : executor_(std::move(executor)), begin_(std::move(begin)), ended_(ended), rest_(std::move(rest)) {}

    void async_read(any_handler<void(error_code, std::string)> handler) override {
        if (begin_.empty() && !ended_) return rest_->async_read(std::move(handler));
        error_code const ec = begin_.empty() ? ended_ : error_code();
        complete_later(executor_, std::move(handler), ec, std::exchange(begin_, {}));
    }

private:
    asio::any_io_executor executor_;
    std::string begin_;
    error_code ended_;
    std::unique_ptr<body_stream> rest_;
};

} // namespace kftrain::kube::detail

#endif
