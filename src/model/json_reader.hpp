#ifndef KFTRAIN_SRC_MODEL_JSON_READER_HPP
#define KFTRAIN_SRC_MODEL_JSON_READER_HPP

#include "model/decode_budget.hpp"
#include "model/json_scanner.hpp"

#include <kftrain/model/codec.hpp>

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
    bool read(descriptor const& type, void* target);

private:
    bool value(descriptor const& d, void* v) {
        return d.kind == shape::string && in_.peek() == '"' ? string(v) : other_value(d, v);
    }
    bool string(void* v);
    bool other_value(descriptor const& d, void* v);
    field const* field_name(descriptor const& d, void const*& before, std::string_view& name);
    bool object(descriptor const& d, void* v);
    bool array(descriptor const& d, void* v);
    bool map(descriptor const& d, void* v);
    bool text(descriptor const& d, void* v, char first);
    bool header(resource_info const& info, bool kind);
    bool other_field(descriptor const& d, void* object, std::string_view name, std::uint32_t& headers);

    /// What is remembered about a field, or of a type about its first field. Objects in a list resemble each other.
    struct habit {
        std::uint8_t next = 0; ///< 1 + the index of the field that followed it the last time; 0: none has
        std::uint8_t size = 0; ///< items of its last list or map; 255: or more
    };
    /// Several may share one, which costs a wrong guess only; there are more than a type usually has fields within.
    habit& habit_of(void const* field_or_type) noexcept {
        return habits_[(reinterpret_cast<std::uintptr_t>(field_or_type) * 0x9E3779B97F4A7C15U) >> 54U];
    }

    json_scanner in_;
    field const* field_ = nullptr; ///< whose value is next
    decode_budget budget_;
    bool strict_;
    bool keep_managed_fields_;
    std::array<habit, 1024> habits_{};
};

} // namespace kftrain::detail

#endif
