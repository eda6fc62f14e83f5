#include "apiserver/rest/header_fields.hpp"

#include "unit/apiserver/requests.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(apiserver_header_fields)

using namespace kftrain;
using namespace kftrain::apiserver;

namespace {

std::vector<std::string> fields_of(std::vector<std::string> const& warnings) {
    kube::http_fields fields;
    add_warnings(fields, warnings);
    std::vector<std::string> out;
    for (auto const& [name, value] : fields) {
        BOOST_TEST(name == "Warning");
        out.push_back(value);
    }
    return out;
}

std::string sent(std::string const& text) { return "299 - \"" + text + "\""; }

using texts = std::vector<std::string>;

} // namespace

// Expected values: apiserver v0.31.3, pkg/endpoints/filters/warning.go and warning_test.go.

BOOST_AUTO_TEST_CASE(short_warnings_are_sent_once_and_unchanged) {
    BOOST_TEST(fields_of({"a", "b", "a", ""}) == (texts{sent("a"), sent("b")}), boost::test_tools::per_element());
    BOOST_TEST(fields_of({R"(unknown field "a\b")"}) == texts{R"(299 - "unknown field \"a\\b\"")"},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(texts_that_do_not_fit_a_field_are_omitted) {
    BOOST_TEST(fields_of({"a\nb", "a\rb", std::string("a\0b", 3), "a\x7f", "a\xc2\x85", "\xc2\xa0ok"}) ==
                   texts{sent("\xc2\xa0ok")},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(up_to_4096_characters_nothing_is_truncated) {
    std::string const half(2048, 'x'), other(2048, 'y');
    BOOST_TEST(fields_of({half, other}) == (texts{sent(half), sent(other)}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(beyond_4096_characters_every_warning_is_truncated_to_256) {
    std::string const first(2048, 'x'), second(2049, 'y');
    BOOST_TEST(fields_of({first, second, "end"}) ==
                   (texts{sent(std::string(256, 'x')), sent(std::string(256, 'y')), sent("end")}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(truncation_counts_characters_and_splits_none) {
    std::string umlauts, cut;
    for (int i = 0; i < 5000; ++i) umlauts += "\xc3\xa4";
    for (int i = 0; i < 256; ++i) cut += "\xc3\xa4";
    BOOST_TEST(fields_of({umlauts}) == texts{sent(cut)}, boost::test_tools::per_element());
    BOOST_TEST(fields_of({umlauts.substr(0, 8192)}).at(0) == sent(umlauts.substr(0, 8192)));
}

BOOST_AUTO_TEST_CASE(the_total_is_limited_to_4096_characters) {
    texts many;
    for (int i = 0; i < 100'000; ++i) many.push_back(std::to_string(100'000 + i) + std::string(300, 'x'));
    auto const got = fields_of(many);
    BOOST_TEST(got.size() == 16u); // 16 of 256 characters
    BOOST_TEST(got.back() == sent("100015" + std::string(250, 'x')));
}

BOOST_FIXTURE_TEST_CASE(responses_and_errors_have_the_same_limit, sample::served) {
    auto d = sample::job_definition();
    bool allowed = true;
    d.admission = [&](admission_request const&) {
        admission_verdict v;
        for (int i = 0; i < 1000; ++i) v.warnings.push_back(std::to_string(i) + std::string(300, 'x'));
        if (!allowed) v.denied.emplace();
        return v;
    };
    store.add(d);
    for (unsigned const status : {201u, 403u}) {
        auto const r = send("POST", sample::jobs_path,
                            R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"j"}})");
        BOOST_TEST(r.status == status, r.body);
        std::size_t bytes = 0;
        for (auto const& [name, value] : r.fields)
            if (name == "Warning") bytes += value.size();
        BOOST_TEST(bytes > 4096u);
        BOOST_TEST(bytes < 5000u);
        allowed = false; // the second time
    }
}

BOOST_AUTO_TEST_SUITE_END()
