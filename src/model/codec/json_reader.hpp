#ifndef KFTRAIN_SRC_MODEL_CODEC_JSON_READER_HPP
#define KFTRAIN_SRC_MODEL_CODEC_JSON_READER_HPP

#include "model/codec/decode_budget.hpp"
#include "model/json/json_scanner.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/detail/descriptor_table.hpp>

#include <array>

namespace kftrain::detail {

/** Fills a struct from JSON by its descriptor table, when there is nothing to say about the text: it gives up on whatever
    is malformed, does not fit, is repeated or, with `strict`, unknown, and leaves it to struct_sink to find out and tell.
    What it takes, struct_sink takes with the same result. It is the path of nearly every text, so it is built for speed:
    types are known while scanning, lists get their final size at once, and strings are copied from the text. */
class json_reader {
public:
    json_reader(std::string_view text, decode_options const& options);

    /// False if it gave up; `target` then holds a part. Throws what the members of the type do: std::bad_alloc.
    bool read(model::descriptor const& type, void* target);

private:
    // These take and give a place in the text; null: given up.
    char const* value(char const* p, model::descriptor const& d, void* v) {
        return d.kind == model::shape::string && p != in_.end() && *p == '"' ? string(p, v) : other_value(p, d, v);
    }
    char const* string(char const* p, void* v);
    char const* other_value(char const* p, model::descriptor const& d, void* v);
    char const* object(char const* p, model::descriptor const& d, void* v);
    char const* array(char const* p, model::descriptor const& d, void* v);
    char const* map(char const* p, model::descriptor const& d, void* v);
    char const* text(char const* p, model::descriptor const& d, void* v);
    char const* header(char const* p, resource_info const& info, bool kind);
    char const* other_field(char const* p, model::descriptor const& d, void* object, std::string_view name,
                            std::uint32_t& headers);

    /** What is remembered about a field, and in front of the fields of an object about its beginning. It belongs to the
        place in the document, which all items of a list share: a pod resembles the one before. Places may share some,
        which costs a wrong guess only. */
    struct habit {
        std::uint8_t next = 0; ///< 1 + the index of the field that followed it the last time; 0: none has
        std::uint8_t size = 0; ///< items of its last list or map; 255: or more
    };
    static constexpr std::size_t habit_count = 4096; ///< for all places within a pod, several times over
    std::size_t first_habit(model::descriptor const& type) const noexcept {
        return ((reinterpret_cast<std::uintptr_t>(&type) + place_ * 0xD6E8FEB86659FD93U) * 0x9E3779B97F4A7C15U) >> 52U;
    }
    habit& habit_at(std::size_t i) noexcept { return habits_[i % habit_count]; }

    json_scanner in_;
    std::size_t place_ = 0; ///< of the value that is next
    decode_budget budget_;
    bool strict_;
    bool keeps_bookkeeping_;
    std::array<habit, habit_count> habits_{};
};

} // namespace kftrain::detail

#endif
