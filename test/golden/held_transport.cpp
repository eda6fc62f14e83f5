#include "golden/held_transport.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>

#include <utility>

namespace golden {

using namespace kftrain;
namespace asio = boost::asio;

namespace {

class held_body final : public kube::body_stream {
public:
    held_body(std::unique_ptr<kube::body_stream> b, std::shared_ptr<held_news> n)
        : body_(std::move(b)), news_(std::move(n)) {}

    void async_read(kube::any_handler<void(error_code, std::string)> handler) override {
        auto const slot = asio::get_associated_cancellation_slot(handler);
        auto const kept = std::make_shared<kube::any_handler<void(error_code, std::string)>>(std::move(handler));
        body_->async_read(asio::bind_cancellation_slot(slot, [kept, news = news_](error_code ec, std::string piece) {
            if (ec) return std::move(*kept)(ec, std::move(piece));
            news->hold([kept, piece = std::move(piece)] { std::move (*kept)(error_code(), piece); });
        }));
    }

private:
    std::unique_ptr<kube::body_stream> body_;
    std::shared_ptr<held_news> news_;
};

} // namespace

void held_news::hold(std::function<void()> say) {
    if (open_) return say();
    held_.push_back(std::move(say));
}

bool held_news::release() {
    auto const held = std::exchange(held_, {});
    for (auto const& say : held) say();
    return !held.empty();
}

void held_news::open() {
    open_ = true;
    release();
}

void held_transport::async_open(kube::http_request request,
                                kube::any_handler<void(error_code, kube::streamed_response)> handler) {
    if (request.method != "GET" || request.target.find("watch=") == std::string::npos)
        return inner_->async_open(std::move(request), std::move(handler));
    auto const slot = asio::get_associated_cancellation_slot(handler);
    inner_->async_open(std::move(request),
                       asio::bind_cancellation_slot(
                           slot, [h = std::move(handler), n = news_](error_code ec, kube::streamed_response r) mutable {
                               if (r.body) r.body = std::make_unique<held_body>(std::move(r.body), n);
                               std::move(h)(ec, std::move(r));
                           }));
}

} // namespace golden
