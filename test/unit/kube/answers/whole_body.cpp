#include "kube/answers/whole_body.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(kube_whole_body)

namespace {

using kftrain::errc;
using kftrain::error_code;
using kftrain::make_error_code;
using kftrain::kube::http_fields;
using kftrain::kube::detail::whole_body;

/// Made by zlib 1.2.13: "hello ", with a name and an extra field in the header.
constexpr std::string_view gzip_hello =
    "1f8b080c00000000000303006162636772656574696e6700cb48cdc9c9570000f6f981ed06000000";
/// "world".
constexpr std::string_view gzip_world = "1f8b08000000000000032bcf2fca4901004311773a05000000";
/// 100,000 times the letter a.
constexpr std::string_view gzip_letters =
    "1f8b0800000000000003edc13101000000c2a0aceb5fc21a1e40010000000000000000000000000000000000000000000000"
    "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "0000000000000000000000000000000000000000000000af0687fae21ba0860100";

std::string bytes_of(std::string_view hex) {
    std::string out;
    for (std::size_t i = 0; i < hex.size(); i += 2)
        out += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
    return out;
}

http_fields packed_fields() {
    http_fields fields;
    fields.add("Content-Encoding", "gzip");
    fields.add("Content-Length", "7"); // of what is sent, not of what it becomes
    return fields;
}

/// Unpacks `text` in pieces of this size; returns the result or the error.
std::string unpacked(std::string const& text, std::size_t piece, std::size_t limit = 1000000) {
    whole_body body(limit, packed_fields());
    for (std::size_t at = 0; at < text.size(); at += piece)
        if (auto const ec = body.add(text.substr(at, piece))) return "refused: " + ec.message();
    if (auto const ec = body.end()) return "unfinished: " + ec.message();
    return body.take();
}

} // namespace

BOOST_AUTO_TEST_CASE(pieces_are_joined_up_to_the_limit) {
    whole_body body(5, http_fields());
    BOOST_TEST(body.add("ab") == error_code());
    BOOST_TEST(body.add("cde") == error_code());
    BOOST_TEST(body.add("f") == make_error_code(errc::too_large));
    BOOST_TEST(body.end() == error_code());
    BOOST_TEST(body.take() == "abcde");
}

BOOST_AUTO_TEST_CASE(gzip_is_decompressed_in_any_segmentation) {
    auto const text = bytes_of(gzip_hello) + bytes_of(gzip_world);
    for (std::size_t piece = 1; piece <= text.size(); ++piece)
        BOOST_TEST(unpacked(text, piece) == "hello world", "pieces of " << piece);
}

BOOST_AUTO_TEST_CASE(the_limit_applies_to_the_unpacked_size) {
    BOOST_TEST(unpacked(bytes_of(gzip_letters), 50) == std::string(100000, 'a'));
    BOOST_TEST(unpacked(bytes_of(gzip_letters), 50, 99999) == "refused: larger than allowed");
}

BOOST_AUTO_TEST_CASE(truncated_gzip_is_an_error) {
    auto const text = bytes_of(gzip_hello);
    for (std::size_t size = 0; size < text.size(); ++size)
        BOOST_TEST(unpacked(text.substr(0, size), 7) == "unfinished: protocol violation", "of " << size << " bytes");
}

BOOST_AUTO_TEST_CASE(damaged_gzip_and_other_data_are_rejected) {
    BOOST_TEST(unpacked("{\"kind\":\"Pod\"}", 3) == "refused: protocol violation");
    auto text = bytes_of(gzip_world);
    for (auto const at : {std::size_t(2), std::size_t(3), text.size() - 5, text.size() - 1}) {
        auto damaged = text;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
        BOOST_TEST(unpacked(damaged, 4).starts_with("refused: "), "byte " << at);
    }
}

BOOST_AUTO_TEST_SUITE_END()
