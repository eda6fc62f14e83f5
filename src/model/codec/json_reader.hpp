#ifndef KFTRAIN_SRC_MODEL_CODEC_JSON_READER_HPP
#define KFTRAIN_SRC_MODEL_CODEC_JSON_READER_HPP

#include "model/codec/decode_budget.hpp"
#include "model/json/json_scanner.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/detail/descriptor_table.hpp>

#include <array>

namespace kftrain::detail {

/** Fills a struct from valid JSON by its descriptor table. It gives up on text that is malformed, does not fit, has
    repeated members or, with `strict`, unknown ones; struct_sink then finds and reports the fault. Both give the same
    result for what both accept. This is the path of nearly every text, so it is built for speed: types are known while
    scanning, lists get their final size at once, and strings are copied from the text. */
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

    /** A record of a field or, in front of the fields of an object, of its beginning. It belongs to the place in the
        document, which all items of a list share: a pod resembles the one before. */
    struct habit {
        std::uint8_t next;   ///< 1 + the index of the field that followed it the last time; 0: none has
        std::uint8_t size;   ///< items of its last list or map; 255: or more
        std::uint16_t block; ///< first of the habits of the objects at this place; 0: there are none yet
    };
    static constexpr std::size_t most_fields = 64;
    static constexpr std::size_t habit_count = 4096; ///< for all places within a pod, several times over
    /// The first of the habits of an object of this type at place_. If there is no room for more, objects share some,
    /// which costs wrong guesses only.
    std::size_t habits_of(model::descriptor const& type) noexcept {
        auto& block = habits_[place_].block;
        if (block == 0) block = take_habits(type.fields.size() + 1);
        return block;
    }
    std::uint16_t take_habits(std::size_t count) noexcept;

    json_scanner in_;
    std::size_t place_ = 0; ///< of the value that is next, in habits_
    decode_budget budget_;
    bool strict_;
    bool keeps_bookkeeping_;
    std::size_t taken_ = 1 + most_fields;   ///< of habits_; the first are those of the document, and shared ones
    std::array<habit, habit_count> habits_; // set when they are taken
};

} // namespace kftrain::detail

#endif
