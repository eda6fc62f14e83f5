#include "control/plans/status_answer.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <vector>

BOOST_AUTO_TEST_SUITE(control_status_answer)

using namespace kftrain;
using namespace kftrain::control;

namespace {

status_listener_options with_all() {
    return status_listener_options().with_metrics([] { return std::string("m 1\n"); });
}
std::string first_line(std::string const& answer) { return answer.substr(0, answer.find("\r\n")); }
std::string response_to(status_listener_options const& o, std::string const& line) {
    return status_answer(o, line + "\r\nHost: x\r\n\r\n");
}

} // namespace

BOOST_AUTO_TEST_CASE(known_paths_are_served_and_others_are_404) {
    std::vector<std::pair<char const*, char const*>> const rows{
        {"GET /metrics HTTP/1.1", "HTTP/1.1 200 OK"},
        {"GET /metrics?x=1 HTTP/1.0", "HTTP/1.1 200 OK"},
        {"GET /healthz HTTP/1.1", "HTTP/1.1 200 OK"},
        {"GET /readyz HTTP/1.1", "HTTP/1.1 200 OK"},
        {"GET / HTTP/1.1", "HTTP/1.1 404 Not Found"},
        {"GET /metrics/ HTTP/1.1", "HTTP/1.1 404 Not Found"},
        {"POST /metrics HTTP/1.1", "HTTP/1.1 405 Method Not Allowed"},
        {"DELETE /x HTTP/1.1", "HTTP/1.1 405 Method Not Allowed"},
        {"GET /metrics HTTP/2", "HTTP/1.1 400 Bad Request"},
        {"GET /metrics", "HTTP/1.1 400 Bad Request"},
        {"GET  /metrics HTTP/1.1", "HTTP/1.1 400 Bad Request"},
        {"GET metrics HTTP/1.1", "HTTP/1.1 400 Bad Request"},
        {"get /metrics HTTP/1.1", "HTTP/1.1 400 Bad Request"},
        {"", "HTTP/1.1 400 Bad Request"},
        {"\x16\x03\x01", "HTTP/1.1 400 Bad Request"},
    };
    for (auto const& [line, expected] : rows) BOOST_TEST(first_line(response_to(with_all(), line)) == expected, line);
    BOOST_TEST(response_to(with_all(), "POST / HTTP/1.1").find("\r\nAllow: GET\r\n") != std::string::npos);
    BOOST_TEST(first_line(response_to({}, "GET /metrics HTTP/1.1")) == "HTTP/1.1 404 Not Found");
}

BOOST_AUTO_TEST_CASE(metrics_come_with_the_type_that_prometheus_expects) {
    BOOST_TEST(response_to(with_all(), "GET /metrics HTTP/1.1") ==
               "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nContent-Length: 4\r\n"
               "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\nm 1\n");
}

BOOST_AUTO_TEST_CASE(other_answers_are_plain_text) {
    auto const o = with_all().with_ready([] { return false; });
    std::string const rest = "X-Content-Type-Options: nosniff\r\nConnection: close\r\n";
    std::string const type = "Content-Type: text/plain; charset=utf-8\r\n";
    BOOST_TEST(response_to(o, "GET /healthz HTTP/1.1") ==
               "HTTP/1.1 200 OK\r\n" + type + "Content-Length: 2\r\n" + rest + "\r\nok");
    BOOST_TEST(response_to(o, "GET /readyz HTTP/1.1") == "HTTP/1.1 503 Service Unavailable\r\n" + type +
                                                             "Content-Length: 20\r\n" + rest +
                                                             "\r\nreadyz check failed\n");
    BOOST_TEST(response_to(o, "PUT /metrics HTTP/1.1") == "HTTP/1.1 405 Method Not Allowed\r\n" + type +
                                                              "Content-Length: 13\r\n" + rest +
                                                              "Allow: GET\r\n\r\nexpected GET\n");
}

BOOST_AUTO_TEST_CASE(a_check_that_fails_is_503_and_one_that_throws_500) {
    auto const o = status_listener_options().with_healthy([] { return false; }).with_ready([]() -> bool {
        throw std::runtime_error("x");
    });
    BOOST_TEST(first_line(response_to(o, "GET /healthz HTTP/1.1")) == "HTTP/1.1 503 Service Unavailable");
    BOOST_TEST(first_line(response_to(o, "GET /readyz HTTP/1.1")) == "HTTP/1.1 500 Internal Server Error");
}

BOOST_AUTO_TEST_SUITE_END()
