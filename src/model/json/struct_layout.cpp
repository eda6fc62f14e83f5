#include "model/json/struct_layout.hpp"

#include <algorithm>
#include <memory>

namespace kftrain::detail {

field_layout const* make_layout(model::descriptor const& type, void* object) {
    auto made = std::make_unique<field_layout[]>(type.fields.size());
    for (std::size_t i = 0; i < type.fields.size(); ++i) {
        auto const& f = type.fields[i];
        auto& l = made[i];
        if (f.quoted.size() <= field_layout::longest) {
            std::copy(f.quoted.begin(), f.quoted.end(), l.quoted.begin());
            l.quoted_size = static_cast<std::uint8_t>(f.quoted.size());
        }
        l.bookkeeping = f.bookkeeping;
        l.always = f.always;
        l.is_string = f.type->kind == model::shape::string;
        l.offset = static_cast<std::uint32_t>(static_cast<char*>(f.get(object)) - static_cast<char*>(object));
        l.type = f.type;
    }
    void const* before = nullptr;
    if (type.layout->compare_exchange_strong(before, made.get(), std::memory_order_acq_rel)) return made.release();
    return static_cast<field_layout const*>(before); // another thread was first
}

} // namespace kftrain::detail
