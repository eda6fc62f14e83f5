#include "kube/streams/spdy_frames.hpp"

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(unit_spdy_frames)

using namespace kftrain;
using namespace kftrain::kube::detail;
using namespace std::string_literals;

namespace {

std::string from_hex(std::string_view digits) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
        bytes += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
    return bytes;
}

// Two SYN_STREAM frames, whose header blocks zlib 1.2 has compressed with the dictionary of the specification.
std::string const error_stream =
    from_hex("800300010100003d0000000100000000000078f9e3c6a7c202253a703a2b294a4dcc851625aca9a0808614cb45e01c60"
             "61606100a4398b20d198094ade8c0600000000ffff");
std::string const data_stream =
    from_hex("800300010000002100000003000000000000c2aa19540e2562d18b28c045e001c680f02c000000ffff");

std::string text_of(spdy_frame const& f) {
    std::string out = std::to_string(static_cast<int>(f.type)) + " " + std::to_string(f.id);
    if (f.status != 0) out += " status " + std::to_string(f.status);
    if (f.last) out += " last";
    for (auto const& [name, value] : f.fields) out.append(" ").append(name).append("=").append(value);
    if (!f.data.empty()) out += " " + f.data;
    return out;
}

std::vector<std::string> frames_of(std::string const& bytes, std::size_t piece = std::string::npos) {
    spdy_parser parser;
    std::vector<std::string> found;
    for (std::size_t i = 0; i < bytes.size(); i += std::min(piece, bytes.size() - i)) {
        parser.put(std::string_view(bytes).substr(i, piece));
        while (auto f = parser.next()) found.push_back(text_of(*f));
    }
    if (parser.has_fault()) found.emplace_back("fault");
    return found;
}

void expect_fault(std::string const& bytes) {
    spdy_parser parser;
    parser.put(bytes);
    while (parser.next()) {}
    BOOST_TEST(parser.has_fault());
    parser.put(spdy_writer::data(1, "later", false));
    BOOST_TEST(!parser.next().has_value());
}

/// A control frame of version 3.
std::string control(unsigned type, std::string const& payload, unsigned flags = 0) {
    return "\x80\x03\x00"s + static_cast<char>(type) + static_cast<char>(flags) + '\0' +
           static_cast<char>(payload.size() >> 8U) + static_cast<char>(payload.size() & 0xffU) + payload;
}

/// A SYN_STREAM frame with a header block that is stored as it is.
std::string stored_stream(std::string const& text) {
    auto const size = static_cast<unsigned>(text.size());
    std::string const head{'\x78',
                           '\x01',
                           '\0',
                           static_cast<char>(size & 0xffU),
                           static_cast<char>(size >> 8U),
                           static_cast<char>(~size & 0xffU),
                           static_cast<char>(~size >> 8U & 0xffU)};
    return control(1, "\0\0\0\x01\0\0\0\0\0\0"s + head + text);
}

} // namespace

BOOST_AUTO_TEST_CASE(the_dictionary_is_that_of_the_specification) {
    std::uint32_t low = 1, high = 0; // Adler-32
    for (char const c : spdy_dictionary()) {
        low = (low + static_cast<unsigned char>(c)) % 65521;
        high = (high + low) % 65521;
    }
    BOOST_TEST(spdy_dictionary().size() == 1423U);
    BOOST_TEST((high << 16U | low) == 0xe3c6a7c2U);
}

BOOST_AUTO_TEST_CASE(frames_are_read_whatever_pieces_they_come_in) {
    std::string const bytes = error_stream + data_stream + spdy_writer::data(3, "hello", false) +
                              control(4, "\0\0\0\0"s) + control(9, std::string(8, '\0')) + control(77, "new") +
                              spdy_writer::rst_stream(1, spdy_reset::cancel) + spdy_writer::ping(7) +
                              spdy_writer::data(3, {}, true) + control(7, "\0\0\0\x03\0\0\0\x01"s);
    std::vector<std::string> const expected{"1 1 last streamtype=error port=8080 requestid=0",
                                            "1 3 streamtype=data port=8080 accept=text/html accept=text/plain",
                                            "0 3 hello",
                                            "3 1 status 5",
                                            "6 7",
                                            "0 3 last",
                                            "7 0 status 1"};
    BOOST_TEST(frames_of(bytes) == expected, boost::test_tools::per_element());
    for (std::size_t const piece : {std::size_t(1), std::size_t(3), std::size_t(17)}) {
        auto found = frames_of(bytes, piece);
        std::string data; // of a data frame, each piece arrives at once
        for (auto const& f : found)
            if (f.starts_with("0 3 ") && f != "0 3 last") data += f.substr(4);
        BOOST_TEST(data == "hello");
        std::erase_if(found, [](std::string const& f) { return f.starts_with("0 3 ") && f != "0 3 last"; });
        auto rest = expected;
        rest.erase(rest.begin() + 2);
        BOOST_TEST(found == rest, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(written_frames_read_back) {
    spdy_writer writer;
    kube::http_fields fields;
    fields.add("streamType", "data");
    fields.add("port", "80");
    auto bytes = writer.syn_stream(1, fields, true);
    bytes += writer.syn_reply(2);
    bytes += writer.syn_stream(3, fields, false);
    BOOST_TEST(frames_of(bytes) ==
                   (std::vector<std::string>{"1 1 last streamtype=data port=80", "2 2", "1 3 streamtype=data port=80"}),
               boost::test_tools::per_element());
    // As an implementation with zlib reads it: a header without a dictionary, a stored block, and an empty one, which
    // the decompressor of Go needs before it returns anything.
    BOOST_TEST((spdy_writer().syn_reply(1) ==
                "\x80\x03\x00\x02\x00\x00\x00\x14\x00\x00\x00\x01\x78\x01\x00\x04\x00\xfb\xff\x00\x00\x00\x00"
                "\x00\x00\x00\xff\xff"s));
    BOOST_TEST((spdy_writer::data(5, "x", true) == "\x00\x00\x00\x05\x01\x00\x00\x01x"s));
}

BOOST_AUTO_TEST_CASE(invalid_frames_are_an_error) {
    expect_fault("\x80\x02\x00\x06\x00\x00\x00\x04\x00\x00\x00\x01"s); // version 2
    expect_fault("\x80\x03\x00\x01\x00\x00\x40\x01"s);                 // a long control frame, before its bytes come
    expect_fault(control(0, ""));                                      // a control frame of the type of data
    for (unsigned const type : {1U, 2U, 3U, 4U, 6U, 7U, 8U, 9U}) expect_fault(control(type, "\0\0"s)); // too short
    expect_fault(control(6, std::string(5, '\0')));                                                    // too long
    expect_fault(control(3, std::string(9, '\0')));
    expect_fault(control(1, std::string(10, '\0')));                                    // without a header block
    expect_fault(control(1, std::string(10, '\0') + "\x79\xf9"));                       // another method
    expect_fault(control(1, std::string(10, '\0') + "\x78\xf9"s + "\x01\x02\x03\x04")); // another dictionary
    expect_fault(control(1, std::string(10, '\0') + "\x78\x01\x07"s));                  // a deflate block of no type
    expect_fault(stored_stream("\0\0\0\x01\0\0\0\x05"s));                               // a name beyond the block
    expect_fault(stored_stream("\0\0\0\x01\xff\xff\xff\xff"s));
    expect_fault(stored_stream("\0\0\0\x01\0\0\0\0\0\0\0\x01x"s)); // without a name
    expect_fault(stored_stream("\0\0\0\x65"s));                    // too many
    expect_fault(stored_stream("\0\0\0\0x"s));                     // more than announced
    expect_fault(stored_stream("\0\0"s));
}

BOOST_AUTO_TEST_CASE(a_header_block_that_becomes_too_long_ends_the_reading) {
    // 1 MiB, compressed by zlib 1.2.
    auto const begin = from_hex("78f9e3c6a7c2ecd2410d000008033170805ce4031af8b6c94dc1f6477975d42e");
    auto const end = from_hex("c0d3000000ffff");
    expect_fault(control(1, "\0\0\0\x01\0\0\0\0\0\0"s + begin + std::string(1015, '\0') + end));
}

// The kept data stays below the limits for any input.
BOOST_AUTO_TEST_CASE(damaged_frames_are_read_or_end_the_reading) {
    std::mt19937 random(20260727);
    auto const number = [&](std::size_t below) {
        return std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
    };
    for (int round = 0; round < 3000; ++round) {
        std::string bytes = error_stream + data_stream + spdy_writer::data(3, "hello", false) + spdy_writer::ping(7) +
                            spdy_writer::rst_stream(1, spdy_reset::cancel);
        for (std::size_t i = 0; i <= number(4); ++i) bytes[number(bytes.size())] = static_cast<char>(number(256));
        spdy_parser parser;
        std::size_t total = 0;
        for (std::size_t at = 0; at < bytes.size();) {
            auto const size = std::min(1 + number(40), bytes.size() - at);
            parser.put(std::string_view(bytes).substr(at, size));
            at += size;
            while (auto f = parser.next()) {
                total += f->data.size();
                for (auto const& [name, value] : f->fields) total += name.size() + value.size();
            }
        }
        BOOST_TEST_REQUIRE(total < 200'000U);
    }
}

BOOST_AUTO_TEST_SUITE_END()
