#ifndef KFTRAIN_TEST_SUPPORT_BODIES_HPP
#define KFTRAIN_TEST_SUPPORT_BODIES_HPP

#include <kftrain/kube/transport.hpp>

#include <boost/asio/append.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace kftrain::test {

namespace asio = boost::asio;

/// A Kubernetes Status as JSON.
inline std::string status_text(std::string const& reason, unsigned code, std::string const& message,
                               std::string const& more = "") {
    return R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":")" + message +
           R"(","reason":")" + reason + "\"" + more + ",\"code\":" + std::to_string(code) + "}";
}

/// A response body that has arrived completely.
class ready_body final : public kube::body_stream {
public:
    ready_body(asio::any_io_executor ex, std::string text) : executor_(std::move(ex)), text_(std::move(text)) {}

    void async_read(kube::any_handler<void(error_code, std::string)> handler) override {
        error_code const ec = text_.empty() ? error_code(asio::error::eof) : error_code();
        asio::post(executor_, asio::append(std::move(handler), ec, std::exchange(text_, {})));
    }

private:
    asio::any_io_executor executor_;
    std::string text_;
};

/// Reads a response body to its end.
inline void read_all(std::shared_ptr<kube::body_stream> const& body, std::string text,
                     std::function<void(std::string)> const& done) {
    body->async_read([body, text = std::move(text), done](error_code ec, std::string piece) mutable {
        if (ec) return done(std::move(text));
        read_all(body, text + piece, done);
    });
}

} // namespace kftrain::test

#endif
