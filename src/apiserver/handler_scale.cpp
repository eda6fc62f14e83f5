#include "handler.hpp"
#include "handler_options.hpp"
#include "refusals.hpp"

namespace kftrain::apiserver {

answer<reply> handler::serve_scale(call const& c) {
    auto const& method = c.request.method;
    if (method == "PUT") {
        if (auto ok = check_body_type(c.request, "application/json"); !ok) return ok.error();
        auto const body = parse_object(c.request.body);
        if (!body) return body.error();
        if (auto const done = store_.update_scale(c.kind, c.ns, c.name, *body, c.now); !done) return done.error();
    } else if (method == "PATCH") {
        constexpr std::string_view accepted = "application/merge-patch+json";
        if (media_type(c.request.fields.get("Content-Type")) != accepted) return unsupported_media_type(accepted);
        auto const body = parse_value(c.request.body);
        if (!body) return body.error();
        if (auto const done = store_.merge_patch_scale(c.kind, c.ns, c.name, *body, c.now); !done) return done.error();
    } else if (method != "GET") {
        return method_not_allowed();
    }
    auto text = store_.get_scale(c.kind, c.ns, c.name);
    if (!text) return text.error();
    return make_reply(200, std::move(*text));
}

} // namespace kftrain::apiserver
