#include "integration/kube/transport/wired_client.hpp"

#include <kftrain/kube/api.hpp>
#include <kftrain/objects/core.hpp>

#include <filesystem>
#include <fstream>
#include <vector>

#include <unistd.h>

BOOST_AUTO_TEST_SUITE(integration_https_transport_secrets)

using namespace kftrain;
using namespace kftrain::test;

namespace {

std::string const token = "eyJhbGciOi+J/SUzI1NiJ9.c2VjcmV0";
std::string const encoded = "eyJhbGciOi%2BJ%2FSUzI1NiJ9.c2VjcmV0";
std::string const escaped = R"(eyJhbGciOi\u002bJ\/SUzI1NiJ9.c2VjcmV0)";

/// The Authorization field as the server got it.
std::string echo(std::string const& request) {
    auto const at = request.find("Authorization: ");
    return at == request.npos ? "none" : request.substr(at, request.find('\r', at) - at);
}

/// One exchange with a server that repeats what it was sent; every text that comes out.
struct echoed {
    explicit echoed(std::function<void(wire_peer&, std::string const&)> answer, std::string file = "") {
        certificate_authority ca;
        wire_server s({[&](wire_peer& p) { answer(p, echo(p.read_request())); }}, ca.issue("s", "IP:127.0.0.1"));
        auto c = trusting(ca);
        c.token = file.empty() ? token : "";
        c.token_file = file;
        wired w(s, c);
        kube::client_options o;
        o.logger = logger(
            [this](log_level, std::string_view message, std::initializer_list<log_field> fields) {
                texts += std::string(message) + "\n";
                for (auto const& [key, value] : fields) texts += value + "\n";
            },
            log_level::debug);
        diagnostics why;
        answer_probe<pod> p;
        kube::api<pod>(kube::client(w.link, o), "d")
            .async_get("a", kube::call_options().with_detail(why).with_retry(false), p.handler());
        w.run();
        code = p.ec();
        texts += why.message + "\n" + why.path + "\n" + why.server_reason + "\n" + failure(code, why).to_string();
        texts += error(failure(code, why)).what();
        w.link.reset();
        w.run(1ms);
    }
    bool contains(std::string const& what) const { return texts.find(what) != texts.npos; }

    std::string texts;
    error_code code;
};

void check_hidden(echoed const& e) {
    BOOST_TEST(e.code);
    BOOST_TEST(!e.contains("eyJhbGciOi"), e.texts);
    BOOST_TEST(!e.contains("c2VjcmV0"), e.texts);
}

} // namespace

/// Servers that repeat the token they were sent.

BOOST_AUTO_TEST_CASE(a_status_that_repeats_the_token_is_reported_without_it) {
    echoed const e([](wire_peer& p, std::string const& sent) {
        p.answer(R"({"kind":"Status","status":"Failure","message":"bad )" + sent + "; " + encoded + "; " + escaped +
                     R"( end","reason":")" + token + R"(","code":403})",
                 "403 " + token, "Content-Type: application/json\r\n");
    });
    check_hidden(e);
    BOOST_TEST(e.contains("bad Authorization: Bearer [hidden]; [hidden]; [hidden] end"), e.texts);
}

BOOST_AUTO_TEST_CASE(a_text_that_repeats_the_token_is_reported_without_it) {
    for (std::string const type : {"text/plain", "application/json"}) {
        echoed const e([&](wire_peer& p, std::string const& sent) {
            p.answer("no " + sent + " " + encoded + " " + escaped, "500 Failed", "Content-Type: " + type + "\r\n");
        });
        check_hidden(e);
        BOOST_TEST(e.contains("HTTP status 500: no Authorization: Bearer [hidden] [hidden] [hidden]"), e.texts);
    }
}

BOOST_AUTO_TEST_CASE(a_long_text_is_truncated_without_showing_part_of_the_token) {
    for (std::size_t size = 2005; size < 2060; size += 9) {
        echoed const e([&](wire_peer& p, std::string const&) {
            p.answer(std::string(size, 'x') + token, "500 Failed", "Content-Type: text/plain\r\n");
        });
        check_hidden(e);
    }
}

BOOST_AUTO_TEST_CASE(answer_fields_that_repeat_the_token_are_hidden) {
    for (std::string const status : {"302 Found", "401 Unauthorized", "500 Failed", "299 Odd"}) {
        echoed const e([&](wire_peer& p, std::string const& sent) {
            p.answer("", status,
                     "Location: /?token=" + encoded + "\r\nWarning: 299 - \"" + sent +
                         "\"\r\nWWW-Authenticate: " + sent + "\r\nRetry-After: " + sent + "\r\n" + sent + "\r\n");
        });
        check_hidden(e);
    }
}

BOOST_AUTO_TEST_CASE(an_undecodable_value_is_reported_without_the_token) {
    for (std::string const& body :
         {R"({"spec":{"priority":")" + token + R"("}})", R"({"spec":{"priority":")" + escaped + R"("}})",
          R"({"spec":")" + token + R"("})", "[" + token + "]", token}) {
        echoed const e([&](wire_peer& p, std::string const&) { p.answer(body); });
        check_hidden(e);
    }
}

BOOST_AUTO_TEST_CASE(a_token_from_a_file_is_hidden_as_well) {
    auto const file = std::filesystem::temp_directory_path() / ("kftrain-secret-" + std::to_string(::getpid()));
    std::ofstream(file) << token << '\n';
    echoed const e(
        [](wire_peer& p, std::string const& sent) { p.answer(sent, "500 Failed", "Content-Type: text/plain\r\n"); },
        file.string());
    std::filesystem::remove(file);
    check_hidden(e);
    BOOST_TEST(e.contains("Bearer [hidden]"), e.texts);
}

BOOST_AUTO_TEST_CASE(the_password_of_a_proxy_is_hidden_also_without_compression) {
    asio::io_context context;
    kube::config c;
    c.server = "https://h";
    c.proxy_url = "http://me:pa55%2Fword@proxy:3128";
    auto const link = kube::make_https_transport(context.get_executor(), c);
    BOOST_TEST_REQUIRE(link.has_value());
    BOOST_TEST((*link)->redact("pa55/word pa55%2Fword") == "[hidden] [hidden]");
    BOOST_TEST((*link)->allows_compression());
    c.disable_compression = true;
    BOOST_TEST(!(*kube::make_https_transport(context.get_executor(), c))->allows_compression());
}

BOOST_AUTO_TEST_CASE(a_server_url_with_a_password_is_rejected_without_showing_it) {
    asio::io_context context;
    kube::config c;
    c.server = "https://user:" + token + "@127.0.0.1:1";
    auto const made = kube::make_https_transport(context.get_executor(), c);
    BOOST_TEST_REQUIRE(!made.has_value());
    auto const text = made.error().to_string();
    BOOST_TEST(text.find("https://[hidden]@127.0.0.1:1") != text.npos, text);
    BOOST_TEST(text.find("eyJ") == text.npos, text);
}

BOOST_AUTO_TEST_SUITE_END()
