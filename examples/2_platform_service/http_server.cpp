#include "http_server.hpp"

#include <boost/asio.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/beast.hpp>
#include <boost/url.hpp>

#include <sstream>

namespace service {

namespace http = boost::beast::http;
using tcp = asio::ip::tcp;
using namespace asio::experimental::awaitable_operators;

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

struct server_state {
    server_state(asio::any_io_executor executor, server_options o,
                 std::function<asio::awaitable<answer>(http_request const&)> handler)
        : options(std::move(o)),
          handle(std::move(handler)),
          acceptor(executor, tcp::endpoint(asio::ip::make_address(options.address), options.port)),
          stopped(executor, asio::steady_timer::time_point::max()),
          all_closed(executor, asio::steady_timer::time_point::max()) {}

    bool is_stopping() const { return !acceptor.is_open(); }

    server_options options;
    std::function<asio::awaitable<answer>(http_request const&)> handle;
    tcp::acceptor acceptor;
    asio::steady_timer stopped;    ///< expires in stop()
    asio::steady_timer all_closed; ///< never expires: cancel() wakes run()
    std::size_t connections = 0, streams = 0;
    std::map<std::pair<std::string, unsigned>, std::uint64_t> requests; // by route and status
};

namespace {

/// Compares without a hint at the place of the first difference.
bool is_token(std::string_view candidate, std::string_view token) {
    unsigned difference = candidate.size() == token.size() ? 0 : 1;
    for (std::size_t i = 0; i < candidate.size(); ++i)
        difference |= static_cast<unsigned char>(candidate[i]) ^ static_cast<unsigned char>(token[i % token.size()]);
    return difference == 0;
}

reply problem(unsigned status, std::string const& message) {
    return {status, "{\"message\":\"" + message + "\"}"}; // of plain words
}

std::string_view field_of(http::request<http::string_body> const& message, std::string_view name) {
    auto const value = message[{name.data(), name.size()}];
    return {value.data(), value.size()};
}

/// Whether `host`, with or without a port, is `localhost` or a loopback address.
bool is_loopback(std::string_view host) {
    auto const authority = boost::urls::parse_authority({host.data(), host.size()});
    if (!authority) return false;
    std::string const name = authority->host_address();
    boost::system::error_code ec;
    auto const address = asio::ip::make_address(name, ec);
    return ec ? boost::beast::iequals(name, "localhost") : address.is_loopback();
}

/// Takes a request apart; empty if its target cannot be read.
std::optional<http_request> parsed(http::request<http::string_body>& from) {
    auto const url = boost::urls::parse_origin_form({from.target().data(), from.target().size()});
    if (!url) return std::nullopt;
    http_request out;
    out.method = from.method() == http::verb::head ? "GET" : std::string(from.method_string());
    for (auto const& s : url->segments()) out.parts.push_back(s);
    for (auto const& p : url->params()) out.query.emplace(p.key, p.value);
    out.idempotency_key = std::string(from["Idempotency-Key"]);
    out.wants_events = from[http::field::accept].find("text/event-stream") != std::string_view::npos;
    out.body = std::move(from.body());
    return out;
}

/// One connection. It keeps nothing between requests.
class connection {
public:
    connection(tcp::socket socket, std::shared_ptr<server_state> state)
        : link_(std::move(socket)), state_(std::move(state)) {}

    asio::awaitable<void> run() {
        bool more = true;
        while (more && !state_->is_stopping()) {
            http::request_parser<http::string_body> parser;
            parser.body_limit(state_->options.max_body);
            link_.expires_after(state_->options.request_time);
            auto read = http::async_read(link_, buffer_, parser, as_result);
            auto const done = co_await (std::move(read) || state_->stopped.async_wait(as_result));
            if (done.index() == 1) co_return;
            auto const ec = std::get<0>(std::get<0>(done));
            if (ec) {
                if (ec == http::error::body_limit)
                    co_await refuse(problem(413, "the body is too large"));
                else if (ec != http::error::end_of_stream &&
                         ec.category() == http::make_error_code(http::error::end_of_stream).category())
                    co_await refuse(problem(400, "this is not HTTP"));
                co_return;
            }
            auto message = parser.release();
            more = message.keep_alive();
            more = co_await respond(message, more);
        }
    }

private:
    /// Returns whether the connection can be used for another request.
    asio::awaitable<bool> respond(http::request<http::string_body>& message, bool keep_alive) {
        auto const request = parsed(message);
        std::string const route = request ? state_->options.route_name(*request) : "other";
        answer response = check(message, request);
        bool const is_refused = std::get<reply>(response).status != 200;
        if (!is_refused) {
            try {
                response = co_await state_->handle(*request);
            } catch (std::exception const&) {
                response = problem(500, "the service failed");
            }
        }
        bool const is_head = message.method() == http::verb::head;
        if (auto* const live = std::get_if<stream>(&response); live != nullptr && is_head) {
            response = reply(200, "", live->type);
        } else if (live != nullptr) {
            auto const refused = co_await send(*live, route);
            if (!refused) co_return false;
            response = *refused;
        }
        auto const& last = std::get<reply>(response);
        count(route, last.status);
        bool const more = keep_alive && !state_->is_stopping();
        co_await write(last, more, is_head);
        co_return more;
    }

    /// A reply of status 200 if the request may be handled.
    reply check(http::request<http::string_body> const& message, std::optional<http_request> const& request) const {
        if (!request) return problem(400, "target: expected a path, percent-encoded, and perhaps a query");
        auto const& options = state_->options;
        // A page of another site must not use the browser of a user to send requests here, but may link to our page.
        auto const site = field_of(message, "Sec-Fetch-Site");
        bool const is_link = request->method == "GET" && field_of(message, "Sec-Fetch-Mode") == "navigate" &&
                             options.is_public(*request);
        if ((site == "cross-site" || site == "same-site") && !is_link)
            return problem(403, "requests of other sites are refused");
        if (options.token.empty()) return check_without_token(message);
        if (options.is_public(*request)) return {};
        auto const authorization = field_of(message, "Authorization");
        bool const is_known = boost::beast::iequals(authorization.substr(0, 7), "Bearer ") &&
                              is_token(authorization.substr(7), options.token);
        return is_known ? reply() : problem(401, "expected the field Authorization with a valid bearer token");
    }

    /// Other sites can let their own host names lead to this machine. A browser then takes the service for one of
    /// these sites, and sends no `Sec-Fetch-Site: cross-site`.
    static reply check_without_token(http::request<http::string_body> const& message) {
        auto const host = field_of(message, "Host"), origin = field_of(message, "Origin");
        if (!is_loopback(host))
            return problem(403, "Host: expected localhost or a loopback address, because the service has no token");
        bool const is_own = origin.empty() || origin.ends_with("//" + std::string(host));
        return is_own ? reply() : problem(403, "Origin: expected the host and the port of the field Host");
    }

    /// Sends the pieces until the end; returns the refusal of a stream that fails before its first piece.
    asio::awaitable<std::optional<reply>> send(stream& live, std::string const& route) {
        http::response<http::empty_body> head(http::status::ok, 11);
        head.set(http::field::content_type, live.type);
        head.set(http::field::cache_control, "no-store");
        head.chunked(true);
        head.keep_alive(false);
        http::response_serializer<http::empty_body> begin(head);
        link_.expires_never();
        ++state_->streams;
        std::optional<reply> refused;
        for (bool more = true; more;) {
            auto const next = co_await (live.next() || gone() || state_->stopped.async_wait(as_result));
            if (next.index() == 1) break;
            piece got;
            got.is_last = true; // the service stops
            if (next.index() == 0) got = std::get<0>(next);
            if (got.refusal && !begin.is_header_done()) {
                refused = got.refusal;
                break;
            }
            if (!begin.is_header_done()) {
                count(route, 200);
                co_await http::async_write_header(link_, begin, as_result);
            }
            std::string const& text = got.text.empty() ? live.idle : got.text;
            more = !got.is_last;
            link_.expires_after(state_->options.request_time); // a client that reads nothing
            boost::system::error_code bad;
            if (!text.empty() && (more || !got.text.empty())) {
                auto const written = co_await asio::async_write(link_, http::make_chunk(asio::buffer(text)), as_result);
                bad = std::get<0>(written);
            }
            if (!more && !bad) co_await asio::async_write(link_, http::make_chunk_last(), as_result);
            link_.expires_never();
            more = more && !bad;
        }
        --state_->streams;
        co_return refused;
    }

    /// Completes when the client has disconnected, or sends what it should not.
    asio::awaitable<void> gone() { co_await link_.socket().async_wait(tcp::socket::wait_read, as_result); }

    asio::awaitable<void> refuse(reply response) {
        count("other", response.status);
        co_await write(response, false, false);
        // Without this, the kernel resets the connection because of what was not read, and the reply is lost.
        link_.socket().shutdown(tcp::socket::shutdown_send, ignored_);
        char rest[4096];
        std::size_t most = state_->options.max_body;
        for (;;) {
            auto const got = co_await link_.async_read_some(asio::buffer(rest), as_result);
            if (std::get<0>(got) || std::get<1>(got) > most) break;
            most -= std::get<1>(got);
        }
    }

    asio::awaitable<void> write(reply const& response, bool keep_alive, bool is_head) {
        http::response<http::string_body> message(static_cast<http::status>(response.status), 11, response.body);
        message.set(http::field::content_type, response.type);
        message.set("X-Content-Type-Options", "nosniff");
        if (response.type.starts_with("text/html")) // no scripts, styles and pictures from elsewhere
            message.set("Content-Security-Policy",
                        "default-src 'none'; connect-src 'self'; script-src 'unsafe-inline'; "
                        "style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'");
        if (response.status == 401) message.set(http::field::www_authenticate, "Bearer");
        message.keep_alive(keep_alive);
        message.prepare_payload();
        if (is_head) message.body().clear();
        link_.expires_after(state_->options.request_time);
        co_await http::async_write(link_, message, as_result); // if it fails, so does the next read
    }

    void count(std::string const& route, unsigned status) { ++state_->requests[{route, status}]; }

    boost::beast::tcp_stream link_;
    boost::beast::flat_buffer buffer_;
    std::shared_ptr<server_state> state_;
    boost::system::error_code ignored_;
};

} // namespace

server::server(asio::any_io_executor executor, server_options options,
               std::function<asio::awaitable<answer>(http_request const&)> handle)
    : state_(std::make_shared<server_state>(std::move(executor), std::move(options), std::move(handle))) {}

server::~server() = default;

std::string server::endpoint() const {
    std::ostringstream out;
    out << state_->acceptor.local_endpoint();
    return out.str();
}

asio::awaitable<void> server::run() {
    auto const shared = state_; // may outlive the server
    while (!shared->is_stopping()) {
        auto [ec, socket] = co_await shared->acceptor.async_accept(as_result);
        if (ec && !shared->is_stopping()) { // too many open files, for example
            asio::steady_timer pause(shared->acceptor.get_executor(), std::chrono::milliseconds(100));
            co_await pause.async_wait(as_result);
        }
        if (ec || shared->connections >= shared->options.max_connections) continue; // closes the socket
        ++shared->connections;
        auto const one = std::make_shared<connection>(std::move(socket), shared);
        asio::co_spawn(shared->acceptor.get_executor(), one->run(), [one, shared](std::exception_ptr) {
            if (--shared->connections == 0) shared->all_closed.cancel();
        });
    }
    while (shared->connections != 0) co_await shared->all_closed.async_wait(as_result);
}

void server::stop() {
    boost::system::error_code ignored;
    state_->acceptor.close(ignored);
    state_->stopped.expires_at(asio::steady_timer::time_point::min()); // also for waits that begin later
}

std::string server::metrics() const {
    std::ostringstream out;
    out << "# HELP platform_service_requests_total Answered requests.\n"
           "# TYPE platform_service_requests_total counter\n";
    for (auto const& [labels, count] : state_->requests)
        out << "platform_service_requests_total{route=\"" << labels.first << "\",code=\"" << labels.second << "\"} "
            << count << '\n';
    out << "# HELP platform_service_connections Open connections.\n# TYPE platform_service_connections gauge\n"
        << "platform_service_connections " << state_->connections << '\n'
        << "# HELP platform_service_streams Open streams.\n# TYPE platform_service_streams gauge\n"
        << "platform_service_streams " << state_->streams << '\n';
    return out.str();
}

} // namespace service
