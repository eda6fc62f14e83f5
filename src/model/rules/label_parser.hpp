#ifndef KFTRAIN_SRC_MODEL_RULES_LABEL_PARSER_HPP
#define KFTRAIN_SRC_MODEL_RULES_LABEL_PARSER_HPP

#include <kftrain/model/selector.hpp>

namespace kftrain::detail {

/// The faults of a requirement beyond its syntax, with the server's messages; empty if there are none.
std::string requirement_fault(label_requirement const& r);

/** Parses the textual form of a label selector, token by token, so that it refuses the same texts at the same position
    as upstream.
    @par Upstream apimachinery `pkg/labels/selector.go`, v0.31 */
class label_parser {
public:
    explicit label_parser(std::string_view text) : rest_(text) { advance(); }

    /// False if the text is refused.
    bool run(std::vector<label_requirement>& out);
    std::string const& why() const noexcept { return why_; }

private:
    enum class token {
        end,
        closed,
        comma,
        absent,
        double_equals,
        equals,
        greater,
        word,
        in,
        less,
        not_equals,
        not_in,
        open
    };

    void advance();
    void take_symbol();
    /// A word where `in` and `notin` are words, too.
    bool at_word() const noexcept { return token_ == token::word || token_ == token::in || token_ == token::not_in; }
    bool requirement(label_requirement& out);
    bool relation(label_requirement& out);
    bool set(label_requirement& out);
    bool listed(std::vector<std::string>& out);
    bool exact(label_requirement& out);
    bool wrong(std::string_view found, std::string_view wanted);

    std::string_view rest_;
    token token_ = token::end;
    std::string_view text_{}; ///< of the current token
    std::string why_{};
};

} // namespace kftrain::detail

#endif
