// A small HTTP/1.1 server: requests and replies as values, streams, limits, a token, metrics, and a graceful shutdown.
#ifndef EXAMPLE_HTTP_SERVER_HPP
#define EXAMPLE_HTTP_SERVER_HPP

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace service {

namespace asio = boost::asio;

struct http_request {
    http_request() = default;

    std::string method;                       ///< such as `GET`
    std::vector<std::string> parts;           ///< segments of the path, decoded
    std::map<std::string, std::string> query; ///< decoded
    std::string idempotency_key;              ///< the field `Idempotency-Key`
    bool wants_events = false;                ///< `Accept: text/event-stream`
    std::string body;
};

struct reply {
    reply() = default;
    reply(unsigned code, std::string text, std::string media_type = "application/json")
        : status(code), body(std::move(text)), type(std::move(media_type)) {}

    unsigned status = 200;
    std::string body;
    std::string type = "application/json";
};

/// The next piece of a stream.
struct piece {
    piece() = default;

    std::string text;             ///< empty: nothing happened for a while
    bool is_last = false;         ///< the stream ends after this piece
    std::optional<reply> refusal; ///< the stream fails; if nothing has been sent yet, this is the reply
};

/// A reply that is sent piece by piece until the client disconnects.
struct stream {
    stream() = default;

    std::string type;                             ///< the media type
    std::string idle;                             ///< sent if nothing happened, so that proxies keep the connection
    std::function<asio::awaitable<piece>()> next; ///< must not throw
};

using answer = std::variant<reply, stream>;

struct server_options {
    server_options() = default;

    std::string address = "127.0.0.1";
    unsigned short port = 8080;
    std::string token; ///< requests must have it, unless `is_public` holds; empty: none is needed
    std::function<bool(http_request const&)> is_public;
    std::function<std::string(http_request const&)> route_name; ///< label of the metrics; one of a fixed set
    std::size_t max_body = std::size_t(1) << 20U;
    std::size_t max_connections = 256;
    std::chrono::seconds request_time{30}; ///< to send a request, and to take a reply
};

struct server_state;

class server {
public:
    /// Listens. Throws boost::system::system_error if the address cannot be used.
    server(asio::any_io_executor executor, server_options options,
           std::function<asio::awaitable<answer>(http_request const&)> handle);
    ~server();

    std::string endpoint() const;
    /// Accepts connections until stop(), then waits until all requests are answered.
    asio::awaitable<void> run();
    /// Accepts no more requests; ends streams and idle connections.
    void stop();
    /// Counts of requests, connections and streams in the format of Prometheus.
    std::string metrics() const;

private:
    std::shared_ptr<server_state> state_;
};

} // namespace service

#endif
