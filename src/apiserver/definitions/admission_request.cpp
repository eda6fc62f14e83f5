#include "model/codec/tree_decode.hpp"

#include <kftrain/apiserver/resource_definition.hpp>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace kftrain::apiserver {

admission_request::admission_request(boost::json::object const& object, std::string_view old_object, finder find)
    : object_(&object), old_object_(old_object), find_(std::move(find)) {}

result<void> admission_request::read(model::descriptor const& type, void* target) const {
    return detail::decode_tree(*object_, type, target);
}

result<void> admission_request::read_old(model::descriptor const& type, void* target) const {
    return decode_json(old_object_, type, target);
}

std::string admission_request::text() const { return boost::json::serialize(*object_); }

std::string admission_request::look_up(resource_info const& type, std::string_view ns, std::string_view name) const {
    return find_ ? find_(type, ns, name) : std::string();
}

} // namespace kftrain::apiserver
