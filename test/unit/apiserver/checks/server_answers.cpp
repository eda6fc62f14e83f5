#include "unit/apiserver/sample.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>

BOOST_AUTO_TEST_SUITE(apiserver_server_answers)

using namespace sample;

// Expected: what kube-apiserver v1.31.3 answered; see test/data/server_answers/README.md.
namespace {

std::vector<json::array> rows_of(std::string const& name) {
    std::ifstream in(KFTRAIN_SOURCE_DIR "/test/data/server_answers/" + name);
    BOOST_REQUIRE_MESSAGE(in.is_open(), name << " is there");
    std::vector<json::array> rows;
    for (std::string line; std::getline(in, line);) rows.push_back(json::parse(line).as_array());
    return rows;
}

/// The difference that a server prints is in a form of its own.
void hide_difference(json::value& text) {
    auto& s = text.as_string();
    std::string out(s);
    constexpr std::string_view before = "if it was previously negative)\n";
    for (std::size_t at = 0; (at = out.find(before, at)) != out.npos;) {
        at += before.size();
        auto end = at;
        while (out.compare(end, 2, "  ") == 0) {
            auto const next = out.find('\n', end);
            end = next == out.npos ? out.size() : next + 1;
        }
        out.replace(at, end - at, "<difference>");
    }
    s = out;
}

json::object answer_fields(answer<written> const& done, unsigned success) {
    json::object out;
    if (done) {
        out["code"] = success;
        return out;
    }
    auto status = parse_object(done.error().to_json()).value();
    for (auto const* part : {"code", "reason", "message", "details"})
        if (auto* v = status.if_contains(part)) out[part] = *v;
    return out;
}

void check_answer(std::string const& name, json::object got, json::object const& expected) {
    if (auto* text = got.if_contains("message")) hide_difference(*text);
    if (auto* details = got.if_contains("details"))
        if (auto* causes = details->as_object().if_contains("causes"))
            for (auto& cause : causes->as_array()) hide_difference(cause.as_object()["message"]);
    for (auto const& [part, value] : expected) {
        auto const* mine = got.if_contains(part);
        BOOST_TEST((mine != nullptr && *mine == value), name << ": " << part << "\n expected " << json::serialize(value)
                                                             << "\n got      "
                                                             << (mine != nullptr ? json::serialize(*mine) : "nothing"));
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(pod_creations_get_the_response_of_a_real_server) {
    auto const rows = rows_of("created_pods.jsonl");
    BOOST_TEST(rows.size() > 100u);
    for (auto const& row : rows) {
        stored_sample w;
        auto const done = w.store.create(w.pods, "default", row[1].as_object(), at(0));
        check_answer(std::string(row[0].as_string()), answer_fields(done, 201), row[2].as_object());
    }
}

BOOST_AUTO_TEST_CASE(pod_updates_get_the_response_of_a_real_server) {
    auto const rows = rows_of("updated_pods.jsonl");
    BOOST_TEST(rows.size() > 40u);
    for (auto const& row : rows) {
        stored_sample w;
        std::string const name(row[0].as_string());
        auto const stored = w.store.create(w.pods, "default", row[1].as_object(), at(0));
        BOOST_TEST(stored.has_value(), name << " is stored");
        auto const type = row[2].is_array() ? patch_type::json : patch_type::merge;
        auto const done = w.store.patch(w.pods, "default", "x", type, json::serialize(row[2]), at(1));
        check_answer(name, answer_fields(done, 200), row[3].as_object());
    }
}

BOOST_AUTO_TEST_CASE(service_creations_get_the_response_of_a_real_server) {
    auto const rows = rows_of("created_services.jsonl");
    BOOST_TEST(rows.size() == 10u);
    for (auto const& row : rows) {
        stored_sample w;
        auto const done = w.store.create(w.services, "default", row[1].as_object(), at(0));
        check_answer(std::string(row[0].as_string()), answer_fields(done, 201), row[2].as_object());
    }
}

BOOST_AUTO_TEST_CASE(a_forbidden_change_is_reported_with_the_values) {
    stored_sample w;
    w.make_pod("x");
    auto const done = w.store.patch(w.pods, "default", "x", patch_type::merge, R"({"spec":{"hostname":"h"}})", at(1));
    BOOST_TEST(done.error().message.ends_with("previously negative)\n  spec.hostname: nothing -> \"h\"\n"),
               done.error().message);
    BOOST_TEST(at_path_text(w.find(w.pods, "x"), "spec.hostname") == "");
}

BOOST_AUTO_TEST_CASE(a_pod_with_many_faults_reports_the_first_thousand) {
    stored_sample w;
    std::string list = "{}";
    for (int i = 0; i < 20000; ++i) list += ",{}";
    auto const done = w.store.create(
        w.pods, "default", w.parse(R"({"metadata":{"name":"x"},"spec":{"containers":[)" + list + "]}}"), at(0));
    BOOST_TEST(done.error().code == 422u);
    BOOST_TEST(done.error().causes.size() == 1000u);
}

BOOST_AUTO_TEST_SUITE_END()
