#include "bench/server/plain_server.hpp"

#include "bench/support/measurement.hpp"

#include <kftrain/apiserver/tls_identity.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_to.hpp>

#include <map>
#include <set>

#include <signal.h>

namespace kftrain::bench {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace json = boost::json;
using tls_stream = beast::ssl_stream<beast::tcp_stream>;

/// The data to send to one watcher.
struct watcher {
    explicit watcher(asio::any_io_executor executor)
        : more(std::move(executor), asio::steady_timer::time_point::max()) {}

    std::vector<std::shared_ptr<std::string const>> waiting;
    asio::steady_timer more; ///< cancelled when something waits
};

/// RFC 7396.
void merge(json::value& into, json::value const& change) {
    if (!change.is_object()) {
        into = change;
        return;
    }
    if (!into.is_object()) into.emplace_object();
    for (auto const& [name, value] : change.get_object()) {
        if (value.is_null())
            into.get_object().erase(name);
        else
            merge(into.get_object()[name], value);
    }
}

class collection {
public:
    std::string create(std::string const& body) {
        auto object = json::parse(body);
        auto& metadata = object.at("metadata").as_object();
        metadata["uid"] = "00000000-0000-4000-8000-" + std::to_string(100'000'000'000 + version_);
        metadata["creationTimestamp"] = "2026-03-01T00:00:00Z";
        return store("ADDED", std::move(object));
    }
    std::string patch(std::string const& name, std::string const& body) {
        auto object = json::parse(texts_.at(name));
        merge(object, json::parse(body));
        return store("MODIFIED", std::move(object));
    }
    std::string list() const {
        std::string text = R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":")" +
                           std::to_string(version_) + R"("},"items":[)";
        for (auto const& [name, object] : texts_) {
            if (text.back() != '[') text += ',';
            text += object;
        }
        return text + "]}";
    }
    std::set<watcher*>& watchers() noexcept { return watchers_; }

private:
    std::string store(char const* what, json::value object) {
        auto& metadata = object.at("metadata").as_object();
        metadata["resourceVersion"] = std::to_string(++version_);
        auto name = json::value_to<std::string>(metadata.at("name"));
        auto text = json::serialize(object);
        if (!watchers_.empty()) {
            auto const event = std::make_shared<std::string const>(std::string(R"({"type":")") + what +
                                                                   R"(","object":)" + text + "}\n");
            for (auto* w : watchers_) {
                w->waiting.push_back(event);
                w->more.cancel();
            }
        }
        return texts_[std::move(name)] = std::move(text);
    }

    std::map<std::string, std::string> texts_;
    std::set<watcher*> watchers_;
    long version_ = 1;
};

asio::awaitable<void> feed(tls_stream& stream, collection& objects) {
    auto const executor = co_await asio::this_coro::executor;
    watcher self(executor);
    struct registration {
        registration(collection& c, watcher& w) : all(c), one(w) { all.watchers().insert(&one); }
        ~registration() { all.watchers().erase(&one); }
        collection& all;
        watcher& one;
    } const registered(objects, self);
    http::response<http::empty_body> head(http::status::ok, 11);
    head.set(http::field::content_type, "application/json");
    head.chunked(true);
    http::response_serializer<http::empty_body> writer(head);
    co_await http::async_write_header(stream, writer, asio::use_awaitable);
    for (;;) {
        auto const events = std::exchange(self.waiting, {});
        for (auto const& e : events) {
            auto const chunk = http::make_chunk(asio::buffer(*e));
            co_await asio::async_write(stream, chunk, asio::use_awaitable);
        }
        boost::system::error_code woken;
        if (self.waiting.empty()) co_await self.more.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
}

asio::awaitable<void> serve_connection(tls_stream stream, collection& objects) {
    beast::get_lowest_layer(stream).socket().set_option(asio::ip::tcp::no_delay(true));
    co_await stream.async_handshake(asio::ssl::stream_base::server, asio::use_awaitable);
    beast::flat_buffer buffer;
    buffer.reserve(std::size_t{64} * 1024);
    for (;;) {
        http::request<http::string_body> request;
        co_await http::async_read(stream, buffer, request, asio::use_awaitable);
        std::string const target(request.target().data(), request.target().size());
        if (target.find("watch=true") != std::string::npos) {
            co_await feed(stream, objects);
            co_return;
        }
        http::response<http::string_body> answer(http::status::ok, 11);
        answer.set(http::field::content_type, "application/json");
        if (request.method() == http::verb::post) {
            answer.result(http::status::created);
            answer.body() = objects.create(request.body());
        } else if (request.method() == http::verb::patch) {
            answer.body() = objects.patch(target.substr(target.rfind('/') + 1), request.body());
        } else {
            answer.body() = objects.list();
        }
        answer.prepare_payload();
        co_await http::async_write(stream, answer, asio::use_awaitable);
    }
}

asio::awaitable<void> accept_all(asio::ip::tcp::acceptor& acceptor, asio::ssl::context& tls, collection& objects) {
    for (;;) {
        auto socket = co_await acceptor.async_accept(asio::use_awaitable);
        // Clients that leave end their session by an exception.
        asio::co_spawn(acceptor.get_executor(), serve_connection(tls_stream(std::move(socket), tls), objects),
                       asio::detached);
    }
}

void show_at_signal(asio::signal_set& signals, server_process::show_function const& show) {
    signals.async_wait([&](boost::system::error_code ec, int) {
        if (ec) return;
        show(live_heap_mb());
        show_at_signal(signals, show);
    });
}

} // namespace

void serve_plainly(server_process::ready_function const& ready, server_process::show_function const& show) {
    asio::io_context context(1);
    asio::ip::tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
    auto const identity = apiserver::make_self_signed_identity().value();
    asio::ssl::context tls(asio::ssl::context::tls_server);
    tls.use_certificate_chain(asio::buffer(identity.certificate_pem));
    tls.use_private_key(asio::buffer(identity.key_pem), asio::ssl::context::pem);
    collection objects;
    asio::signal_set shows(context, SIGUSR1);
    show_at_signal(shows, show);
    asio::co_spawn(context, accept_all(acceptor, tls, objects), asio::detached);
    server_address address;
    address.url = "https://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port());
    address.ca_pem = identity.certificate_pem;
    ready(address);
    context.run();
}

} // namespace kftrain::bench
