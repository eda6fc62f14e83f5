#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/dynamic_object.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

KFTRAIN_TABLE(dynamic_object)

namespace {

/// A list of objects of a type without a struct.
struct dynamic_list {
    dynamic_list() = default;

    std::string api_version;
    std::string kind;
    meta::list_meta metadata;
    std::vector<dynamic_object> items;
};
BOOST_DESCRIBE_STRUCT(dynamic_list, (), (api_version, kind, metadata, items))

/// An object, and its type so that it lives as long.
struct kept_object : dynamic_object {
    kept_object(dynamic_object o, std::shared_ptr<object_type const> t)
        : dynamic_object(std::move(o)), type(std::move(t)) {}

    std::shared_ptr<object_type const> type;
};

std::shared_ptr<dynamic_object> keep(dynamic_object object, object_type const& type) {
    return std::make_shared<kept_object>(std::move(object), type.share());
}

/// Says what is wrong with the apiVersion and kind of a text; what it leaves out is filled in.
result<void> check_header(std::string& api_version, std::string& kind, resource_info const& info,
                          std::string_view suffix) {
    auto const wanted_version = info.api_version();
    auto const wanted_kind = std::string(info.kind).append(suffix);
    auto const refused = [&](std::string_view path, std::string const& got) {
        diagnostics d;
        d.path = path;
        d.message = "expected " + wanted_kind + " of " + wanted_version + ", got \"" + got + "\"";
        return failure(errc::wrong_kind, std::move(d));
    };
    if (!api_version.empty() && api_version != wanted_version) return refused("apiVersion", api_version);
    if (!kind.empty() && kind != wanted_kind) return refused("kind", kind);
    api_version = wanted_version;
    kind = wanted_kind;
    return {};
}

std::shared_ptr<void> make_object(object_type const& type) {
    dynamic_object object;
    object.api_version = type.info->api_version();
    object.kind = type.info->kind;
    return keep(std::move(object), type);
}

std::shared_ptr<void> copy_object(object_type const& type, void const* object) {
    return keep(*static_cast<dynamic_object const*>(object), type);
}

result<erased_object> checked(result<dynamic_object> object, object_type const& type) {
    if (!object) return object.error();
    if (auto const fits = check_header(object->api_version, object->kind, *type.info, ""); !fits) return fits.error();
    return erased_object(keep(std::move(*object), type));
}

result<erased_object> decode_object(object_type const& type, std::string_view text) {
    return checked(from_json<dynamic_object>(text), type);
}

/// Items of a list may lack apiVersion and kind.
result<meta::list_meta> decode_objects(object_type const& type, std::string_view text,
                                       std::vector<erased_object>& items) {
    auto list = from_json<dynamic_list>(text);
    if (!list) return list.error();
    if (auto const fits = check_header(list->api_version, list->kind, *type.info, "List"); !fits) return fits.error();
    for (std::size_t i = 0; i != list->items.size(); ++i) {
        auto& item = list->items[i];
        if (auto const fits = check_header(item.api_version, item.kind, *type.info, ""); !fits) {
            auto why = fits.error();
            why.detail.path.insert(0, "items[" + std::to_string(i) + "].");
            return why;
        }
    }
    items.reserve(items.size() + list->items.size());
    for (auto& item : list->items) items.push_back(keep(std::move(item), type));
    return std::move(list->metadata);
}

/// The type with the texts that it is named by.
class owned_type : public object_type, public std::enable_shared_from_this<owned_type> {
public:
    owned_type(std::string group, std::string version, std::string kind, std::string plural, resource_scope where)
        : group_(std::move(group)),
          version_(std::move(version)),
          kind_(std::move(kind)),
          plural_(std::move(plural)),
          info_(group_, version_, kind_, plural_, where),
          list_info_(group_, version_, kind_, plural_, where, true) {
        info = &info_;
        model = &descriptor_of<dynamic_object>();
        maker = &make_object;
        copier = &copy_object;
        decoder = &decode_object;
        list_decoder = &decode_objects;
        metadata_of = [](void* object) -> object_meta& { return static_cast<dynamic_object*>(object)->metadata; };
        sharer = [](object_type const& self) -> std::shared_ptr<object_type const> {
            return static_cast<owned_type const&>(self).shared_from_this();
        };
        list_.info = &list_info_;
        list_.model = &descriptor_of<dynamic_list>();
        list = &list_;
    }
    owned_type(owned_type const&) = delete;
    owned_type& operator=(owned_type const&) = delete;

private:
    std::string group_, version_, kind_, plural_;
    resource_info info_, list_info_;
    object_type list_;
};

} // namespace

dynamic_type::dynamic_type(std::string group, std::string version, std::string kind, std::string plural,
                           resource_scope where)
    : type_(std::make_shared<owned_type const>(std::move(group), std::move(version), std::move(kind), std::move(plural),
                                               where)) {}

any_object dynamic_type::make(dynamic_object object) const {
    object.api_version = resource().api_version();
    object.kind = resource().kind;
    return any_object(*type_, keep(std::move(object), *type_));
}

result<any_object> dynamic_type::from_json(std::string_view text) const {
    auto object = type_->decode(text);
    if (!object) return object.error();
    return any_object(*type_, std::move(*object));
}

result<any_object> dynamic_type::from_yaml(std::string_view text) const {
    auto object = checked(kftrain::from_yaml<dynamic_object>(text), *type_);
    if (!object) return object.error();
    return any_object(*type_, std::move(*object));
}

} // namespace kftrain
