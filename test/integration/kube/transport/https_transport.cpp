#include "integration/kube/transport/wired_client.hpp"

#include <boost/asio/error.hpp>

#include <atomic>
#include <optional>
#include <string>
#include <thread>

BOOST_AUTO_TEST_SUITE(integration_https_transport)

using namespace kftrain;
using namespace kftrain::test;

BOOST_AUTO_TEST_CASE(a_request_has_the_expected_header_fields) {
    std::string get, post;
    wire_server s({[&](wire_peer& p) {
        get = p.read_request();
        p.answer("a");
        post = p.read_request();
        p.answer("b");
    }});
    kube::config c;
    c.server = "127.0.0.1"; // no scheme, no secrets: plain HTTP
    c.token = "never sent in the open";
    wired w(s, c);
    BOOST_TEST(w.get("/api/v1/pods?limit=1") == "a");
    BOOST_TEST(w.call("POST", "/api/v1/pods", "{}") == "b");
    BOOST_TEST(get == "GET /api/v1/pods?limit=1 HTTP/1.1\r\nHost: 127.0.0.1:" + s.port() +
                          "\r\nUser-Agent: kftrain/0.1.0 (linux/amd64)\r\nAccept: application/json\r\n\r\n");
    BOOST_TEST(post == "POST /api/v1/pods HTTP/1.1\r\nHost: 127.0.0.1:" + s.port() +
                           "\r\nUser-Agent: kftrain/0.1.0 (linux/amd64)\r\nAccept: application/json\r\n"
                           "Content-Length: 2\r\n\r\n{}");
}

BOOST_AUTO_TEST_CASE(a_path_in_the_server_url_prefixes_every_request) {
    std::string head;
    wire_server s({[&](wire_peer& p) {
        head = p.read_request();
        p.answer("");
    }});
    asio::io_context context;
    kube::config c;
    c.server = "http://127.0.0.1:" + s.port() + "/k8s/clusters/c1/";
    auto link = kube::make_https_transport(context.get_executor(), c);
    answer_probe<std::string> p;
    kube::client(*link).async_call(wired::request("GET", "/version"), kube::call_options(), p.handler());
    context.run_for(5s);
    BOOST_TEST(head.starts_with("GET /k8s/clusters/c1/version HTTP/1.1\r\n"));
}

BOOST_AUTO_TEST_CASE(requests_with_invalid_header_fields_are_not_sent) {
    wire_server s({answers_hello});
    wired w(s);
    for (auto const* target : {"", "x", "/a b", "/a\r\nX: y"}) {
        w.get(target);
        BOOST_TEST(w.last == make_error_code(errc::invalid_argument), target);
    }
    auto r = wired::request("GET", "/");
    r.fields.add("X", "a\r\nY: b");
    answer_probe<std::string> p;
    kube::client(w.link).async_call(r, kube::call_options(), p.handler());
    w.run();
    BOOST_TEST(p.ec() == make_error_code(errc::invalid_argument));
    BOOST_TEST(w.get() == "hello"); // and nothing is broken by it
}

BOOST_AUTO_TEST_CASE(unusable_urls_are_refused) {
    asio::io_context context;
    for (auto const* url : {"ftp://h", "https://h:0", "http://a b", "https://user:pw@h", "https://"}) {
        kube::config c;
        c.server = url;
        auto const made = kube::make_https_transport(context.get_executor(), c);
        if (std::string(url) == "https://") continue; // means localhost
        BOOST_TEST(made.has_error(), url);
        BOOST_TEST((made.has_error() && made.error().detail.path == "server"), url);
    }
}

BOOST_AUTO_TEST_CASE(a_connection_serves_many_requests) {
    wire_server s({answers_hello});
    wired w(s);
    for (int i = 0; i < 5; ++i) BOOST_TEST(w.get() == "hello");
    BOOST_TEST(s.accepted() == 1U);
    w.link.reset();
}

BOOST_AUTO_TEST_CASE(a_connection_is_not_reused_after_connection_close_or_when_old) {
    wire_server closing({responds("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na"),
                         responds("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nb"), answers_hello});
    wired w(closing);
    BOOST_TEST(w.get() == "a");
    BOOST_TEST(w.get() == "b");
    BOOST_TEST(w.get() == "hello");
    BOOST_TEST(closing.accepted() == 3U);

    wire_server patient({answers_hello, answers_hello});
    kube::https_options o;
    o.idle_timeout = 1ms;
    wired old(patient, {}, o);
    old.get();
    short_while();
    BOOST_TEST(old.get() == "hello");
    BOOST_TEST(patient.accepted() == 2U);
}

BOOST_AUTO_TEST_CASE(a_closed_idle_connection_is_replaced_transparently) {
    wire_server s({responds("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"), answers_hello});
    wired w(s);
    BOOST_TEST(w.get() == "a");
    short_while();
    BOOST_TEST(w.call("POST", "/x", "{}") == "hello"); // nothing was sent on the dead one
    BOOST_TEST(s.accepted() == 2U);
}

BOOST_AUTO_TEST_CASE(a_reused_connection_that_fails_is_retried_for_reads_only) {
    auto const dies = [](wire_peer& p) {
        p.read_request();
        p.answer("a");
        p.read_request();
    };
    wire_server s({dies, dies, answers_hello});
    wired w(s);
    BOOST_TEST(w.get() == "a");
    BOOST_TEST(w.get() == "a"); // the second connection's answer
    w.call("POST", "/x", "{}");
    BOOST_TEST(w.last == lost);
    BOOST_TEST(s.accepted() == 2U);
}

BOOST_AUTO_TEST_CASE(a_new_connection_that_fails_is_an_error_also_for_reads) {
    wire_server s({responds(""), answers_hello});
    wired w(s);
    w.get();
    BOOST_TEST(w.last == lost);
}

BOOST_AUTO_TEST_CASE(chunks_and_1xx_responses_are_parsed_in_any_segmentation) {
    std::string const bytes = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                              "5\r\nhello\r\n1;x=y\r\n \r\n5\r\nworld\r\n0\r\nTrailer: t\r\n\r\n";
    wire_server s({[&](wire_peer& p) {
        p.read_request();
        for (char c : bytes) {
            p.send(std::string(1, c));
            std::this_thread::sleep_for(100us);
        }
        answers_hello(p);
    }});
    wired w(s);
    BOOST_TEST(w.get() == "hello world");
    BOOST_TEST(w.get() == "hello"); // the connection is usable after the trailer
    BOOST_TEST(s.accepted() == 1U);
    w.link.reset();
}

BOOST_AUTO_TEST_CASE(a_body_can_end_with_the_connection) {
    wire_server s({responds("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end")});
    wired w(s);
    BOOST_TEST(w.get() == "until the end");
}

BOOST_AUTO_TEST_CASE(a_body_of_thirty_megabytes_arrives_complete) {
    std::string body(30 * 1024 * 1024, '\0');
    for (std::size_t i = 0; i < body.size(); ++i) body[i] = static_cast<char>('a' + i * 7919 % 26);
    certificate_authority ca;
    auto const sends = [&](wire_peer& p) {
        p.read_request();
        p.answer(body);
        p.wait_for_end();
    };
    wire_server plain({sends}), secure({sends}, ca.issue("s", "IP:127.0.0.1"));
    wired w(plain), x(secure, trusting(ca));
    BOOST_TEST((w.get() == body));
    BOOST_TEST((x.get() == body));
    w.link.reset();
    x.link.reset();
}

BOOST_AUTO_TEST_CASE(a_large_request_arrives_complete_and_an_early_rejection_is_read) {
    std::string const body(3 * 1024 * 1024, 'x');
    std::size_t received = 0;
    wire_server s({[&](wire_peer& p) {
                       auto const request = p.read_request();
                       received = request.size() - request.find("\r\n\r\n") - 4;
                       p.answer("ok", "201 Created", "Connection: close\r\n");
                   },
                   [](wire_peer& p) {
                       p.answer("too much", "413 Payload Too Large", "Connection: close\r\n");
                       p.wait_for_end();
                   }});
    wired w(s);
    BOOST_TEST(w.call("POST", "/x", body) == "ok");
    BOOST_TEST(received == body.size());
    w.call("POST", "/x", body);
    BOOST_TEST(w.last == make_error_code(reason::request_entity_too_large));
}

BOOST_AUTO_TEST_CASE(a_cancelled_read_closes_the_connection) {
    std::atomic<bool> closed = false;
    wire_server s({[&](wire_peer& p) {
                       p.read_request();
                       p.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
                       p.wait_for_end();
                       closed = true;
                       closed.notify_all();
                   },
                   answers_hello});
    wired w(s);
    answer_probe<kube::streamed_response> head;
    w.link->async_open(wired::request("GET", "/"), head.handler());
    w.run();
    answer_probe<std::string> first, pending, after;
    head.value().body->async_read(first.handler());
    w.run();
    BOOST_TEST(first.value() == "hello");
    head.value().body->async_read(pending.handler());
    w.run(20ms);
    BOOST_TEST(!pending.called());
    pending.cancel();
    w.run();
    BOOST_TEST(pending.ec() == error_code(asio::error::operation_aborted));
    closed.wait(false);
    head.value().body->async_read(after.handler());
    w.run();
    BOOST_TEST(after.ec() == lost);
    BOOST_TEST(w.get() == "hello");
}

BOOST_AUTO_TEST_CASE(an_abandoned_body_closes_its_connection) {
    std::atomic<bool> closed = false;
    wire_server s({[&](wire_peer& p) {
        p.read_request();
        p.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
        p.wait_for_end();
        closed = true;
        closed.notify_all();
    }});
    wired w(s);
    {
        answer_probe<kube::streamed_response> head;
        w.link->async_open(wired::request("GET", "/"), head.handler());
        w.run();
    }
    closed.wait(false);
}

BOOST_AUTO_TEST_CASE(pending_operations_outlive_the_transport) {
    wire_server s({[](wire_peer& p) {
        p.read_request();
        short_while();
        p.answer("late");
        p.wait_for_end();
    }});
    wired w(s);
    answer_probe<std::string> p;
    kube::client(w.link).async_call(wired::request("GET", "/"), kube::call_options(), p.handler());
    w.run(5ms);
    w.link.reset();
    w.run();
    BOOST_TEST(p.value() == "late");
}

BOOST_AUTO_TEST_SUITE_END()
