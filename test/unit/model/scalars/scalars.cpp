#include <kftrain/model/scalars.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(model_scalars)

using namespace kftrain;

namespace {

template <class T> std::string round(std::string_view s) {
    T value{};
    if (!parse_scalar(s, value)) return "refused";
    std::string out;
    print_scalar(value, out);
    return out;
}

std::string time(std::string_view s) { return round<time_point>(s); }

} // namespace

BOOST_AUTO_TEST_CASE(times_are_read_with_any_offset_and_printed_in_utc) {
    BOOST_TEST(time("2026-03-01T10:11:12Z") == "2026-03-01T10:11:12Z");
    BOOST_TEST(time("2026-03-01T10:11:12+02:00") == "2026-03-01T08:11:12Z");
    BOOST_TEST(time("2026-01-01T00:00:00+00:01") == "2025-12-31T23:59:00Z");
    BOOST_TEST(time("2026-12-31T23:30:00-05:30") == "2027-01-01T05:00:00Z");
    BOOST_TEST(time("2026-03-01T10:11:12-00:00") == "2026-03-01T10:11:12Z");
    BOOST_TEST(time("2024-02-29T00:00:00Z") == "2024-02-29T00:00:00Z");
    BOOST_TEST(time("0001-01-01T00:00:00Z") == "0001-01-01T00:00:00Z");
    BOOST_TEST(time("1969-12-31T23:59:59Z") == "1969-12-31T23:59:59Z");
    BOOST_TEST(time("9999-12-31T23:59:59Z") == "9999-12-31T23:59:59Z");
}

BOOST_AUTO_TEST_CASE(fractions_of_a_second_are_cut_to_the_precision_of_the_type) {
    BOOST_TEST(time("2026-03-01T10:11:12.9Z") == "2026-03-01T10:11:12Z");
    BOOST_TEST(time("2026-03-01T10:11:12.999999999+01:00") == "2026-03-01T09:11:12Z");
    BOOST_TEST(time("1969-12-31T23:59:58.9Z") == "1969-12-31T23:59:58Z");
    BOOST_TEST(round<micro_time>("2026-03-01T10:11:12Z") == "2026-03-01T10:11:12.000000Z");
    BOOST_TEST(round<micro_time>("2026-03-01T10:11:12.5Z") == "2026-03-01T10:11:12.500000Z");
    BOOST_TEST(round<micro_time>("2026-03-01T10:11:12.000001Z") == "2026-03-01T10:11:12.000001Z");
    BOOST_TEST(round<micro_time>("2026-03-01T10:11:12.123456789-01:00") == "2026-03-01T11:11:12.123456Z");
    BOOST_TEST(round<micro_time>("1969-12-31T23:59:59.25Z") == "1969-12-31T23:59:59.250000Z");
}

BOOST_AUTO_TEST_CASE(invalid_rfc_3339_times_are_refused) {
    for (std::string_view s : {"",
                               "2026",
                               "2026-03-01",
                               "2026-03-01T10:11:12",
                               "2026-03-01 10:11:12Z",
                               "2026-3-1T10:11:12Z",
                               "2026-02-29T00:00:00Z",
                               "2026-13-01T00:00:00Z",
                               "2026-00-01T00:00:00Z",
                               "2026-04-31T00:00:00Z",
                               "2026-03-00T00:00:00Z",
                               "2026-03-01T24:00:00Z",
                               "9999-12-31T23:59:59-01:00",
                               "0000-01-01T00:00:00+01:00",
                               "2026-03-01T10:60:00Z",
                               "2026-03-01T10:11:60Z",
                               "2026-03-01T10:11:12.Z",
                               "2026-03-01T10:11:12.1234567890Z",
                               "2026-03-01T10:11:12+24:00",
                               "2026-03-01T10:11:12+01:60",
                               "2026-03-01T10:11:12+0100",
                               "2026-03-01T10:11:12+01",
                               "2026-03-01T10:11:12ZZ",
                               "2026-03-01t10:11:12z",
                               " 2026-03-01T10:11:12Z",
                               "2026-03-01T10:11:12Z ",
                               "-026-03-01T10:11:12Z",
                               "+2026-03-01T10:11:12Z",
                               "2026-03-01T1:011:12Z",
                               "20260-03-01T10:11:12Z"})
        BOOST_TEST(time(s) == "refused", s << " was taken");
}

// Expected values: Go's time package, parseDurationTests and durationTests of time_test.go.
BOOST_AUTO_TEST_CASE(durations_are_read_and_printed_as_go_does) {
    struct row {
        std::string_view text;
        std::int64_t nanoseconds;
    };
    constexpr std::int64_t s = 1000000000;
    for (auto const& [text, nanoseconds] : {row{"0", 0},
                                            {"5s", 5 * s},
                                            {"1478s", 1478 * s},
                                            {"-5s", -5 * s},
                                            {"+5s", 5 * s},
                                            {"-0", 0},
                                            {"+0", 0},
                                            {"5.0s", 5 * s},
                                            {"5.6s", 5 * s + 600000000},
                                            {"5.s", 5 * s},
                                            {".5s", s / 2},
                                            {"1.004s", s + 4000000},
                                            {"100.00100s", 100 * s + 1000000},
                                            {"10ns", 10},
                                            {"11us", 11000},
                                            {"12\u00B5s", 12000},
                                            {"12\u03BCs", 12000},
                                            {"13ms", 13000000},
                                            {"15m", 900 * s},
                                            {"16h", 57600 * s},
                                            {"3h30m", 12600 * s},
                                            {"10.5s4m", 250 * s + s / 2},
                                            {"-2m3.4s", -(123 * s + 400000000)},
                                            {"1h2m3s4ms5us6ns", 3723 * s + 4005006},
                                            {"39h9m14.425s", 140954 * s + 425000000},
                                            {"52763797000ns", 52763797000},
                                            {"0.3333333333333333333h", 1200 * s - 1},
                                            {"9007199254740993ns", 9007199254740993},
                                            {"9223372036854775807ns", 9223372036854775807},
                                            {"9223372036s854ms775us807ns", 9223372036854775807},
                                            {"0.100000000000000000000h", 360 * s}}) {
        duration d{};
        BOOST_TEST(parse_scalar(text, d), text << " was refused");
        BOOST_TEST(d.count() == nanoseconds, text << " gives " << d.count());
    }
    duration least{};
    BOOST_TEST(parse_scalar("-9223372036854775808ns", least));
    BOOST_TEST((least == duration::min()));
    for (std::string_view bad : {"", "3", "-", "s", ".", "-.", ".s", "+.s", "1d", "\x85\x85", "1 s", "3000000h",
                                 "9223372036854775808ns", "-9223372036854775809ns", "9223372036s854ms775us808ns"})
        BOOST_TEST(round<duration>(bad) == "refused", bad << " was taken");
    BOOST_TEST(round<duration>("0") == "0s");
    BOOST_TEST(round<duration>("1ns") == "1ns");
    BOOST_TEST(round<duration>("1100ns") == "1.1\u00B5s");
    BOOST_TEST(round<duration>("2200us") == "2.2ms");
    BOOST_TEST(round<duration>("3300ms") == "3.3s");
    BOOST_TEST(round<duration>("4m5s") == "4m5s");
    BOOST_TEST(round<duration>("4m5001ms") == "4m5.001s");
    BOOST_TEST(round<duration>("5h6m7001ms") == "5h6m7.001s");
    BOOST_TEST(round<duration>("8m1ns") == "8m0.000000001s");
    BOOST_TEST(round<duration>("9223372036854775807ns") == "2562047h47m16.854775807s");
    BOOST_TEST(round<duration>("-9223372036854775808ns") == "-2562047h47m16.854775808s");
    BOOST_TEST(round<duration>("90m") == "1h30m0s");
}

// Expected values: intstr_test.go, TestGetScaledValueFromIntOrPercent.
BOOST_AUTO_TEST_CASE(percentages_are_taken_of_a_total) {
    auto const scaled = [](int_or_string const& v, bool up) { return v.scaled_value(100, up).value_or(-1); };
    BOOST_TEST(scaled(123, true) == 123);
    BOOST_TEST(scaled(int_or_string("90%"), true) == 90);
    BOOST_TEST((int_or_string("90%").scaled_value(95, true) == 86));
    BOOST_TEST((int_or_string("90%").scaled_value(95, false) == 85));
    BOOST_TEST((int_or_string("-50%").scaled_value(5, true) == -2));
    BOOST_TEST((int_or_string("-50%").scaled_value(5, false) == -3));
    for (std::string_view bad : {"%", "90", "#%", "30%0", "a%", "40%%", "+-1%", "", "99999999999999999999%"})
        BOOST_TEST(!int_or_string(std::string(bad)).scaled_value(100, true).has_value(), bad << " was taken");
}

BOOST_AUTO_TEST_CASE(bytes_are_padded_base64) { // vectors: RFC 4648 section 10
    for (auto const& [plain, coded] :
         {std::pair("", ""), {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}}) {
        bytes value;
        BOOST_REQUIRE(parse_scalar(coded, value));
        BOOST_TEST(value.data == plain);
        BOOST_TEST(round<bytes>(coded) == coded);
    }
    BOOST_TEST(round<bytes>("Zm9v\nYg==\r\n") == "Zm9vYg==");
    for (std::string_view s : {"Zg", "Zg=", "Z", "Zm9v!", "Zg== ", "Z g=="})
        BOOST_TEST(round<bytes>(s) == "refused", s << " was taken");
}

BOOST_AUTO_TEST_SUITE_END()
