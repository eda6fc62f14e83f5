#include "kube/client_call.hpp"

#include "kube/call_steps.hpp"

#include <type_traits>
#include <utility>

namespace kftrain::kube::detail {
namespace {

/// A call for the text of a body, or for the body.
template <class T> class call_for final : public client_call {
public:
    using handler_type = any_handler<void(error_code, T)>;

    call_for(std::shared_ptr<client::state> const& s, handler_type handler, http_request r, call_options o,
             call_report* external)
        : client_call(s, std::move(r), o, external), caller_(std::move(handler), s->completion_executor) {}

private:
    static constexpr bool streams = !std::is_same_v<T, std::string>;

    bool wants_stream() const noexcept override { return streams; }
    void deliver(error_code ec) override {
        T value;
        if constexpr (streams) {
            if (!ec) value = std::move(answer_body);
        } else {
            if (!ec) value = answer_text.take();
        }
        caller_.complete(ec, std::move(value));
    }
    void deliver_later(error_code ec) override { caller_.fail_later(executor(), ec); }

    waiting_caller<T> caller_;
};

template <class T>
void start(std::shared_ptr<client::state> const& s, any_handler<void(error_code, T)> handler, http_request request,
           call_options options, call_report* report) {
    auto const caller = asio::get_associated_cancellation_slot(handler);
    std::make_shared<call_for<T>>(s, std::move(handler), std::move(request), options, report)->start(caller);
}

} // namespace

void carry_out(std::shared_ptr<client::state> const& s, any_handler<void(error_code, std::string)> handler,
               http_request request, call_options options, call_report* report) {
    start(s, std::move(handler), std::move(request), options, report);
}

void carry_out(std::shared_ptr<client::state> const& s,
               any_handler<void(error_code, std::unique_ptr<body_stream>)> handler, http_request request,
               call_options options, call_report* report) {
    start(s, std::move(handler), std::move(request), options, report);
}

} // namespace kftrain::kube::detail
