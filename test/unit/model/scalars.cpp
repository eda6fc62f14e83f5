#include <kftrain/model/scalars.hpp>

#include <boost/test/unit_test.hpp>

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

BOOST_AUTO_TEST_SUITE(model_scalars)

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

BOOST_AUTO_TEST_CASE(fractions_of_up_to_nine_digits_are_cut_to_the_precision_of_the_type) {
    BOOST_TEST(time("2026-03-01T10:11:12.9Z") == "2026-03-01T10:11:12Z");
    BOOST_TEST(time("2026-03-01T10:11:12.999999999+01:00") == "2026-03-01T09:11:12Z");
    BOOST_TEST(time("1969-12-31T23:59:58.9Z") == "1969-12-31T23:59:58Z");
    BOOST_TEST(round<micro_time>("2026-03-01T10:11:12Z") == "2026-03-01T10:11:12.000000Z");
    BOOST_TEST(round<micro_time>("2026-03-01T10:11:12.5Z") == "2026-03-01T10:11:12.500000Z");
    BOOST_TEST(round<micro_time>("2026-03-01T10:11:12.000001Z") == "2026-03-01T10:11:12.000001Z");
    BOOST_TEST(round<micro_time>("2026-03-01T10:11:12.123456789-01:00") == "2026-03-01T11:11:12.123456Z");
    BOOST_TEST(round<micro_time>("1969-12-31T23:59:59.25Z") == "1969-12-31T23:59:59.250000Z");
}

BOOST_AUTO_TEST_CASE(what_is_no_rfc_3339_time_is_refused) {
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

BOOST_AUTO_TEST_CASE(quantities_keep_their_spelling) {
    for (std::string_view s : {"0",
                               "1",
                               "-1",
                               "+1",
                               "100m",
                               "1.5",
                               ".5",
                               "5.",
                               "1k",
                               "1M",
                               "1G",
                               "1T",
                               "1P",
                               "1E",
                               "1Ki",
                               "1Mi",
                               "1Gi",
                               "1Ti",
                               "1Pi",
                               "1Ei",
                               "1n",
                               "1u",
                               "1e3",
                               "1E3",
                               "1e-3",
                               "1E+3",
                               "-.5m",
                               "1.25Gi",
                               "12345678901234567890",
                               "0.0001"})
        BOOST_TEST(round<quantity>(s) == s, s << " was changed or refused");
}

BOOST_AUTO_TEST_CASE(what_is_no_quantity_is_refused) {
    for (std::string_view s :
         {"",  " 1", "1 ", "5 Gi", "K",   "1K",   "1ki",  "1KI", "1gb", "1GB", "1i", "1mi",   "--1", "1.2.3",
          ".", "-",  "+.", "1e",   "1e+", "1e3m", "1Gi5", "0x1", "1_0", "abc", "e3", "1e1.5", "Gi"})
        BOOST_TEST(round<quantity>(s) == "refused", s << " was taken");
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
