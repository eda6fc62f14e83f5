#include "integration/apiserver/running_listener.hpp"

BOOST_AUTO_TEST_SUITE(apiserver_listener_framing)

using namespace listener_tests;

namespace {

/// The codes of all answers, to these bytes and a second request behind them, and `open` when the connection goes on.
std::string codes(running const& s, std::string const& bytes) {
    client c(s);
    c.send(bytes + "GET /version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    auto const text = c.rest();
    std::string out;
    for (auto at = text.find("HTTP/1.1 "); at != text.npos; at = text.find("HTTP/1.1 ", at + 1))
        out += (out.empty() ? "" : " ") + text.substr(at + 9, 3);
    return c.closed ? out : out + " open";
}

struct row {
    std::string bytes;
    std::string expected;
};

std::string get(std::string const& fields, std::string const& body = "") {
    return "GET /healthz HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n" + body;
}
std::string with_host(std::string const& line) { return "GET /healthz HTTP/1.1\r\n" + line + "\r\n"; }

} // namespace

// Expected values: what net/http of Go 1.22 and later answers to the same bytes.

BOOST_AUTO_TEST_CASE(an_ambiguous_request_length_ends_the_connection) {
    running s;
    std::vector<row> const rows{
        {get("Transfer-Encoding: xchunked\r\n"), "501"},
        {get("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), "501"},
        {get("Transfer-Encoding: chunked, gzip\r\n"), "501"},
        {get("Transfer-Encoding: identity\r\n"), "501"},
        {get("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"), "501"},
        {get("Transfer-Encoding: \"chunked\"\r\n", "0\r\n\r\n"), "501"},
        {get("Transfer-Encoding: chunked;q=1\r\n", "0\r\n\r\n"), "501"},
        {get("Transfer-Encoding:\r\n"), "501"},
        {get("Transfer-Encoding: CHUNKED\r\n", "0\r\n\r\n"), "200 200"},
        {get("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n"), "200 200"},
        {get("Transfer-Encoding: chunked\r\n", "3;x=y\r\nabc\r\n0\r\n\r\n"), "200 200"},
        {get("Transfer-Encoding : chunked\r\n"), "400"},
        {get("Content-Length: 3\r\nContent-Length: 3\r\n", "abc"), "200 200"},
        {get("Content-Length: 3 \r\n", "abc"), "200 200"},
        {get("Content-Length: 3\r\nContent-Length: 4\r\n", "abc"), "400"},
        {get("Content-Length: 3, 3\r\n", "abc"), "400"},
        {get("Content-Length: +3\r\n", "abc"), "400"},
        {get("Content-Length: -3\r\n", "abc"), "400"},
        {get("Content-Length: 0x3\r\n", "abc"), "400"},
        {get("Content-Length:\r\n"), "400"},
        {get("Content-Length: 99999999999999999999\r\n", "abc"), "400"},
        {get("Expect: something\r\n"), "417"},
        {get("X: a\r\n b\r\n"), "200 200"}, // folded
        {get(" X: a\r\n"), "400"},          // folded into Host
        {with_host(" Host: x\r\n"), "400"},
        {get(": y\r\n"), "400"},
        {get("X(Y): y\r\n"), "400"},
        {get(std::string("X: a\0b\r\n", 9)), "400"},
        {get("X: a\x01"
             "b\r\n"),
         "400"},
        {get("X: a\rb\r\n"), "400"},
        {get("X: a\x7f"
             "b\r\n"),
         "400"},
        {"GET /healthz HTTP/1.1\rHost: x\r\r", "400"},
        {"GET /healthz HTTP/1.1 \r\nHost: x\r\n\r\n", "400"},
        {"GET  /healthz HTTP/1.1\r\nHost: x\r\n\r\n", "400"},
        {"GET /healthz b HTTP/1.1\r\nHost: x\r\n\r\n", "400"},
        {" GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", "400"},
        {"GET /healthz\x01 HTTP/1.1\r\nHost: x\r\n\r\n", "400"},
        {"G(T /healthz HTTP/1.1\r\nHost: x\r\n\r\n", "400"},
        {"GET /healthz http/1.1\r\nHost: x\r\n\r\n", "400"},
        {"GET /healthz\r\n\r\n", "400"},
    };
    for (auto const& r : rows) BOOST_TEST(codes(s, r.bytes) == r.expected, r.bytes);
}

BOOST_AUTO_TEST_CASE(a_request_requires_exactly_one_valid_host_field) {
    running s;
    std::vector<row> const rows{
        {with_host(""), "400"},
        {with_host("Host: x\r\nHost: x\r\n"), "400"},
        {with_host("Host: x\r\nHost: y\r\n"), "400"},
        {"GET /healthz HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n", "400"},
        {"GET /healthz HTTP/1.0\r\n\r\n", "200"},
        {with_host("Host:\r\n"), "200 200"},
        {with_host("Host: [::1]:80\r\n"), "200 200"},
        {with_host("Host: x,y\r\n"), "200 200"},
        {with_host("Host: a b\r\n"), "400"},
        {with_host("Host: x/y\r\n"), "400"},
        {with_host("Host: x@y\r\n"), "400"},
        {with_host("Host: x\"y\r\n"), "400"},
        {with_host("Host: x\\y\r\n"), "400"},
        {with_host("Host: x?y#z\r\n"), "400"},
        {with_host("Host: \xc3\xa4\r\n"), "400"},
        {with_host("Host : x\r\n"), "400"},
    };
    for (auto const& r : rows) BOOST_TEST(codes(s, r.bytes) == r.expected, r.bytes);
}

// Go reads these; RFC 9112 (2.2, 6.1) leaves it to the server, and only smugglers send them.
BOOST_AUTO_TEST_CASE(ambiguous_framing_is_rejected) {
    running s;
    for (std::string const& bytes :
         {get("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "0\r\n\r\n"),
          get("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
          std::string("GET /healthz HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
          std::string("GET /healthz HTTP/1.1\nHost: x\n\n"),
          std::string("GET /healthz HTTP/1.1\r\nHost: x\nX: y\r\n\r\n"),
          std::string("GET /healthz HTTP/1.2\r\nHost: x\r\n\r\n"),
          get("Transfer-Encoding: chunked\r\n", "3\nabc\n0\n\n"),
          get("Transfer-Encoding: chunked\r\n", "0x3\r\nabc\r\n0\r\n\r\n"),
          get("Transfer-Encoding: chunked\r\n", "3\r\nabcde\r\n0\r\n\r\n"),
          get("Transfer-Encoding: chunked\r\n", "ffffffffffffffff1\r\nabc\r\n0\r\n\r\n"),
          get("Transfer-Encoding: chunked\r\n", "-3\r\nabc\r\n0\r\n\r\n")})
        BOOST_TEST(codes(s, bytes) == "400", bytes);
}

BOOST_AUTO_TEST_CASE(bytes_after_the_header_are_not_part_of_it) {
    running s;
    client c(s);
    auto const body = pod_json("p");
    std::array<char, 9> size{};
    std::snprintf(size.data(), size.size(), "%zx", body.size());
    c.send("POST " + pods + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTrailer: Content-Type\r\n\r\n" +
           size.data() + "\r\n" + body + "\r\n0\r\nContent-Type: text/plain\r\n\r\n");
    BOOST_TEST(c.until("\r\n") == "HTTP/1.1 201 Created\r\n"); // text/plain would be 415
}

BOOST_AUTO_TEST_SUITE_END()
