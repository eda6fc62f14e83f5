#ifndef KFTRAIN_SRC_MODEL_YAML_YAML_RECORDING_HPP
#define KFTRAIN_SRC_MODEL_YAML_YAML_RECORDING_HPP

#include "model/yaml/yaml_parser.hpp"

#include <optional>
#include <vector>

namespace kftrain::detail {

/** Records the events of a YAML text, so that libyaml reads it only once. The text is read as far as the furthest user.
    If the events of a text need too much memory, they are not recorded, and the text is read again.
    @par Lifetimes Refers to the text. */
class yaml_recording {
public:
    explicit yaml_recording(std::string_view text) : text_(text), left_(free_room + 8 * text.size()) {}
    yaml_recording(yaml_recording const&) = delete;
    yaml_recording& operator=(yaml_recording const&) = delete;

    /// A walk from the first event. One at a time: it ends when the next is begun. Refers to the recording.
    yaml_source walk();

private:
    static constexpr std::size_t free_room = std::size_t{64} << 20U;

    struct kept {
        std::size_t text = 0; ///< in strings_: the anchor, and the value behind it
        std::uint32_t anchor_size = 0;
        std::uint32_t value_size = 0;
        std::uint32_t line = 0;
        std::uint32_t column = 0;
        yaml_event::kind what = yaml_event::kind::end;
        yaml_tag tag = yaml_tag::none;
        bool plain = false;
    };

    /// May follow the one before only, unless it is kept.
    yaml_event event(std::size_t number);
    yaml_event read();
    bool keep(yaml_event const&);

    std::string_view text_;
    std::size_t left_; ///< bytes that may still be kept
    std::optional<yaml_parser> parser_{};
    std::optional<yaml_problem> problem_{}; ///< which ends the text
    std::vector<kept> events_{};
    std::string strings_{};
    bool too_large_ = false;
};

} // namespace kftrain::detail

#endif
