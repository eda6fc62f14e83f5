#ifndef KFTRAIN_SRC_MODEL_DECODE_BUDGET_HPP
#define KFTRAIN_SRC_MODEL_DECODE_BUDGET_HPP

#include <kftrain/model/codec.hpp>
#include <kftrain/model/raw_json.hpp>

#include <algorithm>

namespace kftrain::detail {

/** Bounds what a text may become in memory. A few bytes of it can ask for much: each `{}` in a list of pods is a struct of
    more than a kilobyte. What lists, maps and unknown fields add is counted; all else needs its name or text spelled out.
    Pods as servers send them take four times their text at most. */
class decode_budget {
public:
    static constexpr std::size_t free_bytes = std::size_t{64} << 20U;
    static constexpr std::size_t bytes_per_byte = 32; ///< of the text

    explicit decode_budget(std::size_t text_size) noexcept : left_(free_bytes + bytes_per_byte * text_size) {}

    bool spent() const noexcept { return left_ == 0; }
    std::size_t left() const noexcept { return left_; }
    void take(std::size_t bytes) noexcept { left_ -= std::min(bytes, left_); }

    static constexpr std::string_view message =
        "expected at most 64 MiB in memory and 32 bytes more for each byte of the text, got more";

    /// Counts a new entry of a map, for which `moved` others had to make room.
    void take_entry(descriptor const& map, std::size_t moved) noexcept {
        take(map.item_size + map_entry + moved_entry * moved);
    }
    /// What a map needs for an entry beside key and value.
    static constexpr std::size_t map_entry = 4 * sizeof(void*);
    /// What moving entries aside is counted as, so that names in falling order cannot take quadratic time without end.
    static constexpr std::size_t moved_entry = 4;
    static constexpr std::size_t unknown_entry = sizeof(unknown_fields::value_type);

private:
    std::size_t left_;
};

} // namespace kftrain::detail

#endif
