#include "apiserver/checks/body_type.hpp"

#include "apiserver/text/refusals.hpp"
#include "model/codec/tree_decode.hpp"

#include <kftrain/model/object_type.hpp>

namespace kftrain::apiserver {

boost::system::result<typed_body, std::string> read_type(resource_definition const& d, json::object const& object) {
    if (d.type == nullptr) return typed_body();
    auto const typed = d.type->make();
    auto const fits = detail::decode_tree(object, *d.type->model, typed.get());
    if (fits) return typed_body(typed);
    if (fits.error().code == errc::wrong_kind) return typed_body();
    auto const& detail = fits.error().detail;
    return (detail.path.empty() ? "" : detail.path + ": ") + detail.message;
}

answer<typed_body> check_type(resource_definition const& d, json::object const& body) {
    auto typed = read_type(d, body);
    if (!typed)
        return bad_request(d.kind + " in version " + in_quotes(d.version) + " cannot be handled as a " + d.kind + ": " +
                           typed.error());
    return std::move(*typed);
}

} // namespace kftrain::apiserver
