#include "apiserver/checks/object_patch.hpp"
#include "apiserver/rest/handler.hpp"
#include "apiserver/rest/handler_options.hpp"
#include "apiserver/text/refusals.hpp"

namespace kftrain::apiserver {

answer<reply> handler::serve_scale(call const& c) {
    auto const& method = c.request.method;
    std::optional<answer<written>> done;
    if (method == "PUT") {
        if (auto ok = check_body_type(c.request, "application/json"); !ok) return ok.error();
        auto const body = parse_object(c.request.body);
        if (!body) return body.error();
        done = store_.update_scale(c.kind, c.ns, c.name, *body, c.now, write_options_of(c.request, c.target));
    } else if (method == "PATCH") {
        auto const media = media_type(c.request.fields.get("Content-Type"));
        auto const type = patch_type_of(media);
        if (!type) return unsupported_media_type(patch_types_of_any());
        done = store_.patch_scale(c.kind, c.ns, c.name, *type, c.request.body, c.now,
                                  write_options_of(c.request, c.target));
    } else if (method != "GET") {
        return method_not_allowed();
    }
    if (done && !*done) return done->error();
    auto text = done ? store_.get_scale(c.kind, *(*done)->object) : store_.get_scale(c.kind, c.ns, c.name);
    if (!text) return text.error();
    return make_reply(200, std::move(*text));
}

} // namespace kftrain::apiserver
