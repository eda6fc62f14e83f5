#include "apiserver/rest/access_review.hpp"

#include "apiserver/checks/body_type.hpp"
#include "apiserver/rest/handler_options.hpp"
#include "apiserver/rest/protobuf_review.hpp"
#include "apiserver/text/refusals.hpp"

#include <kftrain/objects/authorization/self_subject_access_review.hpp>
#include <kftrain/objects/type_table.hpp>

namespace kftrain::apiserver {
namespace {

using review = authorization::self_subject_access_review;

refusal invalid_review(char const* field, std::string text) {
    refusal_cause cause;
    cause.reason = "FieldValueInvalid";
    cause.field = field;
    cause.message = std::move(text);
    return invalid(access_review_definition(), "", {cause});
}

} // namespace

resource_definition const& access_review_definition() {
    static resource_definition const made = [] {
        resource_definition d;
        d.group = review::resource.group;
        d.version = review::resource.version;
        d.kind = review::resource.kind;
        d.plural = review::resource.plural;
        d.where = resource_scope::cluster;
        d.custom = false;
        d.has_status = false;
        d.has_generation = false;
        d.type = &plain_type_of<review>;
        return d;
    }();
    return made;
}

bool is_access_review(std::vector<std::string> const& path) {
    auto const& d = access_review_definition();
    return path.size() == 4 && path[0] == "apis" && path[1] == d.group && path[2] == d.version && path[3] == d.plural;
}

answer<reply> review_access(kube::http_request const& request, request_target const& target) {
    auto const& d = access_review_definition();
    if (request.method != "POST") return method_not_allowed();
    if (auto ok = check_options(target, "CreateOptions"); !ok) return ok.error();
    auto const binary = media_type(request.fields.get("Content-Type")) == "application/vnd.kubernetes.protobuf";
    auto const converted = binary ? read_protobuf_review(request.body) : std::nullopt;
    if (!converted)
        if (auto ok = check_body_type(request, "application/json"); !ok) return ok.error();
    auto const body = parse_object(converted ? *converted : request.body);
    if (!body) return body.error();
    auto const typed = check_type(d, *body);
    if (!typed) return typed.error();
    if (*typed == nullptr) return bad_request("the object is not a " + d.kind + " of " + d.api_version());
    review answered = *static_cast<review const*>(typed->get());
    bool const of_object = answered.spec.resource_attributes.has_value();
    if (of_object == answered.spec.non_resource_attributes.has_value())
        return invalid_review("spec.resourceAttributes", of_object
                                                             ? "Invalid value: cannot be specified in combination with "
                                                               "nonResourceAttributes"
                                                             : "Invalid value: exactly one of nonResourceAttributes or "
                                                               "resourceAttributes must be specified");
    answered.status = authorization::subject_access_review_status();
    answered.status.allowed = true;
    answered.status.reason = "this server has no authorization: every request is allowed";
    return make_reply(201, to_json(answered));
}

} // namespace kftrain::apiserver
