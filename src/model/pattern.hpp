#ifndef KFTRAIN_SRC_MODEL_PATTERN_HPP
#define KFTRAIN_SRC_MODEL_PATTERN_HPP

#include <kftrain/base/diagnostics.hpp>

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain {

/** A regular expression of a schema. Matching takes time linear in the text and constant stack, whatever the text is.

    Understands what CRDs use of RE2: literals, `.`, classes with ranges and negation, `\d \w \s` and escaped punctuation,
    groups, `|`, `* + ?`, `{n,m}`, `^` and `$`.
    @par Upstream Go `regexp/syntax` */
class pattern {
public:
    /// `errc::not_supported` for anything else, and for what is no regular expression.
    static result<pattern> parse(std::string_view text);

    /// Whether a part of the text matches.
    bool found_in(std::string_view text) const;

private:
    using ranges = std::vector<std::pair<char32_t, char32_t>>;
    struct step {
        enum class kind { one_of, split, begin, end, done };
        kind what = kind::done;
        std::size_t next = 0, other = 0; ///< `other` of a split only
        ranges set;
    };
    class parser;

    std::vector<step> steps_;
    std::size_t start_ = 0;
};

} // namespace kftrain

#endif
