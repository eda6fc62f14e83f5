#include "kube/exec/web_socket_bytes.hpp"

#include "kube/async/waiting_caller.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>

#include <exception>
#include <tuple>
#include <utility>

namespace kftrain::kube::detail {
namespace {

asio::awaitable<std::tuple<error_code, std::string>> next_message(std::shared_ptr<web_socket> socket) {
    for (;;) {
        auto outcome = co_await web_socket::read(socket);
        if (std::get<0>(outcome) || !std::get<1>(outcome).empty()) co_return outcome;
    }
}

class web_socket_bytes final : public upgraded_stream {
public:
    web_socket_bytes(asio::any_io_executor executor, std::shared_ptr<web_socket> socket)
        : executor_(std::move(executor)), socket_(std::move(socket)) {}
    web_socket_bytes(web_socket_bytes const&) = delete;
    web_socket_bytes& operator=(web_socket_bytes const&) = delete;
    ~web_socket_bytes() override { close(); }

    void async_read(any_handler<void(error_code, std::string)> handler) override {
        auto caller = std::make_shared<waiting_caller<std::string>>(std::move(handler), executor_);
        asio::co_spawn(executor_, next_message(socket_),
                       [caller](std::exception_ptr e, std::tuple<error_code, std::string> outcome) {
                           auto& [ec, bytes] = outcome;
                           if (e) ec = asio::error::operation_aborted;
                           caller->complete(ec, std::move(bytes));
                       });
    }

    void async_write(std::string bytes, any_handler<void(error_code)> handler) override {
        auto caller = std::make_shared<waiting_caller<>>(std::move(handler), executor_);
        asio::co_spawn(executor_, web_socket::write(socket_, std::move(bytes)),
                       [caller](std::exception_ptr e, error_code ec) {
                           caller->complete(e ? make_error_code(asio::error::operation_aborted) : ec);
                       });
    }

    void close() noexcept override { socket_->cut(); }

private:
    asio::any_io_executor executor_;
    std::shared_ptr<web_socket> socket_;
};

} // namespace

std::unique_ptr<upgraded_stream> make_web_socket_bytes(asio::any_io_executor executor,
                                                       std::shared_ptr<web_socket> socket) {
    return std::make_unique<web_socket_bytes>(std::move(executor), std::move(socket));
}

} // namespace kftrain::kube::detail
