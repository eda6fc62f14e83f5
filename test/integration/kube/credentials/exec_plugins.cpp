#include "integration/kube/credentials/credential_plugin.hpp"

#include <functional>
#include <string>
#include <thread>
#include <vector>

BOOST_AUTO_TEST_SUITE(integration_exec_plugins)

using namespace kftrain;
using namespace kftrain::test;

namespace {

/// Answers every request of a connection; 401 to those that do not show one of `good`.
struct checking_server {
    wire_server::script script() {
        return [this](wire_peer& p) {
            for (auto request = p.read_request(); !request.empty(); request = p.read_request()) {
                shown.push_back(authorization_in(request));
                last = request;
                bool const known = good.empty() || shown.back() == good;
                if (!known && on_refusal) on_refusal();
                p.answer(known ? "hello" : "who are you", known ? "200 OK" : "401 Unauthorized");
            }
        };
    }

    std::string good;
    std::function<void()> on_refusal;
    std::vector<std::string> shown;
    std::string last;
};

} // namespace

BOOST_AUTO_TEST_CASE(concurrent_requests_share_one_plugin_run_and_later_ones_its_result) {
    credential_plugin plugin;
    plugin.answer(R"({"token":"t"})");
    wire_server::script const once = [](wire_peer& p) {
        p.read_request();
        p.answer("hello", "200 OK", "Connection: close\r\n");
    };
    wire_server s({once, once, once}, plugin.server());
    wired w(s, plugin.config("prints"));
    std::vector<answer_probe<std::string>> probes(3);
    for (auto& p : probes)
        kube::client(w.link).async_call(wired::request("GET", "/x"), kube::call_options().with_retry(false),
                                        p.handler());
    w.run();
    for (auto const& p : probes) BOOST_TEST(p.ec() == error_code());
    BOOST_TEST(plugin.runs() == 1);
    w.link.reset();
}

BOOST_AUTO_TEST_CASE(credentials_of_a_plugin_are_used_until_they_expire) {
    credential_plugin plugin;
    checking_server checks;
    wire_server s({checks.script()}, plugin.server());
    wired w(s, plugin.config("prints"));
    plugin.answer(R"({"token":"lasting","expirationTimestamp":"2999-01-01T00:00:00Z"})");
    BOOST_TEST(w.get() == "hello");
    BOOST_TEST(w.get() == "hello");
    BOOST_TEST(plugin.runs() == 1);
    w.link.reset();

    checking_server others;
    wire_server t({others.script()}, plugin.server());
    wired x(t, plugin.config("prints"));
    plugin.answer(R"({"token":"old","expirationTimestamp":"2001-01-01T00:00:00Z"})");
    BOOST_TEST(x.get() == "hello"); // expired already, and yet shown
    BOOST_TEST(x.get() == "hello");
    BOOST_TEST(plugin.runs() == 2);
    x.link.reset();
    BOOST_TEST(others.shown.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_rejected_plugin_token_is_renewed_once_and_the_request_retried) {
    credential_plugin plugin;
    plugin.answer(R"({"token":"first"})");
    checking_server checks;
    checks.good = "Bearer first";
    wire_server s({checks.script()}, plugin.server());
    wired w(s, plugin.config("prints"));
    BOOST_TEST(w.get() == "hello");
    plugin.answer(R"({"token":"second"})");
    checks.good = "Bearer second";
    BOOST_TEST(w.call("POST", "/x", "the body") == "hello");
    BOOST_TEST(checks.last.ends_with("\r\n\r\nthe body"));
    BOOST_TEST(plugin.runs() == 2);
    checks.good = "Bearer never";
    w.get();
    BOOST_TEST(w.last == make_error_code(reason::unauthorized));
    BOOST_TEST(plugin.runs() == 3); // not for ever
    BOOST_TEST(checks.shown.size() == 5U);
    BOOST_TEST(s.accepted() == 1U);
    w.link.reset();
}

BOOST_AUTO_TEST_CASE(new_credentials_that_are_rejected_are_not_renewed_again) {
    credential_plugin plugin;
    plugin.answer(R"({"token":"t"})");
    checking_server checks;
    checks.good = "Bearer other";
    wire_server s({checks.script()}, plugin.server());
    wired w(s, plugin.config("prints"));
    for (int i = 0; i < 3; ++i) { // nor for the next ones, as long as no server has accepted any
        w.get();
        BOOST_TEST(w.last == make_error_code(reason::unauthorized));
    }
    BOOST_TEST(plugin.runs() == 1);
    BOOST_TEST(checks.shown.size() == 3U);
    w.link.reset();
}

BOOST_AUTO_TEST_CASE(an_authorization_field_of_the_caller_is_kept_and_no_plugin_runs) {
    credential_plugin plugin;
    checking_server checks;
    wire_server s({checks.script()}, plugin.server());
    wired w(s, plugin.config("prints"));
    auto r = wired::request("GET", "/");
    r.fields.add("Authorization", "Bearer mine");
    answer_probe<std::string> p;
    kube::client(w.link).async_call(r, kube::call_options(), p.handler());
    w.run();
    BOOST_TEST(p.ec() == error_code());
    BOOST_TEST(plugin.runs() == 0);
    w.link.reset();
    w.run(1ms);
    BOOST_TEST(checks.shown == std::vector<std::string>{"Bearer mine"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(new_connections_use_the_certificate_of_the_plugin) {
    credential_plugin plugin;
    certificate_authority client_ca("client CA");
    auto const json_of = [](identity const& who) {
        auto const escaped = [](std::string pem) {
            for (auto at = pem.find('\n'); at != pem.npos; at = pem.find('\n', at)) pem.replace(at, 1, "\\n");
            return pem;
        };
        return R"({"clientCertificateData":")" + escaped(who.certificate) + R"(","clientKeyData":")" +
               escaped(who.key) + "\"}";
    };
    std::vector<std::string> names;
    auto const notes = [&](std::string const& status) {
        return [&names, status](wire_peer& p) {
            names.push_back(p.shown_name());
            while (!p.read_request().empty()) p.answer("hello", status);
        };
    };
    wire_server s({[&](wire_peer& p) {
                       names.push_back(p.shown_name());
                       p.read_request();
                       p.answer("hello");
                       p.read_request();
                       plugin.answer(json_of(client_ca.issue("second", "")));
                       p.answer("no", "401 Unauthorized");
                   },
                   notes("200 OK")},
                  plugin.server(), client_ca.certificate());
    plugin.answer(json_of(client_ca.issue("first", "")));
    wired w(s, plugin.config("prints"));
    BOOST_TEST(w.get() == "hello");
    BOOST_TEST(w.get() == "hello");
    w.link.reset();
    w.run(1ms);
    BOOST_TEST(names == (std::vector<std::string>{"first", "second"}), boost::test_tools::per_element());
    BOOST_TEST(plugin.runs() == 2);
}

BOOST_AUTO_TEST_CASE(a_plugin_whose_certificate_cannot_be_used_is_run_again) {
    credential_plugin plugin;
    checking_server checks;
    wire_server s({checks.script()}, plugin.server());
    wired w(s, plugin.config("prints"));
    plugin.answer(R"({"token":"bad","clientCertificateData":"nonsense","clientKeyData":"nonsense"})");
    w.get();
    BOOST_TEST(w.last == make_error_code(reason::unauthorized));
    plugin.answer(R"({"token":"good"})");
    w.get(); // not at once
    BOOST_TEST(w.last == make_error_code(reason::unauthorized));
    BOOST_TEST(plugin.runs() == 1);
    std::this_thread::sleep_for(1100ms);
    BOOST_TEST(w.get() == "hello");
    BOOST_TEST(plugin.runs() == 2);
    w.link.reset();
    BOOST_TEST(checks.shown == std::vector<std::string>{"Bearer good"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_plugin_has_no_input_and_gets_the_cluster_on_request) {
    credential_plugin plugin;
    plugin.answer(R"({"token":"t"})");
    wire_server s({answers_hello}, plugin.server());
    wired w(s, plugin.config("reads"));
    BOOST_TEST(w.get() == "hello");
    BOOST_TEST(plugin.directory.has("input"));
    BOOST_TEST(plugin.directory.read("input") == "");
    w.link.reset();

    wire_server t({answers_hello}, plugin.server());
    auto c = plugin.config("records");
    c.exec->provide_cluster_info = true;
    wired x(t, c);
    BOOST_TEST(x.get() == "hello");
    auto const info = plugin.directory.read("info");
    BOOST_TEST(info.find(R"("server":"https://127.0.0.1:)" + t.port()) != info.npos, info);
    x.link.reset();
}

BOOST_AUTO_TEST_CASE(a_token_of_a_plugin_is_hidden) {
    credential_plugin plugin;
    plugin.answer(R"({"token":"s3cret-of-a-plugin"})");
    wire_server s({[](wire_peer& p) {
                      auto const sent = authorization_in(p.read_request());
                      p.answer("no " + sent, "500 Failed", "Content-Type: text/plain\r\n");
                  }},
                  plugin.server());
    wired w(s, plugin.config("prints"));
    auto const text = outcome_of_call(w);
    BOOST_TEST(text.find("no Bearer [hidden]") != text.npos, text);
}

BOOST_AUTO_TEST_SUITE_END()
