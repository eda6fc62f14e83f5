#include "model/schema/known_rules.hpp"

#include <boost/test/unit_test.hpp>

#include <random>
#include <regex>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(model_known_rules)

using namespace kftrain;

namespace {

/// Samples of a pattern: the characters where it branches and some outside its alphabet, texts that match, and texts
/// that do not.
struct sample {
    std::string_view letters;
    std::vector<std::string> good, bad;
};

// In the order of the table.
std::vector<sample> samples() {
    return {
        {"+-.09eEinmKTx\n ",
         {"1", "-1.5", "+.5", "100m", "1Gi", "1e3", "1E-3", "12.", "0.5k", "1E", "5Ei", "1e.5", "-2.E+3."},
         {"", "1gi", "1 Gi", "x1", "1e", "--1", ".", "1Gi\n", "1m1", "-", "1ki", "1mi", "1e1m", "1e-", "\n1",
          "1\xc3\xa9"}},
        {"aZ0_,:-\n ",
         {"A", "Az", "A,b", "ReplicaFailed", "a:_", "a9"},
         {"", "9", "_a", "A,", "A:", "A-b", "A\n", "\xc3\xa9"}},
        {"aA0-_./\n ",
         {"a", "MyName", "example.com/a", "a-b.c/A.b_c-d", "0/0", "trainer.kubeflow.org/trainjob-ancestor-step"},
         {"", "/a", "a/", "a/b/c", "-a", "a-", "A.b/c", "a..b/c", "a.-b/c", "a-.b/c", "a_b/c", ".a/b", "a./b", "a\n"}}};
}

class judged_twice {
public:
    explicit judged_twice(known_pattern const& p)
        : pattern_(p), expected_(std::string(p.text), std::regex::ECMAScript | std::regex::optimize) {}

    /// Whether both agree, and `matches` is their result.
    void agree(std::string const& text) {
        bool const expected = std::regex_match(text, expected_);
        ++(expected ? matching : others);
        if (pattern_.matches(text) != expected)
            BOOST_ERROR(pattern_.text << (expected ? " refuses \"" : " takes \"") << text << '"');
    }

    std::size_t matching = 0;
    std::size_t others = 0;

private:
    known_pattern const& pattern_;
    std::regex expected_;
};

/// Every text of these letters that is no longer.
void for_each_text(std::string_view letters, std::size_t longest, std::string& text, auto const& use) {
    use(text);
    if (text.size() == longest) return;
    for (char const c : letters) {
        text.push_back(c);
        for_each_text(letters, longest, text, use);
        text.pop_back();
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(each_matcher_agrees_with_its_regular_expression) {
    auto const all = samples();
    BOOST_TEST_REQUIRE(known_patterns().size() == all.size());
    std::mt19937 random(7); // NOLINT: the same texts in each run
    for (std::size_t i = 0; i < all.size(); ++i) {
        judged_twice twice(known_patterns()[i]);
        auto const agree = [&](std::string const& text) { twice.agree(text); };
        std::string text;
        for_each_text(all[i].letters, 4, text, agree);
        auto const pick = [&](std::size_t n) { return random() % n; };
        for (int n = 0; n < 20'000; ++n) {
            // Mostly right, with one fault or two.
            std::string one = all[i].good[pick(all[i].good.size())];
            for (auto more = pick(3); more > 0; --more) one += all[i].good[pick(all[i].good.size())];
            for (auto changes = pick(3); changes > 0; --changes)
                one[pick(one.size())] = all[i].letters[pick(all[i].letters.size())];
            twice.agree(one);
        }
        BOOST_TEST(twice.matching > 1000U, known_patterns()[i].text);
        BOOST_TEST(twice.others > 1000U, known_patterns()[i].text);
    }
}

BOOST_AUTO_TEST_CASE(each_matcher_accepts_valid_and_rejects_invalid_samples) {
    auto const all = samples();
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto const& p = known_patterns()[i];
        for (auto const& s : all[i].good) BOOST_TEST(p.matches(s), p.text << " refuses " << s);
        for (auto const& s : all[i].bad) BOOST_TEST(!p.matches(s), p.text << " takes " << s);
    }
}

BOOST_AUTO_TEST_CASE(long_texts_do_not_overflow_the_stack) {
    for (auto const& p : known_patterns())
        for (std::string text : {"1", "a", "a."}) {
            while (text.size() < 4'000'000) text += text;
            (void)p.matches(text);
        }
    BOOST_TEST(known_patterns()[0].matches(std::string(4'000'000, '1')));
    BOOST_TEST(!known_patterns()[0].matches(std::string(4'000'000, '1') + "!"));
}

// kube-openapi `pkg/validation/strfmt/time.go`: the second pattern is for the text after the `T`.
BOOST_AUTO_TEST_CASE(the_form_of_times_is_that_of_upstreams_expression) {
    auto const s = resource_schema::parse(
                       R"({"schema":{"type":"object","properties":{"t":{"type":"string","format":"date-time"}}}})")
                       .value();
    std::regex const form("[0-9]{2}:[0-9]{2}:[0-9]{2}(.[0-9]+)?([zZ]|[+-][0-9]{2}:[0-9]{2})");
    std::size_t good = 0;
    auto const agree = [&](std::string const& time) {
        bool const expected = std::regex_match(time, form);
        good += expected ? 1 : 0;
        auto const json = boost::json::serialize(boost::json::object{{"t", "2024-02-29T" + time}});
        if (validate(s, json).value().empty() != expected)
            BOOST_ERROR(time << (expected ? " is refused" : " is taken"));
    };
    std::string text = "12:34:5";
    for_each_text("6.,Z+:\n0", 11, text, agree);
    std::string const zone = "01:02:03+04:05";
    for (std::size_t at = 0; at <= zone.size(); ++at)
        for (char const c : std::string_view("01.Zz+-: \n"))
            for (auto n : {0U, 1U}) agree(std::string(zone).replace(at, n, 1, c));
    BOOST_TEST(good > 50U);
    auto const taken = [&](std::string_view t) {
        return validate(s, R"({"t":")" + std::string(t) + "\"}").value().empty();
    };
    BOOST_TEST(taken("2024-02-29T01:02:03\u20ac5Z")); // one character, whatever its bytes
    BOOST_TEST(!taken("2024-02-29T01:02:03\u20ac\u20ac5Z"));
    for (auto const* bad :
         {"2023-02-29T01:02:03Z", "2024-02-29T24:02:03Z", "2024-02-29T01:60:03Z", "2024-02-29T01:02:60Z",
          "2024-2-29T01:02:03Z", "2024-02-29 01:02:03Z", "x2024-02-29T01:02:03Z"})
        BOOST_TEST(!taken(bad), bad);
}

BOOST_AUTO_TEST_SUITE_END()
