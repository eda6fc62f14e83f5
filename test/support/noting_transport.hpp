#ifndef KFTRAIN_TEST_SUPPORT_NOTING_TRANSPORT_HPP
#define KFTRAIN_TEST_SUPPORT_NOTING_TRANSPORT_HPP

#include "support/bodies.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace kftrain::test {

/// Passes requests on and records them.
class noting_transport final : public kube::transport {
    using open_handler = kube::any_handler<void(error_code, kube::streamed_response)>;

public:
    explicit noting_transport(std::shared_ptr<kube::transport> next) : next_(std::move(next)) {}

    asio::any_io_executor get_executor() const noexcept override { return next_->get_executor(); }
    std::string redact(std::string text) const override { return next_->redact(std::move(text)); }
    void async_open(kube::http_request request, open_handler handler) override {
        targets.push_back(request.method + " " + request.target);
        if (!on_write || request.method == "GET") return next_->async_open(std::move(request), std::move(handler));
        auto const kept = std::make_shared<open_handler>(std::move(handler));
        next_->async_open(request, [this, request, kept](error_code ec, kube::streamed_response r) {
            if (ec) return std::move(*kept)(ec, std::move(r));
            auto const head = r.head;
            read_all(std::move(r.body), "", [this, request, kept, head](std::string text) {
                on_write(request, head.status, text);
                kube::streamed_response whole;
                whole.head = head;
                whole.body = std::make_unique<ready_body>(get_executor(), std::move(text));
                std::move (*kept)(error_code(), std::move(whole));
            });
        });
    }

    /// The number of requests whose method and target contain this text.
    std::ptrdiff_t count(std::string_view part) const {
        return std::count_if(targets.begin(), targets.end(),
                             [&](auto const& t) { return t.find(part) != std::string::npos; });
    }

    std::vector<std::string> targets; ///< `GET /api/v1/pods?limit=500`
    /// If set, called with each write, the status and the body of its response, before the caller gets them.
    std::function<void(kube::http_request const&, unsigned status, std::string const& body)> on_write;

private:
    std::shared_ptr<kube::transport> next_;
};

} // namespace kftrain::test

#endif
