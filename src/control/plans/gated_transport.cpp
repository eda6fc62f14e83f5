#include "control/plans/gated_transport.hpp"

#include "kube/async/waiting_caller.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <optional>
#include <vector>

namespace kftrain::control {

namespace asio = boost::asio;
using open_handler = kube::any_handler<void(error_code, kube::streamed_response)>;

/// One request under way.
class gated_transport::flight : public std::enable_shared_from_this<flight> {
public:
    flight(asio::any_io_executor const& executor, std::shared_ptr<std::set<flight*>> all, open_handler handler)
        : executor_(executor), all_(std::move(all)) {
        auto& caller = caller_.emplace(std::move(handler), executor_);
        all_->insert(this);
        auto slot = caller.slot();
        if (slot.is_connected())
            slot.assign([this](asio::cancellation_type type) { signal_.emit(type); }); // cleared before this goes
    }
    flight(flight const&) = delete;
    flight& operator=(flight const&) = delete;
    ~flight() { all_->erase(this); }

    asio::cancellation_slot slot() noexcept { return signal_.slot(); }
    void end(error_code ec, kube::streamed_response answer) {
        if (!caller_) return;
        auto caller = take(caller_);
        if (auto slot = caller.slot(); slot.is_connected()) slot.clear();
        caller.complete_later(executor_, ec, std::move(answer));
    }
    void cut(error_code why) {
        auto const self = shared_from_this();
        end(why, {});
        signal_.emit(asio::cancellation_type::terminal);
    }

private:
    asio::any_io_executor executor_;
    std::shared_ptr<std::set<flight*>> all_;
    asio::cancellation_signal signal_;
    std::optional<kube::waiting_caller<kube::streamed_response>> caller_;
};

void gated_transport::async_open(kube::http_request request, open_handler handler) {
    error_code why = shut_;
    if (!why && allowed_ && !allowed_()) why = errc::leadership_lost;
    if (why) return kube::complete_later(get_executor(), std::move(handler), why, kube::streamed_response());
    auto const f = std::make_shared<flight>(get_executor(), flights_, std::move(handler));
    inner_->async_open(std::move(request),
                       asio::bind_cancellation_slot(f->slot(), [f](error_code ec, kube::streamed_response answer) {
                           f->end(ec, std::move(answer));
                       }));
}

void gated_transport::shut(error_code why) {
    shut_ = why;
    std::vector<std::shared_ptr<flight>> all;
    for (auto* f : *flights_) all.push_back(f->shared_from_this());
    for (auto const& f : all) f->cut(why);
}

} // namespace kftrain::control
