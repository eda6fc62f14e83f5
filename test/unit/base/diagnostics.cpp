#include <kftrain/base/diagnostics.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(base_diagnostics)

using namespace kftrain;

namespace {

failure sample() {
    failure f;
    f.code = errc::type_mismatch;
    f.detail.message = "expected int32, got \"three\"";
    f.detail.path = "spec.replicas";
    f.detail.line = 4;
    f.detail.column = 17;
    return f;
}

} // namespace

BOOST_AUTO_TEST_CASE(text_has_path_message_and_place) {
    BOOST_TEST(sample().to_string() == "spec.replicas: expected int32, got \"three\" (line 4, column 17)");
}

BOOST_AUTO_TEST_CASE(text_omits_unknown_parts) {
    failure f = sample();
    f.detail.line = 0;
    BOOST_TEST(f.to_string() == "spec.replicas: expected int32, got \"three\"");
    f.detail.path.clear();
    BOOST_TEST(f.to_string() == "expected int32, got \"three\"");
    f.detail.message.clear();
    BOOST_TEST(f.to_string() == "value of the wrong type");
}

BOOST_AUTO_TEST_CASE(value_of_a_failed_result_throws_the_diagnostics) {
    result<int> const r = sample();
    try {
        (void)r.value();
        BOOST_TEST(false);
    } catch (error const& e) {
        BOOST_TEST((e.code() == errc::type_mismatch));
        BOOST_TEST(e.detail().path == "spec.replicas");
        BOOST_TEST(e.what() == r.error().to_string());
    }
}

BOOST_AUTO_TEST_CASE(warnings_alone_are_not_errors) {
    issues found(1);
    found[0].level = issue::severity::warning;
    BOOST_TEST(!has_errors(found));
    found.emplace_back();
    BOOST_TEST(has_errors(found));
    BOOST_TEST(!has_errors({}));
}

BOOST_AUTO_TEST_SUITE_END()
