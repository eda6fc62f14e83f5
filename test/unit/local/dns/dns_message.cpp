#include "local/dns/dns_message.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(local_dns_message)

using namespace kftrain::local;

// Messages are written out byte by byte after RFC 1035, section 4.

namespace {

using namespace std::string_literals;

std::string const master_name = "\x02pt\x03svc\x00"s;

/// A query with one question. `flags` are the third and fourth byte of the header.
std::string query(std::string const& name, std::string const& type = "\0\1"s, std::string const& flags = "\1\0"s,
                  std::string const& class_ = "\0\1"s, std::string const& counts = "\0\1\0\0\0\0\0\0"s) {
    return "\x12\x34"s + flags + counts + name + type + class_;
}

std::optional<std::vector<ipv4>> one_address(std::string_view name) {
    if (name != "pt.svc") return std::nullopt;
    return std::vector<ipv4>{{10, 244, 0, 7}};
}

std::string answer(std::string const& q) { return answer_dns(q, one_address); }

unsigned rcode_of(std::string const& reply) { return static_cast<unsigned char>(reply.at(3)) & 0xFU; }
unsigned answers_in(std::string const& reply) {
    return static_cast<unsigned char>(reply.at(6)) * 256U + static_cast<unsigned char>(reply.at(7));
}

} // namespace

BOOST_AUTO_TEST_CASE(an_address_is_answered_with_the_question_and_one_record) {
    auto const expected = "\x12\x34"s         // the id of the query
                          "\x85\x80"s         // QR, AA, RD of the question; RA, no error
                          "\0\1\0\1\0\0\0\0"s // one question, one answer
                          + master_name +
                          "\0\1\0\1"s                  // A, IN
                          "\xC0\x0C\0\1\0\1"s          // a pointer to the question's name, A, IN
                          "\0\0\0\5\0\4\x0A\xF4\0\7"s; // 5 s, 4 bytes, 10.244.0.7
    BOOST_TEST(answer(query(master_name)) == expected);
}

BOOST_AUTO_TEST_CASE(recursion_desired_is_copied) {
    BOOST_TEST(answer(query(master_name, "\0\1"s, "\0\0"s)).substr(2, 2) == "\x84\x80"s);
    BOOST_TEST(answer(query(master_name, "\0\1"s, "\1\0"s)).substr(2, 2) == "\x85\x80"s);
}

BOOST_AUTO_TEST_CASE(names_are_case_insensitive_and_echoed_unchanged) {
    auto const name = "\x02Pt\x03sVC\x00"s;
    auto const reply = answer(query(name));
    BOOST_TEST(answers_in(reply) == 1);
    BOOST_TEST(reply.substr(12, name.size()) == name);
}

BOOST_AUTO_TEST_CASE(a_name_that_does_not_exist_is_a_name_error) {
    auto const reply = answer(query("\x02no\x03svc\x00"s));
    BOOST_TEST(rcode_of(reply) == 3);
    BOOST_TEST(answers_in(reply) == 0);
    BOOST_TEST(reply.size() == query("\x02no\x03svc\x00"s).size());
}

BOOST_AUTO_TEST_CASE(another_type_of_an_existing_name_is_no_error_and_no_data) {
    auto const aaaa = answer(query(master_name, "\0\x1C"s));
    BOOST_TEST(rcode_of(aaaa) == 0);
    BOOST_TEST(answers_in(aaaa) == 0);
    BOOST_TEST(answers_in(answer(query(master_name, "\0\xFF"s))) == 1); // ANY
}

BOOST_AUTO_TEST_CASE(another_class_gets_no_answer) {
    BOOST_TEST(rcode_of(answer(query(master_name, "\0\1"s, "\1\0"s, "\0\3"s))) == 3);
}

BOOST_AUTO_TEST_CASE(additional_records_of_a_query_are_left_out_of_the_answer) {
    auto const edns = "\0\0\x29\x10\0\0\0\0\0\0\0"s; // an OPT record
    auto const reply = answer(query(master_name, "\0\1"s, "\1\0"s, "\0\1"s, "\0\1\0\0\0\0\0\1"s) + edns);
    BOOST_TEST(answers_in(reply) == 1);
    BOOST_TEST(reply.substr(8, 4) == "\0\0\0\0"s);
}

BOOST_AUTO_TEST_CASE(invalid_queries_get_no_answer) {
    BOOST_TEST(answer("").empty());
    BOOST_TEST(answer("\x12\x34\1\0\0\1\0\0\0\0\0"s).empty()); // one byte short of a header
    BOOST_TEST(answer(query(master_name, "\0\1"s, "\x80\0"s)).empty());
}

BOOST_AUTO_TEST_CASE(other_operations_are_not_implemented) {
    auto const reply = answer(query(master_name, "\0\1"s, "\x10\0"s)); // opcode 2, STATUS
    BOOST_TEST(rcode_of(reply) == 4);
    BOOST_TEST(reply.size() == 12);
}

BOOST_AUTO_TEST_CASE(broken_questions_are_format_errors) {
    BOOST_TEST(rcode_of(answer(query(master_name, "\0\1"s, "\1\0"s, "\0\1"s, "\0\0\0\0\0\0\0\0"s))) == 1);
    BOOST_TEST(rcode_of(answer(query(master_name, "\0\1"s, "\1\0"s, "\0\1"s, "\0\2\0\0\0\0\0\0"s))) == 1);
    BOOST_TEST(rcode_of(answer(query("\x3Fshort"s, ""s, "\1\0"s, ""s))) == 1); // a label longer than the message
    BOOST_TEST(rcode_of(answer(query("\xC0\x0C"s))) == 1);                     // a name that points at itself
    BOOST_TEST(rcode_of(answer(query(master_name, ""s))) == 1);                // no class
    std::string endless;
    for (int i = 0; i < 130; ++i) endless += "\1a";
    BOOST_TEST(rcode_of(answer(query(endless + "\0"s))) == 1);
}

BOOST_AUTO_TEST_CASE(every_truncated_query_is_handled) {
    auto const whole = query(master_name);
    for (std::size_t n = 0; n < whole.size(); ++n) {
        auto const reply = answer(whole.substr(0, n));
        BOOST_TEST((n < 12 ? reply.empty() : rcode_of(reply) == 1), "cut after " << n);
    }
}

BOOST_AUTO_TEST_CASE(answers_beyond_512_bytes_are_truncated_with_the_tc_bit) {
    auto const many = [](std::size_t n) {
        return answer_dns(query(master_name), [n](std::string_view) { return std::vector<ipv4>(n, ipv4{1, 2, 3, 4}); });
    };
    std::size_t const fit = (512 - query(master_name).size()) / 16;
    BOOST_TEST(answers_in(many(fit)) == fit);
    BOOST_TEST((static_cast<unsigned char>(many(fit)[2]) & 2U) == 0U);
    auto const cut = many(fit + 1);
    BOOST_TEST(answers_in(cut) == fit);
    BOOST_TEST((static_cast<unsigned char>(cut[2]) & 2U) == 2U);
    BOOST_TEST(cut.size() <= 512);
}

BOOST_AUTO_TEST_CASE(the_longest_name_is_answered) {
    // 63 + 63 + 63 + 61 letters with their lengths and the root are 255 bytes, the limit of RFC 1035.
    std::string name;
    for (int length : {63, 63, 63, 61})
        name += static_cast<char>(length) + std::string(static_cast<std::size_t>(length), 'a');
    name += '\0';
    BOOST_REQUIRE(name.size() == 255);
    std::size_t length = 0;
    auto const reply = answer_dns(query(name), [&](std::string_view n) {
        length = n.size();
        return std::vector<ipv4>{{10, 0, 0, 1}};
    });
    BOOST_TEST(length == 253);
    BOOST_TEST(answers_in(reply) == 1);
    // One letter more is too long.
    name.insert(name.size() - 1, "a");
    name[192] = 62;
    BOOST_TEST(rcode_of(answer(query(name))) == 1);
}

BOOST_AUTO_TEST_CASE(ipv4_addresses_are_parsed_strictly) {
    BOOST_TEST((parse_ipv4("10.244.0.7").value() == ipv4{10, 244, 0, 7}));
    BOOST_TEST((parse_ipv4("255.255.255.255").value() == ipv4{255, 255, 255, 255}));
    for (auto const* wrong : {"", "10", "10.244.0", "10.244.0.", "10.244.0.256", "10.244.0.7.1", "10.244..7", "a.b.c.d",
                              " 10.244.0.7", "10.244.0.7 ", "-1.0.0.0", "10.244.0.7\n", "::1"})
        BOOST_TEST(!parse_ipv4(wrong), wrong);
}

BOOST_AUTO_TEST_SUITE_END()
