#include "integration/kube/transport/wired_client.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(integration_https_transport_records)

using namespace kftrain;
using namespace kftrain::test;

namespace {

std::string patterned(std::size_t size) {
    std::string text(size, ' ');
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + (i * 7 + i / 251) % 26);
    return text;
}

/// A client and a server that trust one another over TLS.
struct secured {
    explicit secured(std::vector<wire_server::script> scripts)
        : server(std::move(scripts), ca.issue("s", "IP:127.0.0.1")), client(server, trusting(ca)) {}

    /// The body of an answer whose head has come.
    std::unique_ptr<kube::body_stream> open() {
        answer_probe<kube::streamed_response> head;
        client.link->async_open(wired::request("GET", "/"), head.handler());
        client.run();
        BOOST_TEST_REQUIRE(head.ec() == error_code());
        return std::move(head.value().body);
    }

    certificate_authority ca;
    wire_server server;
    wired client;
};

/// Sends a part of a body, and then nothing.
void begins_to_answer(wire_peer& p) {
    p.read_request();
    p.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc");
    p.wait_for_end();
}

std::string chunk(std::string const& text) {
    char size[20];
    std::snprintf(size, sizeof size, "%zx\r\n", text.size());
    return size + text + "\r\n";
}

} // namespace

// TLS records, the received parts of them, and the chunks within end at different bytes.

BOOST_AUTO_TEST_CASE(bodies_arrive_complete_in_any_tls_record_sizes) {
    for (std::size_t const record : std::vector<std::size_t>{1, 7, 1000, 16'383, 16'384, 16'385, 65'536, 70'001}) {
        std::size_t const size = record * 9 + 5;
        auto const body = patterned(size);
        secured s({[&](wire_peer& p) {
            p.read_request();
            p.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n");
            for (std::size_t at = 0; at < size; at += record) p.send(body.substr(at, record));
            p.read_request();
            std::string text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
            for (std::size_t at = 0; at < size; at += record + 3) text += chunk(body.substr(at, record + 3));
            text += "0\r\n\r\n";
            for (std::size_t at = 0; at < text.size(); at += record) p.send(text.substr(at, record));
            answers_hello(p);
        }});
        BOOST_TEST_CONTEXT("records of " << record) {
            BOOST_TEST((s.client.get() == body));
            BOOST_TEST((s.client.get() == body));
            BOOST_TEST(s.client.get() == "hello");
            BOOST_TEST(s.server.accepted() == 1U);
        }
        s.client.link.reset();
    }
}

BOOST_AUTO_TEST_CASE(requests_of_many_tls_records_arrive_complete) {
    for (std::size_t const size : std::vector<std::size_t>{16'000, 65'536, 65'537, 1'000'000}) {
        std::string request;
        secured s({[&](wire_peer& p) {
            request = p.read_request();
            p.answer("hello");
        }});
        auto const body = patterned(size);
        BOOST_TEST(s.client.call("POST", "/x", body) == "hello");
        BOOST_TEST(request.ends_with("\r\n\r\n" + body), size);
        s.client.link.reset();
    }
}

BOOST_AUTO_TEST_CASE(an_end_without_close_notify_is_a_lost_connection) {
    secured s({responds("HTTP/1.1 200 OK\r\n\r\nabc"), responds("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc")});
    s.client.get(); // would last as long as the connection
    BOOST_TEST(s.client.last == lost);
    s.client.get();
    BOOST_TEST(s.client.last == lost);
}

BOOST_AUTO_TEST_CASE(invalid_tls_records_are_an_error) {
    secured s({[](wire_peer& p) {
        p.read_request();
        p.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc");
        short_while();
        p.send_raw("no record of TLS at all, but longer than the head of one");
        p.wait_for_end();
    }});
    auto const body = s.open();
    std::string text;
    for (int i = 0; i < 3; ++i) {
        answer_probe<std::string> p;
        body->async_read(p.handler());
        s.client.run();
        BOOST_TEST_REQUIRE(p.called());
        text += p.value();
        if (i == 0)
            BOOST_TEST(p.ec() == error_code());
        else
            BOOST_TEST((p.ec() && p.ec() != asio::error::eof)); // and stays so
    }
    BOOST_TEST(text == "abc");
}

BOOST_AUTO_TEST_CASE(a_cancelled_tls_read_ends_at_once_and_closes_the_connection) {
    for (bool const before_it_began : {false, true}) {
        secured s({begins_to_answer});
        auto const body = s.open();
        answer_probe<std::string> p, q, r;
        if (!before_it_began) {
            body->async_read(q.handler());
            s.client.run();
            BOOST_TEST(q.value() == "abc");
        }
        // On the executor the cancellation precedes the bytes that arrived with the head.
        asio::post(s.client.context, [&] {
            body->async_read(p.handler());
            if (before_it_began) p.cancel();
        });
        s.client.run(10ms);
        BOOST_TEST(p.called() == before_it_began);
        if (!before_it_began) p.cancel();
        s.client.run();
        BOOST_TEST(p.ec() == error_code(asio::error::operation_aborted));
        p.cancel(); // too late for anything
        body->async_read(r.handler());
        s.client.run();
        BOOST_TEST(r.ec() == lost);
    }
}

BOOST_AUTO_TEST_CASE(a_read_cancelled_within_a_tls_record_closes_the_connection) {
    using script = std::function<void(wire_peer&)>;
    script const part_of_a_record = [](wire_peer& p) { p.send_raw("\x17\x03\x03"); };
    script const part_of_a_chunk_header = [](wire_peer& p) { p.send("5"); };
    for (auto const& send_part : {part_of_a_record, part_of_a_chunk_header}) {
        std::promise<void> opened, sent;
        secured s({[&](wire_peer& p) {
            p.read_request();
            p.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            opened.get_future().wait();
            send_part(p);
            sent.set_value();
            p.wait_for_end();
        }});
        auto const body = s.open();
        opened.set_value();
        sent.get_future().wait();
        short_while();
        // The read finds the part at once; it is over, and its handler waits, when the cancellation comes.
        answer_probe<std::string> p;
        asio::post(s.client.context, [&] {
            body->async_read(p.handler());
            p.cancel();
        });
        s.client.run();
        BOOST_TEST_REQUIRE(p.called());
        BOOST_TEST(p.ec() == error_code(asio::error::operation_aborted));
    }
}

BOOST_AUTO_TEST_CASE(destroying_the_io_context_frees_a_pending_tls_read) {
    std::weak_ptr<int> kept;
    {
        secured s({begins_to_answer});
        // A handler that keeps the body, as those of coroutines do.
        std::shared_ptr<kube::body_stream> const body = s.open();
        auto const token = std::make_shared<int>();
        kept = token;
        body->async_read([body, token](error_code, std::string const&) {});
        s.client.run(10ms);
        body->async_read([body, token](error_code, std::string const&) {});
        s.client.run(10ms);
    }
    BOOST_TEST(kept.expired());
}

BOOST_AUTO_TEST_CASE(a_large_request_arrives_complete_over_tls) {
    std::string const body(3 * 1024 * 1024 + 1, 'x');
    std::string received;
    certificate_authority ca;
    wire_server s({[&](wire_peer& p) {
                      received = p.read_request();
                      p.answer("ok", "201 Created");
                      p.wait_for_end();
                  }},
                  ca.issue("s", "IP:127.0.0.1"));
    wired w(s, trusting(ca));
    BOOST_TEST(w.call("POST", "/x", body) == "ok");
    w.link.reset();
    w.run(1ms);
    BOOST_TEST((received.substr(received.find("\r\n\r\n") + 4) == body));
}

BOOST_AUTO_TEST_CASE(a_body_received_completely_is_returned_without_another_read) {
    wire_server s({[](wire_peer& p) {
        p.read_request();
        p.answer("hello");
        p.read_request();
        p.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe");
        p.read_request();
    }});
    wired w(s);
    auto const open = [&] {
        answer_probe<kube::streamed_response> head;
        w.link->async_open(wired::request("GET", "/"), head.handler());
        w.run();
        return std::move(head.value().body);
    };
    auto const read = [&](kube::body_stream& body) {
        answer_probe<std::string> piece;
        body.async_read(piece.handler());
        w.run(1s);
        return piece.called() ? piece.ec() ? piece.ec().message() : piece.value() : "nothing";
    };
    std::string const end = error_code(asio::error::eof).message();
    {
        auto const whole = open();
        BOOST_TEST(whole->take_whole().value_or("nothing") == "hello");
        BOOST_TEST(read(*whole) == end);
    }
    {
        auto const part = open();
        BOOST_TEST(!part->take_whole());
        BOOST_TEST(read(*part) == "he"); // and is not kept back until more comes
        BOOST_TEST(!part->take_whole());
    }
    BOOST_TEST(s.accepted() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
