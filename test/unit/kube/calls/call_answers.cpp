#include "unit/kube/calls/call_script.hpp"

BOOST_AUTO_TEST_SUITE(kube_call_answers)

using namespace call_script;

BOOST_AUTO_TEST_CASE(an_answer_above_the_limit_or_cut_off_is_an_error) {
    script large(get(), {}, client_options().with_body_limit(3));
    large.start();
    large.opens(200);
    BOOST_TEST(large.piece("abc") == "read");
    BOOST_TEST(large.piece("d") == "done: GET /api/v1/namespaces/d/pods/a: the answer is larger than 3 bytes");
    BOOST_TEST(large.ended_with == make_error_code(errc::too_large));
    script packed(get());
    packed.start();
    packed.opens(200, {{"Content-Encoding", "gzip"}});
    packed.ends(); // before the end of what is packed
    BOOST_TEST(packed.ended_with == make_error_code(errc::protocol));
    script cut(get());
    cut.start();
    cut.opens(200);
    cut.piece("{");
    BOOST_TEST(cut.ends(errc::connection_lost).ends_with(": server x")); // and is not retried
    BOOST_TEST(cut.ended_with == make_error_code(errc::connection_lost));
    BOOST_TEST(cut.machine.status() == 0U);
}

BOOST_AUTO_TEST_CASE(an_unreadable_explanation_does_not_hide_the_status) {
    script s(create());
    s.start();
    s.opens(403);
    s.piece("no");
    s.ends(errc::connection_lost);
    BOOST_TEST(is_forbidden(s.ended_with));
    script busy(create());
    busy.start();
    busy.opens(429);
    BOOST_TEST(busy.ends(errc::connection_lost) == "rest 100");
}

BOOST_AUTO_TEST_CASE(an_unauthorized_call_names_the_server_without_credentials) {
    script s(get());
    s.start();
    auto text = status("Unauthorized", 401);
    text.replace(text.find("\"no\""), 4, "\"unknown token s3cret\"");
    BOOST_TEST(s.answers(401, text) == "done: unknown token [hidden]: server x");
    BOOST_TEST(is_unauthorized(s.ended_with));
}

BOOST_AUTO_TEST_CASE(an_html_page_is_no_answer_of_an_api_server) {
    auto const page = [](kube::http_request r, bool streams = false) {
        script s(std::move(r), {}, {}, streams);
        s.start();
        auto const next = s.opens(200, {{"Content-Type", "Text/HTML; charset=utf-8"}});
        if (next != "read") return next;
        BOOST_TEST(s.piece("<html>s3cret" + std::string(300, 'x')) == "read");
        return s.ends();
    };
    std::string const expected = "expected JSON of a Kubernetes API server, got text/html: <html>[hidden]";
    BOOST_TEST(page(get()) == "done: GET /api/v1/namespaces/d/pods/a: " + expected + std::string(200 - 14, 'x'));
    BOOST_TEST(page(watch(), true).find(expected) != std::string::npos);
    auto plain = get();
    plain.fields.set("Accept", "text/plain");
    BOOST_TEST(page(plain) == "done");
    auto proxied = get();
    proxied.target += "/proxy/index.html";
    BOOST_TEST(page(proxied) == "done");
}

BOOST_AUTO_TEST_CASE(a_failed_status_in_a_successful_answer_is_the_error_that_it_describes) {
    script s(create());
    s.start();
    BOOST_TEST(s.answers(200, status("Forbidden", 403)) == "done: no");
    BOOST_TEST(is_forbidden(s.ended_with));
    script busy(create());
    busy.start();
    BOOST_TEST(busy.answers(200, status("TooManyRequests", 429)) == "rest 100"); // its code decides
    auto logs = pod_log();
    script lines(logs);
    lines.start();
    BOOST_TEST(lines.answers(200, status("Forbidden", 403)) == "done");
    BOOST_TEST(!lines.ended_with); // a container may write that
    auto request = get();
    request.target += "/proxy/x";
    script proxied(request);
    proxied.start();
    BOOST_TEST(proxied.answers(200, status("Forbidden", 403)) == "done"); // and so may a program behind a proxy
    BOOST_TEST(!proxied.ended_with);
}

BOOST_AUTO_TEST_CASE(a_response_with_another_object_is_an_error) {
    script s(get());
    s.start();
    auto other = pod_text;
    other.replace(other.find("\"a\""), 3, "\"b\"");
    BOOST_TEST(s.answers(200, other).starts_with("done: "));
    BOOST_TEST(s.ended_with == make_error_code(errc::protocol));
    script secret(get());
    secret.start();
    other.replace(other.find("\"b\""), 3, "\"s3cret\"");
    BOOST_TEST(secret.answers(200, other).find("[hidden]") != std::string::npos, secret.why());
}

/// Of a body that the caller reads, the machine reads as much as it needs to recognize a failed Status.
BOOST_AUTO_TEST_CASE(the_beginning_of_a_stream_is_searched_for_a_failed_status) {
    std::vector<std::pair<std::string, std::string>> const json{{"Content-Type", "application/json"}};
    script text(pod_log(), {}, {}, true);
    text.start();
    BOOST_TEST(text.opens(200, {{"Content-Type", "text/plain"}}) == "done"); // nothing is read
    script table(get(), {}, {}, true);
    table.start();
    BOOST_TEST(table.opens(200, {{"Content-Type", "text/csv"}}) == "done");
    script events(watch(), {}, {}, true);
    events.start();
    BOOST_TEST(events.opens(200, json) == "done");
    script good(pod_log(), {}, {}, true);
    good.start();
    BOOST_TEST(good.opens(200, json) == "read");
    BOOST_TEST(!good.machine.reads_whole());
    BOOST_TEST(good.piece(R"({"kind":)") == "read");
    BOOST_TEST(good.piece(R"("Pod")") == "done");
    auto const [begin, ended] = good.machine.take_beginning();
    BOOST_TEST(begin == R"({"kind":"Pod")");
    BOOST_TEST(!ended);
    script bad(pod_log(), {}, {}, true);
    bad.start();
    bad.opens(200, json);
    BOOST_TEST(bad.piece(status("Forbidden", 403)) == "read");
    BOOST_TEST(bad.ends() == "done: no");
    BOOST_TEST(is_forbidden(bad.ended_with));
    script broken(pod_log(), {}, {}, true);
    broken.start();
    broken.opens(200, json);
    broken.piece(R"({"kind":)");
    BOOST_TEST(broken.ends(errc::connection_lost) == "done");
    BOOST_TEST(!broken.ended_with); // the caller reads that
    BOOST_TEST(broken.machine.take_beginning().second == make_error_code(errc::connection_lost));
    script endless(pod_log(), {}, {}, true);
    endless.start();
    endless.opens(200, json);
    BOOST_TEST(endless.piece(std::string(64 * 1024, ' ')) == "done");
}

BOOST_AUTO_TEST_SUITE_END()
