#ifndef KFTRAIN_SRC_MODEL_YAML_YAML_PARSER_HPP
#define KFTRAIN_SRC_MODEL_YAML_YAML_PARSER_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace kftrain::detail {

/// A place in a YAML text, 0-based, in characters. Lines end as in YAML 1.1, also with a lone CR and U+2028.
struct yaml_mark {
    std::size_t line = 0;
    std::size_t column = 0;
};

/// The tag of a scalar: the standard tags that Kubernetes distinguishes, and `core` for the other standard tags.
enum class yaml_tag : std::uint8_t { none, other, core, integer, number, boolean, null, binary, merge };

/// An event of libyaml; the strings are valid until the next event.
struct yaml_event {
    enum class kind : std::uint8_t { end, document, document_end, alias, scalar, list, list_end, map, map_end };

    kind what = kind::end;
    yaml_mark mark{};
    std::string_view anchor{}; ///< of a node, or the one that an alias names
    std::string_view value{};  ///< of a scalar
    yaml_tag tag = yaml_tag::none;
    bool plain = false; ///< a scalar without quotes, which is no block either
};

/// Why a text is no YAML.
struct yaml_problem {
    std::string message;
    yaml_mark mark;
};

/// Returns the events of a text one by one, as yaml_parser::next() does.
using yaml_source = std::function<yaml_event()>;

/** Reads a YAML text event by event with libyaml, which looks ahead by 1024 characters at most. Kubernetes' own reader
    is a port of it.
    @par Lifetimes Refers to the text, which must be UTF-8 without a NUL. */
class yaml_parser {
public:
    /// Throws a yaml_problem if the text has directives that would take too much.
    explicit yaml_parser(std::string_view text);
    yaml_parser(yaml_parser const&) = delete;
    yaml_parser& operator=(yaml_parser const&) = delete;
    ~yaml_parser();

    /// Throws a yaml_problem, after which it may not be called again.
    yaml_event next();

private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

} // namespace kftrain::detail

#endif
