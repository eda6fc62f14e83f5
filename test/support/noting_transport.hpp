#ifndef KFTRAIN_TEST_SUPPORT_NOTING_TRANSPORT_HPP
#define KFTRAIN_TEST_SUPPORT_NOTING_TRANSPORT_HPP

#include <kftrain/kube/transport.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain::test {

/// Remembers what is asked of a server.
class noting_transport final : public kube::transport {
public:
    explicit noting_transport(std::shared_ptr<kube::transport> next) : next_(std::move(next)) {}

    boost::asio::any_io_executor get_executor() const noexcept override { return next_->get_executor(); }
    void async_open(kube::http_request request,
                    kube::any_handler<void(error_code, kube::streamed_response)> handler) override {
        targets.push_back(request.method + " " + request.target);
        next_->async_open(std::move(request), std::move(handler));
    }
    /// Requests that hold this text.
    std::ptrdiff_t count(std::string_view part) const {
        return std::count_if(targets.begin(), targets.end(),
                             [&](auto const& t) { return t.find(part) != std::string::npos; });
    }

    std::vector<std::string> targets;

private:
    std::shared_ptr<kube::transport> next_;
};

} // namespace kftrain::test

#endif
