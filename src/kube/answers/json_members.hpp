#ifndef KFTRAIN_SRC_KUBE_ANSWERS_JSON_MEMBERS_HPP
#define KFTRAIN_SRC_KUBE_ANSWERS_JSON_MEMBERS_HPP

#include <cstddef>
#include <string_view>

namespace kftrain::kube::detail {

/** Iterates over the members of the outermost object of a JSON text, however deep their values are nested. It checks no
    more than it needs to find where values end; the decoder of a value checks the value. */
class json_members {
public:
    static constexpr std::string_view blanks = " \t\r\n";

    explicit json_members(std::string_view text) : text_(text) {}

    bool enter();
    /// False at the end of the object or if the text is no object; ok() and is_at_end() say which.
    bool next(std::string_view& name, std::string_view& value) { return next_name(name) && take_value(value); }
    /// The first half of next(): take_value() follows, or nothing.
    bool next_name(std::string_view& name);
    bool take_value(std::string_view& value);
    /// Whether the string that was passed last, a name or a value, has escapes.
    bool escaped() const noexcept { return escaped_; }
    /// From the value that comes next to the end of the text.
    std::string_view rest() const { return text_.substr(at_); }
    /// Whether the value that comes next is an array that is not empty.
    bool at_filled_array() const;
    /// The same for the items of an array that is the whole text.
    bool enter_array();
    bool next_item(std::string_view& value);
    /// The text was one whole object.
    bool ok() const noexcept { return ok_; }
    /// All of the text was read.
    bool is_at_end() const noexcept { return at_ == text_.size(); }

private:
    char peek();
    bool take(char c);
    bool advance(char close);
    bool skip_string();
    bool skip_value();

    std::string_view text_;
    std::size_t at_ = 0;
    unsigned members_ = 0;
    bool ok_ = false;
    bool escaped_ = false;
};

/// Whether a text, of which more may follow, is a `Status` that reports a failure.
enum class status_verdict {
    other,      ///< no: it is another object, a success, or no object
    unfinished, ///< the text ends too early to know
    failure,    ///< yes, if nothing but blanks follows
};

/** Reads no further than the answer needs: in most objects that is the first member.
    @par Upstream client-go `rest/request.go`, `Result.Error`: a v1 `Status` other than `Success` is an error */
status_verdict find_failed_status(std::string_view text);

} // namespace kftrain::kube::detail

#endif
