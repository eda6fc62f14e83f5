#ifndef KFTRAIN_TEST_GOLDEN_HELD_TRANSPORT_HPP
#define KFTRAIN_TEST_GOLDEN_HELD_TRANSPORT_HPP

#include <kftrain/kube/transport.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace golden {

/// What watches have to say, until it may be said.
class held_news {
public:
    /// Runs `say` at once if nothing is held any more.
    void hold(std::function<void()> say);
    /// Says all that is held now; false if it is nothing.
    bool release();
    /// From now on nothing is held.
    void open();

private:
    std::vector<std::function<void()>> held_;
    bool open_ = false;
};

/// Passes requests on, and holds back what watches bring.
class held_transport final : public kftrain::kube::transport {
public:
    explicit held_transport(std::shared_ptr<kftrain::kube::transport> t) : inner_(std::move(t)) {}

    boost::asio::any_io_executor get_executor() const noexcept override { return inner_->get_executor(); }
    void async_open(kftrain::kube::http_request request,
                    kftrain::kube::any_handler<void(kftrain::error_code, kftrain::kube::streamed_response)>) override;

    bool release() { return news_->release(); }
    void release_all() { news_->open(); }

private:
    std::shared_ptr<kftrain::kube::transport> inner_;
    std::shared_ptr<held_news> news_ = std::make_shared<held_news>();
};

} // namespace golden

#endif
