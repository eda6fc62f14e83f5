#ifndef KFTRAIN_SRC_MODEL_JSON_STRUCT_LAYOUT_HPP
#define KFTRAIN_SRC_MODEL_JSON_STRUCT_LAYOUT_HPP

#include <kftrain/model/detail/descriptor_table.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace kftrain::detail {

/** The parts of a field that decoding and encoding need, in one line of the processor's cache. The table of a type is
    spread over many: a reader that goes through hundreds of fields for each pod waits for them longer than it works. */
struct alignas(64) field_layout {
    static constexpr std::size_t longest = 40;

    std::array<char, longest> quoted{}; ///< `"name":`, zeros behind
    std::uint8_t quoted_size = 0;       ///< 0: longer than `longest`
    bool is_string = false;
    bool always = false; ///< written even when empty
    bool bookkeeping = false;
    std::uint32_t offset = 0; ///< of the member
    model::descriptor const* type = nullptr;
};
static_assert(sizeof(field_layout) == 64);

/// Worked out from the first object of the type and kept until the process ends.
field_layout const* make_layout(model::descriptor const& type, void* object);

/// One for each of `type.fields`. `object` is any object of the type.
inline field_layout const* layout_of(model::descriptor const& type, void* object) {
    auto const* const made = static_cast<field_layout const*>(type.layout->load(std::memory_order_acquire));
    return made != nullptr ? made : make_layout(type, object);
}

} // namespace kftrain::detail

#endif
