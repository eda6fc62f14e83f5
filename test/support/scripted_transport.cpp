#include "support/scripted_transport.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

namespace kftrain::test {

class scripted_transport::body final : public kube::body_stream {
public:
    body(std::shared_ptr<scripted_transport> owner, std::deque<part> parts)
        : owner_(std::move(owner)), parts_(std::move(parts)) {}
    body(body const&) = delete;
    body& operator=(body const&) = delete;
    ~body() override {
        if (!ended_) ++owner_->abandoned_;
    }

    void async_read(kube::any_handler<void(error_code, std::string)> handler) override {
        part next = error_code(asio::error::eof);
        if (!parts_.empty()) {
            next = std::move(parts_.front());
            parts_.pop_front();
        }
        next = owner_->step(std::move(next));
        ended_ = std::holds_alternative<error_code>(next);
        auto const text = std::get_if<std::string>(&next);
        owner_->complete(next, text != nullptr ? *text : std::string(), std::move(handler));
    }

private:
    std::shared_ptr<scripted_transport> owner_;
    std::deque<part> parts_;
    bool ended_ = false;
};

scripted_transport::part scripted_transport::step(part scripted) {
    auto const n = steps_++;
    if (n == fail_step_) return fail_code_;
    if (n != hang_step_) return scripted;
    asio::post(executor_, on_hang_);
    return std::monostate();
}

template <class T>
void scripted_transport::complete(part const& p, T value, kube::any_handler<void(error_code, T)> handler) {
    auto const deliver = [work = asio::make_work_guard(handler, executor_)](auto h, error_code ec, T v) {
        asio::dispatch(work.get_executor(), [ec, v = std::move(v), h = std::move(h)]() mutable {
            std::move(h)(ec, ec ? T() : std::move(v));
        });
    };
    if (!std::holds_alternative<std::monostate>(p)) {
        auto const ec = std::holds_alternative<error_code>(p) ? std::get<error_code>(p) : error_code();
        asio::post(executor_, [deliver, ec, v = std::move(value), h = std::move(handler)]() mutable {
            deliver(std::move(h), ec, std::move(v));
        });
        return;
    }
    // A timer that never expires ends only by the cancellation that its handler carries.
    auto timer = std::make_shared<asio::steady_timer>(executor_, asio::steady_timer::time_point::max());
    if (auto slot = asio::get_associated_cancellation_slot(handler); slot.is_connected())
        slot.assign([weak = std::weak_ptr(timer)](asio::cancellation_type) {
            if (auto const t = weak.lock()) t->cancel();
        });
    timer->async_wait(
        [deliver, timer, h = std::move(handler)](error_code ec) mutable { deliver(std::move(h), ec, T()); });
}

void scripted_transport::async_open(kube::http_request request,
                                    kube::any_handler<void(error_code, kube::streamed_response)> handler) {
    constexpr std::string_view key = "&timeoutSeconds=";
    if (auto const at = request.target.find(key); at != std::string::npos)
        request.target.replace(at + key.size(), 3, "300");
    kube::streamed_response answer;
    part result = std::string();
    if (script_.empty() || script_.front().method_ != request.method || script_.front().target_ != request.target) {
        surprises_.push_back(request.method + " " + request.target);
        result = make_error_code(errc::protocol);
    } else {
        auto exchange = std::move(script_.front());
        script_.pop_front();
        if (exchange.refusal_) result = exchange.refusal_;
        answer.head.status = exchange.status_;
        answer.head.fields = std::move(exchange.fields_);
        answer.body = std::make_unique<body>(shared_from_this(), std::move(exchange.body_));
    }
    requests_.push_back(std::move(request));
    result = step(std::move(result));
    complete(result, std::move(answer), std::move(handler));
}

} // namespace kftrain::test
