#include "bench/client/canned_server.hpp"

#include "bench/samples/sample_objects.hpp"

#include <kftrain/apiserver/tls_identity.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/read.hpp>

#include <cstdio>
#include <thread>

namespace kftrain::bench {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tls_stream = asio::ssl::stream<asio::ip::tcp::socket>;

/// One event as it goes out, and where its version and time stand in it.
struct event {
    explicit event(std::string const& object) {
        std::string const body = R"({"type":"MODIFIED","object":)" + object + "}\n";
        char size[24];
        std::snprintf(size, sizeof size, "%zx\r\n", body.size());
        chunk = size + body + "\r\n";
        version = behind(R"("resourceVersion":")");
        time = behind(R"("perf/at":")");
    }
    std::size_t behind(std::string_view what) const {
        auto const at = chunk.find(what);
        if (at == std::string::npos) give_up("an object without " + std::string(what));
        return at + what.size();
    }
    void write(std::size_t at, long long number, int digits) {
        char text[24];
        std::snprintf(text, sizeof text, "%0*lld", digits, number);
        chunk.replace(at, static_cast<std::size_t>(digits), text);
    }

    std::string chunk;
    std::size_t version = 0, time = 0;
};

void stream_events(tls_stream& stream, canned_objects const& from) {
    constexpr std::string_view head =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    asio::write(stream, asio::buffer(head));
    std::vector<event> events(from.objects.begin(), from.objects.end());
    bool const paced = from.pause.count() != 0;
    if (paced) std::this_thread::sleep_for(std::chrono::milliseconds(300)); // the client shall be idle
    auto next = std::chrono::steady_clock::now();
    for (long i = 0; i < from.events; ++i) {
        auto& e = events[static_cast<std::size_t>(i) % events.size()];
        e.write(e.version, 7'001'000'000 + i, 10);
        if (paced) {
            std::this_thread::sleep_until(next += from.pause);
            auto const now = std::chrono::system_clock::now().time_since_epoch();
            e.write(e.time, std::chrono::duration_cast<std::chrono::nanoseconds>(now).count(), 19);
        }
        asio::write(stream, asio::buffer(e.chunk));
    }
    char end = 0; // of the connection
    stream.read_some(asio::buffer(&end, 1));
}

void answer(tls_stream& stream, std::string_view target, std::vector<canned_objects> const& all) {
    for (auto const& a : all) {
        if (target.substr(0, target.find('?')) != a.path) continue;
        if (target.find("watch=") != std::string_view::npos) return stream_events(stream, a);
        std::string const head =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(a.list.size()) +
            "\r\n\r\n";
        asio::write(stream, asio::buffer(head));
        asio::write(stream, asio::buffer(a.list));
        return;
    }
    constexpr std::string_view none = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
    asio::write(stream, asio::buffer(none));
}

void serve_connection(tls_stream stream, std::vector<canned_objects> const& all) {
    try {
        stream.next_layer().set_option(asio::ip::tcp::no_delay(true));
        stream.handshake(asio::ssl::stream_base::server);
        beast::flat_buffer buffer;
        for (;;) {
            http::request<http::empty_body> request;
            http::read(stream, buffer, request);
            answer(stream, {request.target().data(), request.target().size()}, all);
        }
    } catch (boost::system::system_error const& gone) {
        stream.next_layer().close(); // clients leave when they have what they want
    }
}

void serve(std::vector<canned_objects> const& all, child_process::send_function const& send) {
    asio::io_context context;
    asio::ip::tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
    auto const identity = apiserver::make_self_signed_identity().value();
    asio::ssl::context tls(asio::ssl::context::tls_server);
    tls.use_certificate_chain(asio::buffer(identity.certificate_pem));
    tls.use_private_key(asio::buffer(identity.key_pem), asio::ssl::context::pem);
    send("https://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port()));
    send(identity.certificate_pem);
    for (;;) std::thread(serve_connection, tls_stream(acceptor.accept(), tls), std::cref(all)).detach();
}

canned_objects canned(std::string path, std::string list, std::size_t listed, long events,
                      std::chrono::microseconds pause, std::string (*object)(std::size_t)) {
    canned_objects c;
    c.path = std::move(path);
    c.list = std::move(list);
    c.events = events;
    c.pause = pause;
    for (std::size_t i = 0; events != 0 && i < listed; ++i) c.objects.push_back(object(i));
    return c;
}

} // namespace

canned_server::canned_server(std::function<std::vector<canned_objects>()> const& make)
    : process_(
          std::make_unique<child_process>([&](child_process::send_function const& send) { serve(make(), send); })) {
    address_.url = process_->receive();
    address_.ca_pem = process_->receive();
}

canned_objects canned_pods(std::size_t listed, long events, std::chrono::microseconds pause) {
    return canned("/api/v1/pods", sample_pod_list(listed), listed, events, pause,
                  [](std::size_t i) { return std::string(pod_head) + sample_pod(i).substr(1); });
}

canned_objects canned_pytorch_jobs(std::size_t listed, long events, std::chrono::microseconds pause) {
    return canned("/apis/kubeflow.org/v1/pytorchjobs", sample_pytorch_job_list(listed), listed, events, pause,
                  sample_pytorch_job);
}

} // namespace kftrain::bench
