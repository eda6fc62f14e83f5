#ifndef KFTRAIN_MODEL_POSITION_HPP
#define KFTRAIN_MODEL_POSITION_HPP

#include <cstddef>
#include <memory>
#include <string_view>

namespace kftrain {

/// A position in a text; 0 if unknown.
struct text_position {
    text_position() = default;

    std::size_t line = 0;   ///< 1-based
    std::size_t column = 0; ///< 1-based, in characters

    friend bool operator==(text_position const&, text_position const&) = default;
};

/** Finds the fields of a YAML or JSON document in its text, for messages of rules that have only a path. Parses the
    text once, at the first look-up.
    @par Lifetimes Refers to the text.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class position_finder {
public:
    /// `first_line` is the number of the first line of the text within a larger text.
    explicit position_finder(std::string_view document, std::size_t first_line = 1);
    position_finder(position_finder&&) noexcept;
    position_finder& operator=(position_finder&&) noexcept;
    ~position_finder();

    /** Returns the position of the value at a path such as `spec.replicaSpecs[Worker].containers[0].image` or
        `metadata.labels[a.b/c]`. If there is no such value, returns the position of the nearest existing value
        above. Unknown for a text that cannot be parsed or is larger than 4 MiB. */
    text_position find(std::string_view path);

private:
    struct parsed;

    std::string_view text_;
    std::size_t first_line_ = 1;
    std::unique_ptr<parsed> parsed_;
};

} // namespace kftrain

#endif
