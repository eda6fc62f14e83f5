#ifndef KFTRAIN_TEST_ASYNC_HELD_TRANSPORT_HPP
#define KFTRAIN_TEST_ASYNC_HELD_TRANSPORT_HPP

#include "async/faulty_transport.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>

namespace kftrain::test {

/// Holds writes back until the test says in which order they are answered, and how. Remembers in which they were sent.
class held_transport final : public kube::transport {
    using open_handler = kube::any_handler<void(error_code, kube::streamed_response)>;

public:
    explicit held_transport(std::shared_ptr<kube::transport> t) : inner_(std::move(t)) {}

    asio::any_io_executor get_executor() const noexcept override { return inner_->get_executor(); }
    void async_open(kube::http_request request, open_handler handler) override {
        if (request.method == "GET" || (passes && passes(request)))
            return inner_->async_open(std::move(request), std::move(handler));
        sent.push_back(describe ? describe(request) : what(request));
        held_.push_back(std::make_unique<held>(std::move(request), std::move(handler)));
        most = std::max(most, held_.size());
    }

    /// Lets the write go that was sent as the `at`th of those that are held, or answers instead of the server.
    void answer(std::size_t at = 0, std::optional<fault> const& instead = std::nullopt) {
        BOOST_REQUIRE(at < held_.size());
        auto const one = std::move(held_[at]);
        held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(at));
        if (!instead) return inner_->async_open(std::move(one->request), std::move(one->handler));
        kube::streamed_response r;
        r.head.status = instead->status;
        if (!instead->ec) r.body = std::make_unique<ready_body>(get_executor(), instead->text);
        asio::post(get_executor(), asio::append(std::move(one->handler), instead->ec, std::move(r)));
    }
    std::size_t under_way() const { return held_.size(); }
    /// Forgets what is held and will not be answered: its handlers keep their client, which keeps this.
    void drop() { std::exchange(held_, {}).clear(); }

    std::function<bool(kube::http_request const&)> passes; ///< those that are not held
    std::function<std::string(kube::http_request const&)>
        describe;                  ///< what `sent` shall say; else what is written below
    std::vector<std::string> sent; ///< `POST pods a`, `DELETE services b`, ...
    std::size_t most = 0;          ///< that were under way

private:
    struct held {
        held(kube::http_request r, open_handler h) : request(std::move(r)), handler(std::move(h)) {}

        kube::http_request request;
        open_handler handler;
    };

    static std::string what(kube::http_request const& r) {
        static constexpr std::string_view before = "/namespaces/corpus/";
        auto target = r.target.substr(0, r.target.find('?'));
        if (auto const at = target.find(before); at != std::string::npos) target.erase(0, at + before.size());
        std::replace(target.begin(), target.end(), '/', ' ');
        if (r.method == "POST")
            if (auto const at = r.body.find(R"("name":")"); at != std::string::npos)
                target += " " + r.body.substr(at + 8, r.body.find('"', at + 8) - at - 8);
        return r.method + " " + target;
    }

    std::shared_ptr<kube::transport> inner_;
    std::deque<std::unique_ptr<held>> held_;
};

} // namespace kftrain::test

#endif
