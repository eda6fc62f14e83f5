#include <kftrain/model/scalars.hpp>

#include <boost/test/unit_test.hpp>

#include <limits>
#include <ostream>

using namespace kftrain;

namespace kftrain {

std::ostream& operator<<(std::ostream& out, quantity const& q) { return out << q.text(); }

} // namespace kftrain

namespace {

using format = quantity::format;

quantity q(std::string_view text) {
    auto parsed = quantity::parse(text);
    BOOST_REQUIRE_MESSAGE(parsed, text << " was refused");
    return *parsed;
}

std::string round(std::string_view s) {
    quantity value;
    if (!parse_scalar(s, value)) return "refused";
    std::string out;
    print_scalar(value, out);
    return out;
}

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

} // namespace

// Expected values: quantity_test.go of apimachinery v0.31, where no other source is named.
BOOST_AUTO_TEST_SUITE(model_quantity)

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
        BOOST_TEST(round(s) == s, s << " was changed or refused");
}

BOOST_AUTO_TEST_CASE(invalid_quantities_are_refused) {
    for (std::string_view s :
         {"",  " 1", "1 ", "5 Gi", "K",   "1K",   "1ki",  "1KI", "1gb", "1GB", "1i", "1mi",   "--1", "1.2.3",
          ".", "-",  "+.", "1e",   "1e+", "1e3m", "1Gi5", "0x1", "1_0", "abc", "e3", "1e1.5", "Gi"})
        BOOST_TEST(round(s) == "refused", s << " was taken");
}

struct parsed_row {
    std::string_view text;
    std::string_view same; ///< the value as plain digits
};

BOOST_AUTO_TEST_CASE(suffixes_exponents_rounding_and_caps_are_those_of_upstream) {
    for (auto const& [text, same] : {parsed_row{"0Ki", "0"},
                                     {"1Ki", "1024"},
                                     {"8Ki", "8192"},
                                     {"7Mi", "7340032"},
                                     {"6Gi", "6442450944"},
                                     {"5Ti", "5497558138880"},
                                     {"4Pi", "4503599627370496"},
                                     {"3Ei", "3458764513820540928"},
                                     {"100Ti", "109951162777600"},
                                     {"5n", "0.000000005"},
                                     {"4u", "0.000004"},
                                     {"3m", "0.003"},
                                     {"50k", "50000"},
                                     {"7M", "7000000"},
                                     {"300T", "300000000000000"},
                                     {"2P", "2000000000000000"},
                                     {"1E", "1000000000000000000"},
                                     {"12E", "12000000000000000000"},
                                     {"1E-3", "0.001"},
                                     {"1E18", "1000000000000000000"},
                                     {"1e14", "100000000000000"},
                                     {"100.035k", "100035"},
                                     {"0.0005k", "0.5"},
                                     {"0.00050k", "0.5"},
                                     {"0.5e-1", "0.05"},
                                     {"1.3E+6", "1300000"},
                                     {"1.53E12", "1530000000000"},
                                     {"9.01", "9.01"},
                                     {"6.987654321G", "6987654321"},
                                     {"1.01E", "1010000000000000000"},
                                     {"3.001n", "4n"},
                                     {"1.1E-9", "2n"},
                                     {"0.0000000001", "1n"},
                                     {"0.00000000050", "1n"},
                                     {"0.5e-9", "1n"},
                                     {"0.00000012345", "124n"},
                                     {"0.00000012354", "124n"},
                                     {"9Ei", "9223372036854775807"},
                                     {"9223372036854775807Ki", "9223372036854775807"},
                                     {"100.035Ki", "102435.84"},
                                     {"0.5Mi", "524288"},
                                     {"0.05Gi", "53687091.2"},
                                     {"0.025Ti", "27487790694.4"},
                                     {"0.000000000001Ki", "2n"},
                                     {".0001k", "0.1"},
                                     {"1.G", "1000000000"}}) {
        BOOST_TEST(q(text) == q(same));
        BOOST_TEST(-q(text) == q("-" + std::string(same)));
        BOOST_TEST(q("-" + std::string(text)) == q("-" + std::string(same)));
        BOOST_TEST(q("+" + std::string(text)) == q(same));
    }
}

BOOST_AUTO_TEST_CASE(canonical_texts_are_those_that_a_server_writes) {
    for (auto const& [text, canonical] : {parsed_row{"1024Mi", "1Gi"},
                                          {"307200Ki", "300Mi"},
                                          {"1025024Mi", "1001Gi"},
                                          {"1024Gi", "1Ti"},
                                          {"5000m", "5"},
                                          {"0.5", "500m"},
                                          {"1000M", "1G"},
                                          {"0.001T", "1G"},
                                          {"1000u", "1m"},
                                          {"1.08", "1080m"},
                                          {"1080000000n", "1080m"},
                                          {".001e12", "1e9"},
                                          {"0.001e0", "1e-3"},
                                          {"1000e-12", "1e-9"},
                                          {"00", "0"},
                                          {".001Ki", "1024m"},
                                          {".000001Ki", "1024u"},
                                          {".000000001Ki", "1024n"},
                                          {".000000000001Ki", "2n"},
                                          {"1Ki", "1Ki"},
                                          {"1Gi", "1Gi"},
                                          {"12e4", "120e3"},
                                          {"1.5Gi", "1536Mi"},
                                          {"0", "0"}}) {
        BOOST_TEST(q(text).canonical() == canonical);
        if (canonical != "0") BOOST_TEST(q("-" + std::string(text)).canonical() == "-" + std::string(canonical));
    }
    // Read and printed by Quantity.String() itself: kept as they are, as the fast path of ParseQuantity does.
    for (std::string_view s : {"+1", "1.500", "1E3", "+1Ki", "100.035k", "001m"}) BOOST_TEST(q(s).canonical() == s);
    BOOST_TEST(quantity("what").canonical() == "what");
}

BOOST_AUTO_TEST_CASE(integers_and_thousandths_become_canonical_texts) {
    BOOST_TEST(quantity::from(1).text() == "1");
    BOOST_TEST(quantity::from(1000).text() == "1k");
    BOOST_TEST(quantity::from(1234000).text() == "1234k");
    BOOST_TEST(quantity::from(1024, format::binary_si).text() == "1Ki");
    BOOST_TEST(quantity::from(1025, format::binary_si).text() == "1025");
    BOOST_TEST(quantity::from(5, format::binary_si).text() == "5");
    BOOST_TEST(quantity::from(1048576, format::binary_si).text() == "1Mi");
    BOOST_TEST(quantity::from(1000000, format::decimal_exponent).text() == "1e6");
    BOOST_TEST(quantity::from_milli(1).text() == "1m");
    BOOST_TEST(quantity::from_milli(1000).text() == "1");
    BOOST_TEST(quantity::from_milli(1234000).text() == "1234");
    BOOST_TEST(quantity::from_milli(1024, format::binary_si).text() == "1024m");
    BOOST_TEST(quantity::from_milli(1048576, format::binary_si).text() == "1048576m");
    BOOST_TEST(quantity::from_milli(1234567, format::binary_si).text() == "1234567m");
    BOOST_TEST(quantity::from_milli(1000000, format::decimal_exponent).text() == "1e3");
    BOOST_TEST(q("1Gi").as(format::decimal_si).text() == "1073741824");
    BOOST_TEST(q("1080n").as(format::decimal_exponent).text() == "1080e-9");
}

BOOST_AUTO_TEST_CASE(order_is_that_of_the_values) {
    BOOST_TEST((q("100m") > q("50m")));
    BOOST_TEST((q("50m") < q("100m")));
    BOOST_TEST((q("10000T") > q("100Gi")));
    BOOST_TEST((q("-1") < q("-1m")));
    BOOST_TEST((q("-1n") < quantity()));
    BOOST_TEST((q("12") < q("120")));
    BOOST_TEST((q("1.2") > q("1.19")));
    BOOST_TEST((q("92233720368547758080") > q("9223372036854775807")));
    BOOST_TEST(quantity() == q("0"));
    BOOST_TEST(q("0Ki") == q("-0"));
    BOOST_TEST(q("-3").sign() == -1);
    BOOST_TEST(q("1n").sign() == 1);
    BOOST_TEST(q("0e5").is_zero());
    BOOST_TEST(q("1") != q("1001m"));
}

BOOST_AUTO_TEST_CASE(integer_values_round_away_from_zero_and_stop_at_the_limits) {
    struct row {
        std::string_view text;
        int scale;
        std::int64_t value;
    };
    for (auto const& [text, scale, value] : {row{"1n", -9, 1},
                                             {"1n", -6, 1},
                                             {"1n", 0, 1},
                                             {"1u", -9, 1000},
                                             {"1m", -9, 1000000},
                                             {"1", -9, 1000000000},
                                             {"100", -2, 10000},
                                             {"9.01", -2, 901},
                                             {"9.01", -1, 91},
                                             {"9.01", 0, 10},
                                             {"9.01", 2, 1},
                                             {"-9.01", -1, -91},
                                             {"-9.01", 1, -1},
                                             {"1Mi", 0, 1048576}})
        BOOST_TEST(q(text).scaled_value(scale) == value, text << " at scale " << scale);
    BOOST_TEST(q("1500m").value() == 2);
    BOOST_TEST(q("1500u").milli_value() == 2);
    // A deliberate difference: upstream answers 0 or wraps around.
    BOOST_TEST(q("100E").value() == most);
    BOOST_TEST(q("-100E").value() == least);
    BOOST_TEST(q("9223372036854775808").value() == most);
    BOOST_TEST(q("-9223372036854775808").value() == least);
}

BOOST_AUTO_TEST_CASE(sums_and_products_are_exact_and_keep_the_format) {
    BOOST_TEST((q("10") + q("10")).text() == "20");
    BOOST_TEST((q("50") - quantity()).text() == "50");
    BOOST_TEST((quantity() - q("50")).text() == "-50");
    BOOST_TEST((q("10") - q("10")).text() == "0");
    for (std::string_view s : {"100m", "1Gi"}) {
        BOOST_TEST((q(s) + q("0")).text() == s);
        BOOST_TEST((q("0") + q(s)).text() == s);
        BOOST_TEST((q(s) - q("0")).text() == s);
        BOOST_TEST((q("0") - q(s)).text() == "-" + std::string(s));
    }
    BOOST_TEST((q("1Ki") - q("1") + q("1")).text() == "1Ki");
    BOOST_TEST((q("9.01") * -1).text() == "-9010m");
    BOOST_TEST(quantity::from(most) * 2 == q("18446744073709551614"));
    BOOST_TEST(quantity::from(most) * -10 == q("-92233720368547758070"));
    BOOST_TEST(quantity::from(least) * -1 == q("9223372036854775808"));
    BOOST_TEST(quantity::from(least) * 0 == quantity());
    BOOST_TEST((q("1Ei") * 1024).text() == "1024Ei"); // upstream has no suffix for it and writes "1"
    BOOST_TEST(q("1000E").canonical() == "1000E");    // the same
    quantity sum;
    for (std::int64_t i = 1; i <= 1000; ++i) sum += quantity::from_milli(i * 7919 % 1013);
    for (std::int64_t i = 1; i <= 1000; ++i) sum -= quantity::from_milli(i * 7919 % 1013);
    BOOST_TEST(sum.is_zero());
    BOOST_TEST(sum.text() == "0");
}

BOOST_AUTO_TEST_CASE(faults_have_the_messages_of_the_server) {
    constexpr std::string_view form = "quantities must match the regular expression "
                                      "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    for (std::string_view s : {"", "1.1.M", "1+1.0M", "0.1am", "aoeu", " 1", "1 "})
        BOOST_TEST(quantity::why_invalid(s) == form, s);
    for (std::string_view s : {"0.1mi", ".5i", "1i", "-3.01i", "-3.01e-", "1K", "1e10001", "1e99999999999"})
        BOOST_TEST(quantity::why_invalid(s) == "unable to parse quantity's suffix", s);
    BOOST_TEST(quantity::why_invalid("1Gi").empty());
}

BOOST_AUTO_TEST_CASE(long_and_far_apart_numbers_are_computed_in_full) {
    auto const large = q("1e10000");
    BOOST_TEST((large > q("9Ei")));
    BOOST_TEST((large + q("1n") > large));
    BOOST_TEST(large + q("1n") - large == q("1n"));
    BOOST_TEST(q("1e-10000") == q("1n"));
    std::string const nines(5000, '9');
    BOOST_TEST(q(nines) + q("1") == q("1" + std::string(5000, '0')));
}

BOOST_AUTO_TEST_CASE(canonical_exponents_stay_within_the_limit) {
    auto const q = quantity::parse("100e10000").value();
    BOOST_TEST(q.canonical() == "1000e9999");
    BOOST_TEST((quantity::parse(q.canonical()).value() == q));
    BOOST_TEST((quantity::parse((q * 1000).text()).value() == q * 1000));
}

BOOST_AUTO_TEST_SUITE_END()
