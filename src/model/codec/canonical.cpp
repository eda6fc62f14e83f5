#include <kftrain/model/codec.hpp>
#include <kftrain/model/detail/descriptor_table.hpp>

namespace kftrain {

void make_canonical(model::descriptor const& type, void* value) {
    switch (type.kind) {
    case model::shape::text:
        if (type.make_canonical != nullptr) type.make_canonical(value);
        return;
    case model::shape::object:
        for (auto const& f : type.fields) make_canonical(*f.type, f.get(value));
        return;
    case model::shape::array:
        for (std::size_t i = 0; i < type.size(value); ++i)
            make_canonical(*type.element, const_cast<void*>(type.at(value, i)));
        return;
    case model::shape::map:
        type.visit(value, const_cast<model::descriptor*>(type.element),
                   [](void* element, std::string const&, void const* entry) {
                       make_canonical(*static_cast<model::descriptor const*>(element), const_cast<void*>(entry));
                   });
        return;
    case model::shape::optional:
        if (auto const* inner = type.peek(value)) make_canonical(*type.element, const_cast<void*>(inner));
        return;
    default: return;
    }
}

} // namespace kftrain
