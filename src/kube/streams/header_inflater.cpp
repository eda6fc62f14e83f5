#include "kube/streams/header_inflater.hpp"

#include <boost/beast/zlib/error.hpp>
#include <boost/beast/zlib/inflate_stream.hpp>

#include <array>
#include <cstdint>

namespace kftrain::kube::detail {
namespace {

namespace zlib = boost::beast::zlib;

/// Each is a part of the dictionary after its length in four bytes.
constexpr std::string_view dictionary_words[] = {"options",
                                                 "head",
                                                 "post",
                                                 "put",
                                                 "delete",
                                                 "trace",
                                                 "accept",
                                                 "accept-charset",
                                                 "accept-encoding",
                                                 "accept-language",
                                                 "accept-ranges",
                                                 "age",
                                                 "allow",
                                                 "authorization",
                                                 "cache-control",
                                                 "connection",
                                                 "content-base",
                                                 "content-encoding",
                                                 "content-language",
                                                 "content-length",
                                                 "content-location",
                                                 "content-md5",
                                                 "content-range",
                                                 "content-type",
                                                 "date",
                                                 "etag",
                                                 "expect",
                                                 "expires",
                                                 "from",
                                                 "host",
                                                 "if-match",
                                                 "if-modified-since",
                                                 "if-none-match",
                                                 "if-range",
                                                 "if-unmodified-since",
                                                 "last-modified",
                                                 "location",
                                                 "max-forwards",
                                                 "pragma",
                                                 "proxy-authenticate",
                                                 "proxy-authorization",
                                                 "range",
                                                 "referer",
                                                 "retry-after",
                                                 "server",
                                                 "te",
                                                 "trailer",
                                                 "transfer-encoding",
                                                 "upgrade",
                                                 "user-agent",
                                                 "vary",
                                                 "via",
                                                 "warning",
                                                 "www-authenticate",
                                                 "method",
                                                 "get",
                                                 "status",
                                                 "200 OK",
                                                 "version",
                                                 "HTTP/1.1",
                                                 "url",
                                                 "public",
                                                 "set-cookie",
                                                 "keep-alive",
                                                 "origin"};
/// The rest of the dictionary, without lengths.
constexpr std::string_view dictionary_end =
    "100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505"
    "203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized"
    "403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented503 Service Unavailable"
    "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT"
    "chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,"
    "text/javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.";

constexpr std::uint32_t dictionary_checksum = 0xe3c6a7c2; // Adler-32

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

/// The length of the zlib header with which the stream begins; 0 if it is none, or names another dictionary.
std::size_t header_length(std::string_view text) {
    if (text.size() < 2) return 0;
    unsigned const method = byte_at(text, 0), flags = byte_at(text, 1);
    if ((method & 0x0fU) != 8 || (method >> 4U) > 7 || (method * 256 + flags) % 31 != 0) return 0;
    if ((flags & 0x20U) == 0) return 2;
    if (text.size() < 6) return 0;
    std::uint32_t checksum = 0;
    for (std::size_t i = 2; i < 6; ++i) checksum = checksum << 8U | byte_at(text, i);
    return checksum == dictionary_checksum ? 6 : 0;
}

} // namespace

std::string const& spdy_dictionary() {
    static std::string const text = [] {
        std::string out;
        for (auto const word : dictionary_words) {
            out.append(3, '\0').append(1, static_cast<char>(word.size()));
            out += word;
        }
        return out.append(dictionary_end);
    }();
    return text;
}

struct header_inflater::state {
    bool inflate(std::string_view block, std::string& out, std::size_t limit) {
        zlib::z_params p;
        p.next_in = block.data();
        p.avail_in = block.size();
        for (;;) {
            p.next_out = buffer.data();
            p.avail_out = buffer.size();
            boost::system::error_code ec;
            stream.write(p, zlib::Flush::sync, ec);
            std::string_view const made(buffer.data(), buffer.size() - p.avail_out);
            if (made.size() > limit - out.size()) return false;
            out += made;
            if (ec && ec != zlib::error::need_buffers) return false; // also after the end of the stream
            if (ec || (p.avail_in == 0 && p.avail_out != 0)) return p.avail_in == 0;
        }
    }

    zlib::inflate_stream stream;
    std::array<char, std::size_t(4) * 1024> buffer{};
    bool begun = false;
    bool broken = false;
};

header_inflater::header_inflater() : state_(std::make_unique<state>()) {}
header_inflater::header_inflater(header_inflater&&) noexcept = default;
header_inflater& header_inflater::operator=(header_inflater&&) noexcept = default;
header_inflater::~header_inflater() = default;

bool header_inflater::unpack(std::string_view block, std::string& out, std::size_t limit) {
    auto& s = *state_;
    if (s.broken) return false;
    s.broken = true;
    if (out.size() > limit) return false;
    if (!s.begun) {
        auto const header = header_length(block);
        if (header == 0) return false;
        block.remove_prefix(header);
        // Beast takes no dictionary, but a block that holds it uncompressed has the same effect.
        auto const& dictionary = spdy_dictionary();
        auto const size = static_cast<std::uint16_t>(dictionary.size());
        auto const low = static_cast<char>(size & 0xffU), high = static_cast<char>(size >> 8U);
        std::string stored{'\0', low, high, static_cast<char>(~low), static_cast<char>(~high)};
        std::string known;
        if (!s.inflate(stored.append(dictionary), known, dictionary.size())) return false;
        s.begun = true;
    }
    s.broken = !block.empty() && !s.inflate(block, out, limit);
    return !s.broken;
}

} // namespace kftrain::kube::detail
