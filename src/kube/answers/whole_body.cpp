#include "kube/answers/whole_body.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace kftrain::kube::detail {
namespace {

/// A large text is written once from end to end, and small pages cost more than the copying. This hint has an effect if
/// the system gives large pages on request.
void advise_large_pages(std::string& text) {
    constexpr std::uintptr_t page = 2 * 1024 * 1024;
    auto const begin = reinterpret_cast<std::uintptr_t>(text.data());
    auto const first = (begin + page - 1) / page * page;
    auto const last = (begin + text.capacity()) / page * page;
    if (first < last) ::madvise(text.data() + (first - begin), last - first, MADV_HUGEPAGE);
}

/// The length that an answer gives itself; 0 if it does not.
std::size_t announced_length(http_fields const& fields) {
    auto const text = fields.get("Content-Length");
    std::size_t length = 0;
    std::from_chars(text.data(), text.data() + text.size(), length);
    return length;
}

} // namespace

whole_body::whole_body(std::size_t limit, http_fields const& fields) : limit_(limit) {
    if (fields.get("Content-Encoding") == "gzip")
        packed_.emplace();
    else
        announced_ = announced_length(fields);
}

/// Reserves room for `needed` bytes, and for the announced size within limits, so that a peer cannot make us allocate
/// much more memory than it sends.
void whole_body::make_room(std::size_t needed) {
    constexpr std::size_t free_trust = std::size_t(1024) * 1024;
    if (needed <= text_.capacity()) return;
    auto const trusted = std::min({announced_, limit_, std::max(free_trust, needed * 8)});
    text_.reserve(std::max({needed, 2 * text_.capacity(), trusted}));
    advise_large_pages(text_);
}

error_code whole_body::add(std::string piece) {
    if (packed_) return packed_->unpack(piece, text_, limit_);
    if (piece.size() > limit_ - text_.size()) return errc::too_large;
    if (text_.empty()) {
        text_ = std::move(piece);
    } else {
        make_room(text_.size() + piece.size());
        text_ += piece;
    }
    return {};
}

error_code whole_body::end() const noexcept {
    return packed_ && !packed_->complete() ? make_error_code(errc::protocol) : error_code();
}

} // namespace kftrain::kube::detail
