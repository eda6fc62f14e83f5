#include "local/kubelet/containers/probe_result.hpp"

#include <kftrain/model/codec.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(local_probe_result)

using namespace kftrain;
using namespace kftrain::local;

// Expected: kubernetes pkg/kubelet/prober/worker.go, pkg/probe/http, pkg/probe/util.go, v1.31.
namespace {

core::probe sample(std::string const& text) { return from_json<core::probe>(text).value(); }

/// `+` and `-` are results; the verdicts after each, `.` for none.
std::string verdicts(std::string const& probe, std::string const& results) {
    probe_judge judge(sample(probe));
    std::string out;
    for (char const r : results) {
        auto const verdict = judge.count(r == '+');
        out += !verdict ? '.' : *verdict ? '+' : '-';
    }
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(thresholds_count_results_in_a_row) {
    BOOST_TEST(verdicts("{}", "+") == "+");
    BOOST_TEST(verdicts("{}", "--+---") == "..+..-");
    BOOST_TEST(verdicts(R"({"successThreshold":2,"failureThreshold":1})", "+-++-") == ".-.+-");
    BOOST_TEST(verdicts(R"({"failureThreshold":2})", "----+") == ".---+");
}

BOOST_AUTO_TEST_CASE(times_have_the_servers_defaults) {
    auto const none = sample("{}");
    BOOST_TEST(initial_delay(none).count() == 0);
    BOOST_TEST(period(none).count() == 10);
    BOOST_TEST(timeout(none).count() == 1);
    auto const given = sample(R"({"initialDelaySeconds":3,"periodSeconds":4,"timeoutSeconds":5})");
    BOOST_TEST(initial_delay(given).count() == 3);
    BOOST_TEST(period(given).count() == 4);
    BOOST_TEST(timeout(given).count() == 5);
}

BOOST_AUTO_TEST_CASE(ports_have_numbers_or_names) {
    auto const c = from_json<core::container>(R"({"name":"c","ports":[{"name":"ssh","containerPort":2222}]})").value();
    BOOST_TEST(port_of(int_or_string(22), c) == 22);
    BOOST_TEST(port_of(int_or_string(std::string("ssh")), c) == 2222);
    BOOST_TEST(port_of(int_or_string(std::string("80")), c) == 80);
    BOOST_TEST(port_of(int_or_string(std::string("http")), c) == 0);
    BOOST_TEST(port_of(int_or_string(0), c) == 0);
    BOOST_TEST(port_of(int_or_string(65'536), c) == 0);
}

BOOST_AUTO_TEST_CASE(a_request_names_the_pod_and_may_carry_headers) {
    core::http_get_action get;
    get.path = "healthz?a=b c";
    get.scheme = "HTTPS";
    auto const url = url_of(get, "10.244.0.2", 80);
    BOOST_TEST(url.text() == "https://10.244.0.2:80/healthz?a=b%20c");
    auto const text = [&] { return request_of(url, get, "kube-probe/1.31"); };
    auto const plain = text();
    BOOST_TEST(plain.starts_with("GET /healthz?a=b%20c HTTP/1.1\r\nHost: 10.244.0.2:80\r\nUser-Agent: kube-probe/"),
               plain);
    BOOST_TEST(plain.ends_with("\r\n\r\n"));
    BOOST_TEST(plain.find("Accept: */*\r\n") != std::string::npos);
    auto& h = get.http_headers.emplace_back();
    h.name = "host";
    h.value = "other";
    BOOST_TEST(text().find("Host:") == std::string::npos);
    BOOST_TEST(text().find("host: other\r\n") != std::string::npos);
    h.value = "a\r\nb: c";
    BOOST_TEST(header_fault(get) == "net/http: invalid header field value for \"host\"");
    h.value = "other";
    BOOST_TEST(header_fault(get) == "");
    h.name = "a b";
    BOOST_TEST(header_fault(get) == "net/http: invalid header field name \"a b\"");
}

BOOST_AUTO_TEST_CASE(a_status_of_200_to_399_is_a_success) {
    for (auto const* good : {"HTTP/1.1 200 OK\r\n", "HTTP/1.0 204\r\n"}) {
        BOOST_TEST(judge_answer(good).success);
        BOOST_TEST(!judge_answer(good).warns);
    }
    auto const redirect = judge_answer("HTTP/1.1 399 x\r\n\r\nmoved");
    BOOST_TEST((redirect.success && redirect.warns));
    BOOST_TEST(redirect.output == "Probe terminated redirects, Response body: moved");
    BOOST_TEST(judge_answer("HTTP/1.1 503 x").output == "HTTP probe failed with statuscode: 503");
    BOOST_TEST(!judge_answer("HTTP/1.1 199 x").success);
    for (auto const* odd : {"", "SSH-2.0-OpenSSH", "HTTP/1.1 2x0 OK"})
        BOOST_TEST(judge_answer(odd).output == "malformed HTTP response");
}

BOOST_AUTO_TEST_CASE(an_answer_is_whole_with_the_announced_bytes) {
    BOOST_TEST(is_whole("HTTP/1.1 200 OK\r\ncontent-length:2 \r\n\r\nok"));
    BOOST_TEST(!is_whole("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\no"));
    BOOST_TEST(!is_whole("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"));
    BOOST_TEST(!is_whole("HTTP/1.1 200 OK\r\n\r\nok"));
}

// Expected: Go net/http client.go, redirectBehavior; RFC 3986, section 5.
BOOST_AUTO_TEST_CASE(redirects_are_resolved_against_the_request) {
    core::http_get_action get;
    get.path = "/a/b?c";
    auto const from = url_of(get, "10.244.0.2", 8080);
    auto const to = [&](std::string const& status, std::string const& location) {
        auto const url = redirect_of("HTTP/1.1 " + status + " x\r\nLocation: " + location + "\r\n\r\n", from);
        return url ? url->text() : "none";
    };
    BOOST_TEST(to("302", "/ready") == "http://10.244.0.2:8080/ready");
    BOOST_TEST(to("301", "d?e") == "http://10.244.0.2:8080/a/d?e");
    BOOST_TEST(to("307", "https://10.244.0.2/x") == "https://10.244.0.2:443/x");
    BOOST_TEST(to("303", "http://example.com") == "http://example.com:80/");
    get.path = R"(/a/"<>\^`{|}#[]?x={"y"})"; // whatever the path has
    auto const odd = redirect_of("HTTP/1.1 302 x\r\nLocation: c\r\n\r\n", url_of(get, "10.244.0.2", 8080));
    BOOST_TEST((odd ? odd->text() : "none") == "http://10.244.0.2:8080/a/c");
    BOOST_TEST(url_of(get, "h", 1).target == "/a/%22%3C%3E%5C%5E%60%7B%7C%7D%23%5B%5D?x=%7B%22y%22%7D");
    for (auto const* status : {"200", "300", "304", "404"}) BOOST_TEST(to(status, "/ready") == "none");
    BOOST_TEST(to("302", "") == "none");
    BOOST_TEST(to("302", "http://[") == "none");
}

BOOST_AUTO_TEST_SUITE_END()
