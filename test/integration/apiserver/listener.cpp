#include "integration/apiserver/running_listener.hpp"

#include <openssl/pem.h>

BOOST_AUTO_TEST_SUITE(apiserver_listener)

using namespace listener_tests;

namespace {

std::string rsa_key() {
    std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> const key(EVP_RSA_gen(2048), &EVP_PKEY_free);
    std::unique_ptr<BIO, decltype(&BIO_free)> const out(BIO_new(BIO_s_mem()), &BIO_free);
    PEM_write_bio_PrivateKey(out.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    char* data = nullptr;
    auto const size = BIO_get_mem_data(out.get(), &data);
    return {data, static_cast<std::size_t>(size)};
}

} // namespace

BOOST_AUTO_TEST_CASE(a_connection_serves_several_requests) {
    running s;
    client c(s);
    for (int i = 0; i < 3; ++i) {
        c.send(http("GET", "/healthz"));
        BOOST_TEST(c.until("\r\n") == "HTTP/1.1 200 OK\r\n");
        BOOST_TEST(c.until("\r\n\r\nok").find("Content-Length: 2\r\n") != std::string::npos);
    }
    c.send(http("GET", "/healthz") + http("GET", "/version")); // pipelined
    BOOST_TEST(c.until("gitVersion").find("ok") != std::string::npos);
    BOOST_TEST(!c.closed);
}

BOOST_AUTO_TEST_CASE(connection_close_and_http_1_0_end_the_connection) {
    running s;
    client c(s);
    c.send(http("GET", "/healthz", "", "Connection: close\r\n"));
    BOOST_TEST(c.rest().ends_with("\r\n\r\nok"));
    BOOST_TEST(c.closed);
    client old(s);
    old.send("GET /healthz HTTP/1.0\r\n\r\n");
    BOOST_TEST(old.rest().ends_with("\r\n\r\nok"));
    BOOST_TEST(old.closed);
}

BOOST_AUTO_TEST_CASE(expect_100_continue_is_answered) {
    running s;
    client c(s);
    auto const body = pod_json("p");
    c.send("POST " + pods +
           " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n\r\n");
    BOOST_TEST(c.until("\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n");
    c.send(body);
    BOOST_TEST(c.until("\r\n") == "HTTP/1.1 201 Created\r\n");
}

BOOST_AUTO_TEST_CASE(malformed_requests_get_400_and_the_connection_is_closed) {
    running s;
    for (std::string const bytes :
         {"NONSENSE\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET /\r\n\r\n", "\x16\x03\x01\x02",
          "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", "GET / HTTP/1.1\r\nbad field\r\n\r\n",
          "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"}) {
        client c(s);
        c.send(bytes);
        c.socket.shutdown(tcp::socket::shutdown_send);
        auto const answer = c.rest();
        BOOST_TEST(c.closed, bytes);
        if (!answer.empty()) BOOST_TEST(answer.starts_with("HTTP/1.1 400 Bad Request\r\n"), bytes);
    }
    client c(s);
    c.send("NONSENSE\r\n\r\n");
    BOOST_TEST(c.rest().find(R"("reason":"BadRequest")") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(oversized_headers_and_bodies_are_rejected) {
    running s;
    client head(s);
    head.send("GET / HTTP/1.1\r\nX: " + std::string(100 << 10, 'x') + "\r\n\r\n");
    BOOST_TEST(head.rest().starts_with("HTTP/1.1 431 "));
    client known(s); // Go's default limit is 1 MiB
    known.send(http("GET", pods + "?x=" + std::string(1'000'000, 'b')));
    BOOST_TEST(known.until("\r\n") == "HTTP/1.1 200 OK\r\n");
    client longer(s);
    longer.send(http("GET", pods + "?x=" + std::string(1 << 20, 'b')));
    BOOST_TEST(longer.rest().starts_with("HTTP/1.1 431 "));
    client announced(s);
    announced.send("POST " + pods + " HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n{");
    auto const answer = announced.rest();
    BOOST_TEST(answer.starts_with("HTTP/1.1 413 "));
    BOOST_TEST(answer.find("RequestEntityTooLarge") != std::string::npos);
    client sent(s); // all of it is sent before the answer is read
    sent.send(http("POST", pods, std::string(4 << 20, ' ')));
    BOOST_TEST(sent.rest().starts_with("HTTP/1.1 413 "));
    s.set("GET", "/healthz", "", 200);
}

BOOST_AUTO_TEST_CASE(invalid_json_keeps_the_connection_open) {
    running s;
    client c(s);
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += "{\"a\":";
    for (std::string const& body : {std::string("{"), std::string("\xff\xfe"), deep, std::string(100000, '[')}) {
        c.send(http("POST", pods, body));
        BOOST_TEST(c.until("\"code\":400}").starts_with("HTTP/1.1 400 "));
    }
    c.send(http("POST", pods, pod_json("p")));
    BOOST_TEST(c.until("\r\n") == "HTTP/1.1 201 Created\r\n");
}

BOOST_AUTO_TEST_CASE(silent_and_slow_clients_are_disconnected) {
    listener_options o;
    o.idle_timeout = 200ms;
    o.request_timeout = 300ms;
    running s(std::move(o));
    client silent(s);
    BOOST_TEST(silent.rest().empty());
    BOOST_TEST(silent.closed);
    client slow(s);
    auto const begin = std::chrono::steady_clock::now();
    for (char const c : http("GET", "/healthz")) {
        slow.send(std::string(1, c));
        std::this_thread::sleep_for(20ms);
        if (std::chrono::steady_clock::now() - begin > 600ms) break;
    }
    BOOST_TEST(slow.rest().empty());
    BOOST_TEST(slow.closed);
}

BOOST_AUTO_TEST_CASE(a_watch_is_chunked_and_reports_changes) {
    running s;
    client c(s);
    c.send(http("GET", pods + "?watch=1&timeoutSeconds=1"));
    auto const head = c.until("\r\n\r\n");
    BOOST_TEST(head.find("Transfer-Encoding: chunked\r\n") != std::string::npos);
    s.set("POST", pods, pod_json("p"), 201);
    auto const event = c.until("\n\r\n");
    BOOST_TEST(event.find(R"({"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod",)") != std::string::npos);
    auto const size = std::stoul(event, nullptr, 16);
    BOOST_TEST(event.size() == event.find("\r\n") + 2 + size + 2);
    BOOST_TEST(c.rest() == "0\r\n\r\n"); // the time is over
    BOOST_TEST(c.closed);
}

BOOST_AUTO_TEST_CASE(a_client_killed_during_a_watch_frees_its_connection) {
    listener_options o;
    o.max_connections = 1;
    running s(std::move(o));
    for (int i = 0; i < 3; ++i) {
        auto const c = admitted_client(s);
        c->send(http("GET", pods + "?watch=1"));
        BOOST_TEST(c->until("\r\n\r\n").starts_with("HTTP/1.1 200 OK"));
        if (i == 1) c->socket.set_option(asio::socket_base::linger(true, 0)); // RST instead of FIN
    }
    admitted_client(s);
}

BOOST_AUTO_TEST_CASE(a_client_that_does_not_read_is_disconnected) {
    listener_options o;
    o.max_connections = 2;
    o.write_timeout = 300ms;
    running s(std::move(o));
    client c(s);
    c.send(http("GET", pods + "?watch=1"));
    BOOST_TEST(c.until("\r\n\r\n").starts_with("HTTP/1.1 200 OK"));
    for (int i = 0; i < 20; ++i)
        s.set("POST", pods, pod_json("p" + std::to_string(i), R"(,"x":")" + std::string(1 << 20, 'x') + "\""), 201);
    std::this_thread::sleep_for(1s);
    auto const got = c.rest();
    BOOST_TEST(c.closed);
    BOOST_TEST(got.size() < (20u << 20));
    BOOST_TEST(!got.ends_with("0\r\n\r\n")); // no clean end
}

BOOST_AUTO_TEST_CASE(long_lists_arrive_complete_and_the_connection_stays_open) {
    running s;
    for (int i = 0; i < 30; ++i)
        s.set("POST", pods, pod_json("p" + std::to_string(i), R"(,"x":")" + std::string(10'000, 'x') + "\""), 201);
    client c(s);
    for (int turn = 0; turn < 2; ++turn) {
        c.send(http("GET", pods) + http("GET", "/healthz"));
        auto const head = c.until("\r\n\r\n");
        auto const body = c.until("HTTP/1.1 200 OK"); // of the next answer
        auto const length = std::to_string(body.size() - std::string_view("HTTP/1.1 200 OK").size());
        BOOST_TEST(body.size() > 300'000u);
        BOOST_TEST(head.find("Content-Length: " + length + "\r\n") != head.npos, length);
        BOOST_TEST(c.until("\r\n\r\nok").ends_with("ok"));
    }
}

BOOST_AUTO_TEST_CASE(clients_that_do_not_read_a_list_are_disconnected) {
    listener_options o;
    o.write_timeout = 300ms;
    running s(std::move(o));
    for (int i = 0; i < 20; ++i)
        s.set("POST", pods, pod_json("p" + std::to_string(i), R"(,"x":")" + std::string(1 << 20, 'x') + "\""), 201);
    client c(s);
    c.send(http("GET", pods));
    BOOST_TEST(c.until("\r\n\r\n").starts_with("HTTP/1.1 200 OK"));
    std::this_thread::sleep_for(1s);
    auto const got = c.rest();
    BOOST_TEST(c.closed);
    BOOST_TEST(got.size() < (20u << 20));
}

BOOST_AUTO_TEST_CASE(connections_above_the_limit_are_closed_at_once) {
    listener_options o;
    o.max_connections = 1;
    running s(std::move(o));
    client first(s);
    first.send(http("GET", "/healthz"));
    BOOST_TEST(first.until("\r\n\r\nok").starts_with("HTTP/1.1 200"));
    client second(s);
    BOOST_TEST(second.rest().empty());
    BOOST_TEST(second.closed);
}

BOOST_AUTO_TEST_CASE(log_lines_arrive_before_the_pod_ends) {
    running s;
    s.set("POST", pods, pod_json("p"), 201);
    client c(s);
    c.send(http("GET", pods + "/p/log?follow=true"));
    auto const head = c.until("\r\n\r\n");
    BOOST_TEST(head.find("Content-Type: text/plain\r\n") != std::string::npos);
    BOOST_TEST(c.rest() == "7\r\nline 1\n\r\n7\r\nline 2\n\r\n0\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(stop_closes_all_connections_and_completes_the_run) {
    running s;
    client idle(s), watching(s);
    watching.send(http("GET", pods + "?watch=1"));
    BOOST_TEST(watching.until("\r\n\r\n").starts_with("HTTP/1.1 200 OK"));
    BOOST_TEST(s.stop() == asio::error::operation_aborted);
    BOOST_TEST(idle.rest().empty());
    BOOST_TEST(idle.closed);
    watching.rest();
    BOOST_TEST(watching.closed);
}

BOOST_AUTO_TEST_CASE(a_listening_socket_can_be_passed_in) {
    int const fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    BOOST_REQUIRE(::listen(fd, 8) == 0);
    listener_options o;
    o.native_socket = fd;
    running s(std::move(o));
    BOOST_TEST(s.port != 0);
    s.set("GET", "/healthz", "", 200);
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_opened_are_reported_with_the_reason) {
    asio::io_context context;
    api_server server(context.get_executor());
    auto const why = [&](listener_options o) { return listener::open(server, std::move(o)).error(); };
    listener_options o;
    o.address = "localhost:80";
    BOOST_TEST(why(o).detail.message == "\"localhost:80\" is not an IP address");
    auto const first = listener::open(server, {}).value();
    o.address = "127.0.0.1";
    o.port = first.port();
    BOOST_TEST((why(o).code == boost::system::errc::address_in_use));
    o.port = 0;
    o.native_socket = ::dup(0);
    BOOST_TEST(why(o).code == make_error_code(errc::invalid_argument));
    o.native_socket.reset();
    o.tls.emplace();
    BOOST_TEST(why(o).detail.path == "tls.certificate_pem");
    o.tls = make_self_signed_identity({"127.0.0.1"}).value();
    o.tls->key_pem = rsa_key(); // of another type than that of the certificate
    BOOST_TEST(why(o).detail.path == "tls.key_pem");
    BOOST_TEST(make_self_signed_identity({"a b"}).error().code == make_error_code(errc::invalid_argument));
}

BOOST_AUTO_TEST_SUITE_END()
