#include "apiserver/rest/access_review.hpp"

#include "apiserver/checks/body_type.hpp"
#include "apiserver/refusals/refusals.hpp"
#include "apiserver/rest/handler_options.hpp"

#include <kftrain/objects/authorization/subject_access_review.hpp>
#include <kftrain/objects/type_table.hpp>

#include <algorithm>
#include <cstdint>
#include <map>

namespace kftrain::apiserver {
namespace {

using own_access = authorization::self_subject_access_review;
using access_of_user = authorization::subject_access_review;
using own_rules = authorization::self_subject_rules_review;

resource_definition definition_of_review(std::string group, std::string kind, std::string plural,
                                         object_type const* type) {
    resource_definition d;
    d.group = std::move(group);
    d.version = "v1";
    d.kind = std::move(kind);
    d.plural = std::move(plural);
    d.where = resource_scope::cluster;
    d.custom = false;
    d.has_status = false;
    d.has_generation = false;
    d.type = type;
    return d;
}

template <class T> resource_definition definition_of_review() {
    return definition_of_review(std::string(T::resource.group), std::string(T::resource.kind),
                                std::string(T::resource.plural), &plain_type_of<T>);
}

refusal invalid_review(resource_definition const& d, char const* field, std::string text) {
    refusal_cause cause;
    cause.reason = "FieldValueInvalid";
    cause.field = field;
    cause.message = "Invalid value: " + std::move(text);
    return invalid(d, "", {cause});
}

answer<access_request> requested_access(resource_definition const& d, auto const& spec) {
    bool const of_object = spec.resource_attributes.has_value();
    if (of_object == spec.non_resource_attributes.has_value())
        return invalid_review(d, "spec.resourceAttributes",
                              of_object
                                  ? "cannot be specified in combination with nonResourceAttributes"
                                  : "exactly one of nonResourceAttributes or resourceAttributes must be specified");
    access_request out;
    if (of_object) {
        auto const& r = *spec.resource_attributes;
        out.verb = r.verb;
        out.group = r.group;
        out.version = r.version;
        out.resource = r.resource;
        out.subresource = r.subresource;
        out.ns = r.namespace_;
        out.name = r.name;
    } else {
        out.verb = spec.non_resource_attributes->verb;
        out.path = spec.non_resource_attributes->path;
    }
    return out;
}

authorization::subject_access_review_status status_of(access_decision const& decision) {
    authorization::subject_access_review_status out;
    out.allowed = decision.allowed;
    out.reason = decision.reason;
    return out;
}

authorization::subject_rules_review_status status_of(granted_rules const& granted) {
    authorization::subject_rules_review_status out;
    for (auto const& rule : granted.rules) {
        if (!rule.resources.empty()) {
            auto& r = out.resource_rules.emplace_back();
            r.verbs = rule.verbs;
            r.api_groups = rule.api_groups;
            r.resources = rule.resources;
            r.resource_names = rule.resource_names;
        }
        if (!rule.non_resource_urls.empty()) {
            auto& r = out.non_resource_rules.emplace_back();
            r.verbs = rule.verbs;
            r.non_resource_urls = rule.non_resource_urls;
        }
    }
    out.evaluation_error = granted.errors;
    return out;
}

json::object describe_user(user_info const& user) {
    json::object info, extra;
    info["username"] = user.name;
    if (!user.uid.empty()) info["uid"] = user.uid;
    info["groups"] = json::array(user.groups.begin(), user.groups.end());
    for (auto const& [name, values] : user.extra) extra[key(name)] = json::array(values.begin(), values.end());
    if (!extra.empty()) info["extra"] = std::move(extra);
    return info;
}

reply answer_with(resource_definition const& d, json::object&& status, json::object const* spec = nullptr) {
    json::object out;
    out["kind"] = d.kind;
    out["apiVersion"] = d.api_version();
    out["metadata"] = json::object();
    if (spec != nullptr) out["spec"] = *spec;
    out["status"] = std::move(status);
    return make_reply(201, json::serialize(out));
}

/// Answers a SelfSubjectReview with the user of the request.
reply describe_caller(resource_definition const& d, user_info const& user) {
    json::object status;
    status["userInfo"] = describe_user(user);
    return answer_with(d, std::move(status));
}

/// Answers a TokenReview with the user of the token.
answer<reply> review_token(resource_definition const& d, json::object const& body, review_sources const& from) {
    auto const reject = [&](std::string const& what) {
        return bad_request(d.kind + " in version " + in_quotes(d.version) + " cannot be handled as a " + d.kind + ": " +
                           what);
    };
    if (auto const kind = text_in(body, "kind"); !kind.empty() && kind != d.kind)
        return bad_request("the object is not a " + d.kind + " of " + d.api_version());
    auto const* const spec = object_in(body, "spec");
    auto const audiences = texts_in(spec != nullptr ? *spec : empty_object, "audiences");
    if (!audiences) return reject("spec.audiences: expected a list of strings");
    auto const* const token = spec != nullptr ? spec->if_contains("token") : nullptr;
    if (token != nullptr && !token->is_string()) return reject("spec.token: expected string");
    if (token == nullptr || token->get_string().empty())
        return bad_request("token is required for TokenReview in authentication");
    auto const found = from.tokens.authenticate(view(token->get_string()), from.store, from.now, *audiences);
    json::object status;
    if (found) {
        status["authenticated"] = true;
        status["user"] = describe_user(found->user);
        status["audiences"] = json::array(found->audiences.begin(), found->audiences.end());
    } else {
        status["user"] = json::object();
        status["error"] = found.error();
    }
    return answer_with(d, std::move(status), spec);
}

/// The answer to a review of a permission. A server writes the status also if it denies the permission.
reply answer_review(auto const& review) {
    auto body = read_stored(to_json(review));
    if (!body.contains("status")) body["status"] = json::object{{"allowed", false}};
    return make_reply(201, json::serialize(body));
}

std::optional<std::uint64_t> take_varint(std::string_view& bytes) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
        auto const byte = static_cast<unsigned char>(bytes.front());
        bytes.remove_prefix(1);
        value |= std::uint64_t{byte & 0x7FU} << shift;
        if (byte < 0x80) return value;
    }
    return std::nullopt;
}

/// The texts and messages of a message by number of their field; nothing if it is malformed.
std::optional<std::map<std::uint64_t, std::string_view>> read_message(std::string_view bytes) {
    std::map<std::uint64_t, std::string_view> out;
    while (!bytes.empty()) {
        auto const tag = take_varint(bytes);
        auto const value = tag ? take_varint(bytes) : std::nullopt; // or the length of what follows
        if (!value || ((*tag & 7U) != 0 && (*tag & 7U) != 2)) return std::nullopt;
        if ((*tag & 7U) == 0) continue;
        if (*value > bytes.size()) return std::nullopt;
        out[*tag >> 3U] = bytes.substr(0, *value);
        bytes.remove_prefix(*value);
    }
    return out;
}

/// A message of texts as an object: the fields have the numbers 1, 2, ...
std::optional<json::object> read_texts(std::string_view bytes, std::span<std::string_view const> names) {
    auto const fields = read_message(bytes);
    if (!fields) return std::nullopt;
    json::object out;
    for (auto const& [number, text] : *fields)
        if (number >= 1 && number <= names.size() && !text.empty()) out[key(names[number - 1])] = key(text);
    return out;
}

constexpr std::string_view type_names[] = {"apiVersion", "kind"};
constexpr std::string_view resource_names[] = {"namespace", "verb",        "group", "version",
                                               "resource",  "subresource", "name"};
constexpr std::string_view namespace_names[] = {"namespace"};
constexpr std::string_view path_names[] = {"path", "verb"};

/** Converts a SelfSubjectAccessReview in Protocol Buffers to JSON; returns nothing for other texts. `kubectl auth
    can-i` sends only this form from 1.33 on.
    @par Upstream apimachinery `pkg/runtime/generated.proto`, k8s.io/api `authorization/v1/generated.proto`, v0.31.3 */
std::optional<std::string> read_protobuf_review(std::string_view bytes) {
    constexpr std::string_view magic("k8s\0", 4);
    if (!bytes.starts_with(magic)) return std::nullopt;
    auto envelope = read_message(bytes.substr(magic.size()));
    if (!envelope) return std::nullopt;
    auto out = read_texts((*envelope)[1], type_names);
    auto review = read_message((*envelope)[2]);
    if (!out || !review) return std::nullopt;
    auto const kind = text_in(*out, "kind");
    if (kind == "SelfSubjectReview") return json::serialize(*out);
    if (kind == "SelfSubjectRulesReview") {
        auto texts = read_texts((*review)[2], namespace_names);
        if (!texts) return std::nullopt;
        (*out)["spec"] = std::move(*texts);
        return json::serialize(*out);
    }
    if (kind != "SelfSubjectAccessReview") return std::nullopt;
    auto spec = read_message((*review)[2]);
    if (!spec) return std::nullopt;
    json::object attributes;
    if (auto const at = spec->find(1); at != spec->end())
        if (auto texts = read_texts(at->second, resource_names)) attributes["resourceAttributes"] = std::move(*texts);
    if (auto const at = spec->find(2); at != spec->end())
        if (auto texts = read_texts(at->second, path_names)) attributes["nonResourceAttributes"] = std::move(*texts);
    (*out)["spec"] = std::move(attributes);
    return json::serialize(*out);
}

} // namespace

std::span<resource_definition const> review_definitions() {
    static std::vector<resource_definition> const all{
        definition_of_review<own_access>(), definition_of_review<access_of_user>(), definition_of_review<own_rules>(),
        definition_of_review("authentication.k8s.io", "SelfSubjectReview", "selfsubjectreviews", nullptr),
        definition_of_review("authentication.k8s.io", "TokenReview", "tokenreviews", nullptr)};
    return all;
}

resource_definition const* find_review(std::vector<std::string> const& path) {
    if (path.size() != 4 || path[0] != "apis") return nullptr;
    auto const all = review_definitions();
    auto const at = std::ranges::find_if(
        all, [&](auto const& d) { return path[1] == d.group && path[2] == d.version && path[3] == d.plural; });
    return at == all.end() ? nullptr : &*at;
}

answer<reply> make_review(resource_definition const& d, kube::http_request const& request, request_target const& target,
                          review_sources from, user_info const& user) {
    auto& access = from.access;
    if (request.method != "POST") return method_not_allowed();
    if (auto ok = check_options(target, "CreateOptions"); !ok) return ok.error();
    auto const binary = media_type(request.fields.get("Content-Type")) == "application/vnd.kubernetes.protobuf";
    auto const converted = binary ? read_protobuf_review(request.body) : std::nullopt;
    if (!converted)
        if (auto ok = check_body_type(request, "application/json"); !ok) return ok.error();
    auto const body = parse_object(converted ? *converted : request.body);
    if (!body) return body.error();
    if (d.kind == "TokenReview") return review_token(d, *body, from);
    if (d.type == nullptr) return describe_caller(d, user);
    auto const typed = check_type(d, *body);
    if (!typed) return typed.error();
    if (*typed == nullptr) return bad_request("the object is not a " + d.kind + " of " + d.api_version());
    if (d.kind == own_rules::resource.kind) {
        own_rules out = *static_cast<own_rules const*>(typed->get());
        if (out.spec.namespace_.empty()) return bad_request("no namespace on request");
        out.status = status_of(access.rules_of(user, out.spec.namespace_));
        return make_reply(201, to_json(out));
    }
    if (d.kind == own_access::resource.kind) {
        own_access out = *static_cast<own_access const*>(typed->get());
        auto const requested = requested_access(d, out.spec);
        if (!requested) return requested.error();
        out.status = status_of(access.decide(user, *requested));
        return answer_review(out);
    }
    access_of_user out = *static_cast<access_of_user const*>(typed->get());
    auto const requested = requested_access(d, out.spec);
    if (!requested) return requested.error();
    if (out.spec.user.empty() && out.spec.groups.empty())
        return invalid_review(d, "spec.user", "\"\": at least one of user or group must be specified");
    out.status = status_of(access.decide(user_info(out.spec.user, out.spec.groups), *requested));
    return answer_review(out);
}

} // namespace kftrain::apiserver
