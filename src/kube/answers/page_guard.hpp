#ifndef KFTRAIN_SRC_KUBE_ANSWERS_PAGE_GUARD_HPP
#define KFTRAIN_SRC_KUBE_ANSWERS_PAGE_GUARD_HPP

#include "kube/answers/expected_place.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace kftrain::kube::detail {

/// Recognises a list whose pages do not end.
class page_guard {
public:
    /// Pages of one list, and pages without objects in a row. Servers fill their pages; the last one may be empty.
    static constexpr std::uint32_t usual_most_pages = 100'000;
    static constexpr std::uint32_t most_empty_pages = 100;

    explicit page_guard(std::uint32_t max_pages = usual_most_pages) : most_pages_(max_pages) {}

    /// The list begins again, or behind the page with this token. Its pages count on.
    void begin(std::string_view token = {}) {
        tokens_.clear();
        empty_ = 0;
        if (!token.empty()) note(token);
    }
    /** A page arrived; `token` is that of the next one, empty if there is none.
        @par Errors `errc::protocol` */
    result<void> take(std::string_view token, bool is_empty) {
        if (token.empty()) return {};
        empty_ = is_empty ? empty_ + 1 : 0;
        if (++pages_ >= most_pages_)
            return endless("expected at most " + std::to_string(most_pages_) + " pages, got a token for another page");
        if (empty_ >= most_empty_pages)
            return endless("expected objects or the end of the list, got " + std::to_string(empty_) +
                           " pages without objects in a row");
        if (!note(token))
            return endless("expected a new token, got the token of an earlier page, \"" + std::string(token) + "\"");
        return {};
    }

private:
    static failure endless(std::string message) { return protocol_failure("metadata.continue", std::move(message)); }
    /// Hashes suffice: two tokens that share one are as rare as a broken memory.
    bool note(std::string_view token) { return tokens_.insert(std::hash<std::string_view>()(token)).second; }

    std::unordered_set<std::size_t> tokens_; ///< tokens
    std::uint32_t most_pages_;
    std::uint32_t pages_ = 0;
    std::uint32_t empty_ = 0;
};

} // namespace kftrain::kube::detail

#endif
