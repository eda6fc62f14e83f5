#include <kftrain/model/object_type.hpp>

namespace kftrain {

std::shared_ptr<void> object_type::make() const { return maker(*this); }

std::shared_ptr<void> object_type::copy(void const* object) const { return copier(*this, object); }

result<erased_object> object_type::decode(std::string_view text) const { return decoder(*this, text); }

result<meta::list_meta> object_type::decode_list(std::string_view text, std::vector<erased_object>& items) const {
    return list_decoder(*this, text, items);
}

std::shared_ptr<object_type const> object_type::share() const {
    return sharer != nullptr ? sharer(*this) : std::shared_ptr<object_type const>(std::shared_ptr<void>(), this);
}

std::string object_type::kind() const { return std::string(info->kind).append(info->list ? "List" : ""); }

} // namespace kftrain
