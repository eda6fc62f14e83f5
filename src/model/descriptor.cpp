#include <kftrain/model/descriptor.hpp>

namespace kftrain {

field const* descriptor::find(std::string_view json_name) const noexcept {
    if (slots.empty()) return nullptr;
    std::size_t const mask = slots.size() - 1;
    for (std::size_t i = hash_name(json_name) & mask; slots[i] != 255; i = (i + 1) & mask)
        if (auto const& f = fields[slots[i]]; f.name == json_name) return &f;
    return nullptr;
}

} // namespace kftrain
