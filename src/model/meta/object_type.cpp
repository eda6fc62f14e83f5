#include <kftrain/model/any_object.hpp>
#include <kftrain/model/change_kind.hpp>
#include <kftrain/model/object_type.hpp>

namespace kftrain {
namespace {

constexpr resource_info no_resource;

failure refused_kind() {
    failure f;
    f.code = errc::wrong_kind;
    f.detail.message = "objects without a type cannot be decoded";
    return f;
}

} // namespace

object_type const& no_object_type() noexcept {
    static object_meta nothing; // nobody writes it: empty objects give it as a constant
    static object_type const none = [] {
        object_type t;
        t.info = &no_resource;
        t.model = &descriptor_of<object_meta>();
        t.maker = [](object_type const&) { return std::shared_ptr<void>(); };
        t.copier = [](object_type const&, void const*) { return std::shared_ptr<void>(); };
        t.decoder = [](object_type const&, std::string_view) { return result<erased_object>(refused_kind()); };
        t.list_decoder = [](object_type const&, std::string_view, std::vector<erased_object>&) {
            return result<meta::list_meta>(refused_kind());
        };
        t.metadata_of = [](void*) -> object_meta& { return nothing; };
        return t;
    }();
    return none;
}

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

std::string_view to_string(change_kind k) noexcept {
    switch (k) {
    case change_kind::added: return "added";
    case change_kind::modified: return "modified";
    case change_kind::deleted: break;
    }
    return "deleted";
}

} // namespace kftrain
