#ifndef KFTRAIN_SRC_CONTROL_PLANS_GATED_TRANSPORT_HPP
#define KFTRAIN_SRC_CONTROL_PLANS_GATED_TRANSPORT_HPP

#include <kftrain/kube/transport.hpp>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace kftrain::control {

/** The transport for an operator's writes, which can be closed: pending requests then end at once, and no further ones
    are sent, not even retries of the client. The server may still carry out requests that were sent before. */
class gated_transport final : public kube::transport {
public:
    /// Sends each request only if `allowed`, which may be empty, returns true at that moment.
    gated_transport(std::shared_ptr<kube::transport> inner, std::function<bool()> allowed)
        : inner_(std::move(inner)), allowed_(std::move(allowed)) {}

    kube::asio::any_io_executor get_executor() const noexcept override { return inner_->get_executor(); }
    void async_open(kube::http_request request,
                    kube::any_handler<void(error_code, kube::streamed_response)> handler) override;
    std::string redact(std::string text) const override { return inner_->redact(std::move(text)); }
    std::string describe() const override { return inner_->describe(); }

    /// Pending and later requests fail with this code.
    void shut(error_code why);
    void open() { shut_.clear(); }

private:
    class flight;

    std::shared_ptr<kube::transport> inner_;
    std::function<bool()> allowed_;
    error_code shut_;
    /// The pending requests. Each is owned by the handler of its request, and unregisters in its destructor.
    std::shared_ptr<std::set<flight*>> flights_ = std::make_shared<std::set<flight*>>();
};

} // namespace kftrain::control

#endif
