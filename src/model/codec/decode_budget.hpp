#ifndef KFTRAIN_SRC_MODEL_CODEC_DECODE_BUDGET_HPP
#define KFTRAIN_SRC_MODEL_CODEC_DECODE_BUDGET_HPP

#include <kftrain/model/codec.hpp>
#include <kftrain/model/detail/descriptor_table.hpp>
#include <kftrain/model/raw_json.hpp>

#include <algorithm>
#include <limits>
#include <string>

namespace kftrain::detail {

/** The memory that decode_options::max_memory limits. Lists, maps and unknown fields are counted; the size of
    everything else is limited by the text. */
class decode_budget {
public:
    decode_budget(std::size_t text_size, decode_options const& options) noexcept : left_(bound(text_size, options)) {}

    bool spent() const noexcept { return left_ == 0; }
    std::size_t left() const noexcept { return left_; }
    void take(std::size_t bytes) noexcept {
        if (left_ != unbounded) left_ -= std::min(bytes, left_);
    }

    static std::string message(decode_options const& options) {
        return "expected at most " + std::to_string(options.max_memory) + " bytes in memory (max_memory) and " +
               std::to_string(memory_per_byte) + " more for each byte of the text, got more";
    }

    /// Counts a new entry of a map.
    void take_entry(model::descriptor const& map) noexcept { take(map.item_size + map_entry); }
    /// The memory of a map entry without key and value.
    static constexpr std::size_t map_entry = 4 * sizeof(void*);
    static constexpr std::size_t unknown_entry = sizeof(unknown_fields::value_type);

private:
    static constexpr std::size_t unbounded = std::numeric_limits<std::size_t>::max();

    static std::size_t bound(std::size_t text_size, decode_options const& options) noexcept {
        if (options.max_memory == 0 || text_size > (unbounded - options.max_memory) / memory_per_byte) return unbounded;
        return options.max_memory + memory_per_byte * text_size;
    }

    std::size_t left_;
};

} // namespace kftrain::detail

#endif
