#include <kftrain/kube/https_transport.hpp>

#include "kube/operation.hpp"
#include "kube/redaction.hpp"
#include "kube/transport_exchange.hpp"
#include "kube/transport_request.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>

namespace kftrain::kube {
namespace detail {
namespace {

namespace http = boost::beast::http;

struct head_outcome {
    head_outcome() = default;

    error_code ec;
    bool untouched = false; // the server cannot have acted upon the request
    bool unanswered = false;
};

asio::awaitable<head_outcome> read_head(exchange& x, std::string const& method) {
    head_outcome out;
    for (;;) {
        x.head = std::make_unique<response_parser>();
        x.head->header_limit(static_cast<std::uint32_t>(x.header_limit));
        x.head->body_limit(boost::none);
        x.head->skip(method == "HEAD");
        co_await http::async_read_header(x.link->stream, x.buffer, *x.head,
                                         asio::redirect_error(asio::use_awaitable, out.ec));
        if (out.ec) {
            out.unanswered = !x.head->got_some() && x.buffer.size() == 0;
            co_return out;
        }
        unsigned const status = x.head->head().status;
        if (status < 100 || status >= 200) co_return out;
        if (status == 101) { // never asked for
            out.ec = http::error::bad_status;
            co_return out;
        }
    }
}

asio::awaitable<head_outcome> send(exchange& x, std::string const& text, std::string const& method) {
    error_code ec;
    std::size_t const written =
        co_await asio::async_write(x.link->stream, asio::buffer(text), asio::redirect_error(asio::use_awaitable, ec));
    if (ec == asio::error::operation_aborted) fail(ec);
    // A server may refuse a large request early and close: its answer says more than the broken pipe.
    head_outcome out = co_await read_head(x, method);
    if (ec && out.ec) {
        out.ec = ec;
        out.untouched = written == 0 && out.unanswered;
    }
    co_return out;
}

struct link_state {
    link_state(std::shared_ptr<connection_pool> p, server_url s, std::unique_ptr<bearer> t, config const& c,
               https_options const& o)
        : pool(std::move(p)), server(std::move(s)), token(std::move(t)), options(o) {
        hidden.add(c.token);
        hidden.add(c.client_key_pem);
    }

    std::shared_ptr<connection_pool> pool;
    server_url server;
    std::unique_ptr<bearer> token;
    https_options options;
    secrets hidden;
};

asio::awaitable<streamed_response> open_body(std::shared_ptr<link_state> s, http_request request) {
    auto text = write_request(request, s->server, s->token->authorization());
    if (!text) fail(text.error().code);
    bool const safe = request.method == "GET" || request.method == "HEAD";
    for (bool fresh = false;; fresh = true) {
        auto link = fresh ? nullptr : s->pool->take();
        bool const reused = link != nullptr;
        streamed_response answer;
        if (!link) link = co_await s->pool->connect(answer.cause);
        if (!link) co_return answer;
        auto x = std::make_shared<exchange>(s->pool, std::move(link), s->options.header_limit);
        head_outcome out = co_await send(*x, *text, request.method);
        if (out.ec) {
            // The server may have closed the kept connection while the request was under way to it.
            bool const stale = reused && is_lost(out.ec) && (out.untouched || (safe && out.unanswered));
            if (stale) continue;
            if (!out.untouched) fail(public_code(out.ec));
            answer.cause = out.ec;
            co_return answer;
        }
        answer.head = std::move(x->head->head());
        if (answer.head.status == 401) s->token->forget();
        answer.body = body_of(std::move(x));
        co_return answer;
    }
}

class https_transport final : public transport {
public:
    explicit https_transport(std::shared_ptr<link_state> s) : state_(std::move(s)) {}

    asio::any_io_executor get_executor() const noexcept override { return state_->pool->executor(); }
    void async_open(http_request request, any_handler<void(error_code, streamed_response)> handler) override {
        auto const slot = asio::get_associated_cancellation_slot(handler);
        auto const executor = asio::get_associated_executor(handler, get_executor());
        // The cause must come with the answer: a coroutine that fails hands back a code alone.
        auto judge = [h = std::move(handler)](error_code ec, streamed_response answer) mutable {
            if (!ec && answer.cause) ec = errc::unreachable;
            std::move(h)(ec, std::move(answer));
        };
        any_handler<void(error_code, streamed_response)> judged(
            asio::bind_cancellation_slot(slot, asio::bind_executor(executor, std::move(judge))));
        spawn(get_executor(), open_body(state_, std::move(request)), deadline(), std::move(judged));
    }

    std::string redact(std::string text) const override {
        auto hidden = state_->hidden;
        state_->token->add_to(hidden);
        return hidden.hide(std::move(text));
    }

private:
    std::shared_ptr<link_state> state_;
};

} // namespace
} // namespace detail

result<std::shared_ptr<transport>> make_https_transport(asio::any_io_executor executor, config const& c,
                                                        https_options const& options) {
    bool const secrets = !c.ca_pem.empty() || !c.client_certificate_pem.empty() || c.insecure_skip_tls_verify;
    auto server = detail::parse_server_url(c.server, secrets);
    if (!server) return server.error();
    auto factory = server->tls ? detail::make_tls_factory(c, server->host) : detail::make_tcp_factory();
    if (!factory) return factory.error();
    // A token must not travel in the open.
    auto token = server->tls ? detail::make_bearer(c.token, c.token_file) : detail::make_bearer({}, {});
    if (!token) return token.error();
    auto pool = std::make_shared<detail::connection_pool>(std::move(executor), server->host, server->port,
                                                          std::move(*factory), options);
    auto state =
        std::make_shared<detail::link_state>(std::move(pool), std::move(*server), std::move(*token), c, options);
    return std::shared_ptr<transport>(std::make_shared<detail::https_transport>(std::move(state)));
}

} // namespace kftrain::kube
