#include <kftrain/facade/job_logs.hpp>

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>

BOOST_AUTO_TEST_SUITE(unit_facade_log_position)

using namespace kftrain;

namespace {

log_position sample() {
    log_position p;
    auto& first = p.entries["0b1-2/pytorch"];
    first.run = 2;
    first.time = "2026-03-01T10:11:12.000000001Z";
    first.delivered = 3;
    p.entries["0b1-3/\"odd\"\n"].delivered = 7; // of a log without times
    return p;
}

void check_refused(std::string const& text, std::string const& words) {
    auto const read = log_position::parse(text);
    BOOST_REQUIRE_MESSAGE(read.has_error(), text);
    BOOST_TEST(read.error().to_string().find(words) != std::string::npos, read.error().to_string());
}

} // namespace

BOOST_AUTO_TEST_CASE(a_position_is_one_line_of_text_and_parses_back) {
    for (auto const& position : {log_position(), sample()}) {
        auto const text = position.to_string();
        BOOST_TEST(text.find('\n') == std::string::npos, text);
        auto const read = log_position::parse(text);
        BOOST_REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().to_string()));
        BOOST_TEST((*read == position), read->to_string());
    }
}

BOOST_AUTO_TEST_CASE(invalid_positions_are_refused_with_field_value_and_expectation) {
    check_refused("", "");
    check_refused("[]", "object");
    check_refused("{}", "version: 0, expected 1");
    check_refused(R"({"version":2})", "version: 2, expected 1");
    check_refused(R"({"version":1,"entries":{"nameless":{"delivered":1}}})",
                  "entries: \"nameless\", expected UID-OF-POD/CONTAINER");
    check_refused(R"({"version":1,"entries":{"u/c":{}}})", "entries[u/c].delivered: 0, expected at least 1");
    check_refused(R"({"version":1,"entries":{"u/c":{"delivered":1,"run":-1}}})",
                  "entries[u/c].run: -1, expected at least 0");
    check_refused(R"({"version":1,"entries":{"u/c":{"delivered":1,"time":"noon"}}})",
                  "entries[u/c].time: \"noon\", expected an RFC 3339 time");
    check_refused(R"({"version":1,"entries":{"u/c":{"delivered":"1"}}})", "delivered");
    check_refused(R"({"version":1,"entries":{"u/c":{"delivered":99999999999999999999}}})", "delivered");
}

BOOST_AUTO_TEST_CASE(any_text_is_rejected_or_survives_a_round_trip) {
    std::mt19937 random(7); // NOLINT: the same texts each time
    auto const whole = sample().to_string();
    for (int i = 0; i < 20'000; ++i) {
        std::string text = whole;
        for (auto changes = random() % 4 + 1; changes-- != 0;) {
            auto const where = random() % text.size();
            switch (random() % 4) {
            case 0: text[where] = static_cast<char>(random()); break;
            case 1: text.erase(where, random() % 9); break;
            case 2: text.insert(where, text.substr(random() % text.size(), random() % 9)); break;
            default: text[where] = "{}[]\":,0-/"[random() % 10]; break;
            }
            if (text.empty()) text = " ";
        }
        auto const read = log_position::parse(text);
        if (!read) continue;
        auto const again = log_position::parse(read->to_string());
        BOOST_REQUIRE_MESSAGE(again.has_value(), text);
        BOOST_TEST((*again == *read), text);
    }
}

BOOST_AUTO_TEST_SUITE_END()
