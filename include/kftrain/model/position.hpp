#ifndef KFTRAIN_MODEL_POSITION_HPP
#define KFTRAIN_MODEL_POSITION_HPP

#include <cstddef>
#include <memory>
#include <string_view>

namespace kftrain {

/// A place in a text; 0 when unknown.
struct text_position {
    text_position() = default;

    std::size_t line = 0;   ///< 1-based
    std::size_t column = 0; ///< 1-based, in characters

    friend bool operator==(text_position const&, text_position const&) = default;
};

/** Finds the fields of a YAML or JSON document in its text, for messages of rules that know only a path. The text is read
    once, when the first path is asked for.
    @par Lifetimes Refers to the text.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class position_finder {
public:
    /// `first_line` is the number of the text's first line in what it is part of.
    explicit position_finder(std::string_view document, std::size_t first_line = 1);
    position_finder(position_finder&&) noexcept;
    position_finder& operator=(position_finder&&) noexcept;
    ~position_finder();

    /** Of the value at a path such as `spec.replicaSpecs[Worker].containers[0].image` or `metadata.labels[a.b/c]`. Where
        the path leads to nothing: of the value above that there is. Unknown for a text that cannot be read or is larger
        than 4 MiB. */
    text_position find(std::string_view path);

private:
    struct parsed;

    std::string_view text_;
    std::size_t first_line_ = 1;
    std::unique_ptr<parsed> parsed_;
};

} // namespace kftrain

#endif
