#ifndef KFTRAIN_SRC_CONTROL_LEADERSHIP_LEASE_LANE_HPP
#define KFTRAIN_SRC_CONTROL_LEADERSHIP_LEASE_LANE_HPP

#include <kftrain/kube/client.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace kftrain::control {

namespace asio = boost::asio;

/** Sends the requests of an elector one at a time, without retries, rate limit or timeout of its own, since an elector
    may run in simulated time. */
class lease_lane {
public:
    using answer_handler = std::function<void(error_code, std::string const& body, diagnostics const&)>;

    explicit lease_lane(kube::client c) : client_(std::move(c)) {}
    lease_lane(lease_lane const&) = delete;
    lease_lane& operator=(lease_lane const&) = delete;
    ~lease_lane() { abandon(); }

    kube::client const& client() const noexcept { return client_; }
    bool busy() const noexcept { return pending_ && pending_->then; }

    void send(result<kube::http_request> r, answer_handler then) {
        pending_ = std::make_shared<pending_call>();
        pending_->then = std::move(then);
        auto const options = kube::call_options().with_timeout({}).with_retry(false).with_urgent();
        // The handler keeps what the call writes to, and nobody else.
        client_.async_call(std::move(r), kube::call_options(options).with_detail(pending_->why),
                           asio::bind_cancellation_slot(pending_->signal.slot(),
                                                        [q = pending_](error_code ec, std::string const& body) {
                                                            if (auto const f = std::exchange(q->then, nullptr))
                                                                f(ec, body, q->why);
                                                        }));
    }
    /// Stops waiting for the answer.
    void abandon() {
        auto const q = std::exchange(pending_, nullptr);
        if (!q || !std::exchange(q->then, nullptr)) return;
        q->signal.emit(asio::cancellation_type::terminal);
    }

private:
    struct pending_call {
        asio::cancellation_signal signal;
        diagnostics why;
        answer_handler then; ///< empty: answered, or abandoned
    };

    kube::client client_;
    std::shared_ptr<pending_call> pending_;
};

} // namespace kftrain::control

#endif
