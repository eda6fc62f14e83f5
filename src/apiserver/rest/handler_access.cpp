#include "apiserver/rest/handler.hpp"

#include "apiserver/refusals/refusals.hpp"
#include "apiserver/rest/request_target.hpp"
#include "base/ascii.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <map>

// Permissions of requests, and tokens of service accounts.
namespace kftrain::apiserver {
namespace {

constexpr std::string_view authenticated_group = "system:authenticated";
constexpr std::string_view unauthenticated_group = "system:unauthenticated";
constexpr std::string_view account_prefix = "system:serviceaccount:";

void add_group(user_info& user, std::string_view group) {
    if (std::ranges::find(user.groups, group) == user.groups.end()) user.groups.emplace_back(group);
}

/// The namespace and the name of a service account.
std::optional<std::pair<std::string, std::string>> account_of(std::string_view user) {
    if (!user.starts_with(account_prefix)) return std::nullopt;
    user.remove_prefix(account_prefix.size());
    auto const colon = user.find(':');
    if (colon == user.npos || user.find(':', colon + 1) != user.npos) return std::nullopt;
    return std::pair(std::string(user.substr(0, colon)), std::string(user.substr(colon + 1)));
}

access_request impersonation_of(std::string resource, std::string ns, std::string name, std::string group = {}) {
    access_request out;
    out.verb = "impersonate";
    out.group = std::move(group);
    out.version = "v1";
    out.resource = std::move(resource);
    out.ns = std::move(ns);
    out.name = std::move(name);
    return out;
}

refusal invalid_token_request(refusal_cause cause) {
    resource_definition d;
    d.group = "authentication.k8s.io";
    d.kind = "TokenRequest";
    d.plural = "tokenrequests";
    return invalid(d, "", {std::move(cause)});
}

} // namespace

answer<void> handler::authorize(user_info const& user, access_request const& r) {
    auto const decision = access_.decide(user, r);
    if (decision.allowed) return {};
    // A client that may only create falls back from WebSocket, which begins with GET, to SPDY, which begins with POST.
    bool const stream = r.subresource == "exec" || r.subresource == "attach" || r.subresource == "portforward";
    if (stream && r.verb == "get" && r.resource == "pods" && r.group.empty()) {
        auto creation = r;
        creation.verb = "create";
        if (access_.decide(user, creation).allowed) return {};
    }
    return access_refusal(user, r, decision.reason);
}

/// The members of `extra` in header fields, by key, whose case header fields do not keep.
std::map<std::string, std::vector<std::string>> requested_extra(kube::http_fields const& fields) {
    constexpr std::string_view prefix = "impersonate-extra-";
    std::map<std::string, std::vector<std::string>> out;
    for (auto const& [name, value] : fields) {
        auto const lower = to_lower(name);
        if (!lower.starts_with(prefix)) continue;
        auto const key = std::string_view(lower).substr(prefix.size());
        out[percent_decoded(key, false).value_or(std::string(key))].push_back(value);
    }
    return out;
}

/// Returns the name of an impersonation field that is not UTF-8, because such a text cannot be written as JSON.
std::optional<std::string> find_broken_identity(kube::http_fields const& fields) {
    for (auto const& [name, value] : fields)
        if (to_lower(name).starts_with("impersonate-") && detail::find_invalid_utf8(value) != std::string::npos)
            return std::string(name);
    return std::nullopt;
}

/// Upstream: apiserver `pkg/endpoints/filters/impersonation.go`, v0.31. It reads fields that are no UTF-8, too.
answer<std::optional<user_info>> handler::impersonated(kube::http_request const& request, user_info const& user) {
    if (auto const field = find_broken_identity(request.fields))
        return bad_request(*field + ": expected UTF-8, got other bytes");
    auto const name = request.fields.get("Impersonate-User");
    auto const groups = request.fields.get_all("Impersonate-Group");
    auto const uid = request.fields.get("Impersonate-Uid");
    auto extra = requested_extra(request.fields);
    if (name.empty()) {
        auto const* const part = !groups.empty()  ? "groups"
                                 : !extra.empty() ? "extra"
                                 : !uid.empty()   ? "a uid"
                                                  : nullptr;
        if (part == nullptr) return std::optional<user_info>();
        return refusal(500, reason::internal_error,
                       "Internal error occurred: requested " + std::string(part) + " without impersonating a user");
    }
    auto const account = account_of(name);
    if (auto ok = authorize(user, account ? impersonation_of("serviceaccounts", account->first, account->second)
                                          : impersonation_of("users", "", std::string(name)));
        !ok)
        return ok.error();
    user_info out{std::string(name)};
    for (auto const group : groups) {
        if (auto ok = authorize(user, impersonation_of("groups", "", std::string(group))); !ok) return ok.error();
        add_group(out, group);
    }
    constexpr auto authentication = "authentication.k8s.io";
    for (auto const& [key, values] : extra)
        for (auto const& value : values) {
            auto wanted = impersonation_of("userextras", "", value, authentication);
            wanted.subresource = key;
            if (auto ok = authorize(user, wanted); !ok) return ok.error();
        }
    if (!uid.empty())
        if (auto ok = authorize(user, impersonation_of("uids", "", std::string(uid), authentication)); !ok)
            return ok.error();
    if (account && groups.empty()) out = user_info::service_account(account->first, account->second);
    out.uid = uid;
    out.extra = std::move(extra);
    if (std::ranges::find(out.groups, unauthenticated_group) == out.groups.end())
        add_group(out, name == "system:anonymous" ? unauthenticated_group : authenticated_group);
    return std::optional(std::move(out));
}

answer<reply> handler::serve_restricted(kube::http_request const& request, time_point now, user_info const& user) {
    auto const other = impersonated(request, user);
    if (!other) return other.error();
    auto const& who = *other ? **other : user;
    if (is_master(who)) return route(request, now, &who);
    auto const target = request_target::parse(request.target);
    if (!target) return target.error();
    if (auto ok = authorize(who, access_request_of(request.method, *target)); !ok) return ok.error();
    return route(request, now, &who);
}

/// Returns the pod or secret that the token is bound to. A pod must run under the account.
answer<bound_object> handler::bound_to(call const& c, json::object const& reference) {
    auto const version = text_in(reference, "apiVersion");
    auto const type = text_in(reference, "kind");
    bool const is_pod = type == "Pod";
    if ((!is_pod && type != "Secret") || version != "v1")
        return bad_request("cannot bind token to object of type " +
                           std::string(version.find('/') == version.npos ? "/" : "") + std::string(version) +
                           ", Kind=" + std::string(type));
    bound_object out{is_pod ? "pod" : "secret", std::string(text_in(reference, "name")), {}};
    auto const kind = store_.find("", "v1", is_pod ? "pods" : "secrets");
    auto const found = store_.get(*kind, c.ns, out.name);
    if (!found) return found.error();
    out.uid = (*found)->uid();
    auto const tree = (*found)->parsed();
    auto const* const spec = object_in(tree, "spec");
    auto const account = spec != nullptr ? text_in(*spec, "serviceAccountName") : std::string_view();
    if (is_pod && account != c.name)
        return bad_request("cannot bind token for serviceaccount " + in_quotes(c.name) +
                           " to pod running with serviceaccount " + in_quotes(account));
    auto const uid = text_in(reference, "uid");
    if (!uid.empty() && uid != out.uid) {
        resource_definition d;
        d.plural = type; // so spelled upstream
        return conflict(d, out.name,
                        "the UID in the bound object reference (" + std::string(uid) +
                            ") does not match the UID in record (" + out.uid +
                            "). The object might have been deleted and then recreated");
    }
    return out;
}

/// Upstream: kubernetes `pkg/registry/core/serviceaccount/storage/token.go` and
/// `pkg/controller/serviceaccount/serviceaccounts_controller.go`, v1.31. As pods may name an account that does not
/// exist, there are tokens of such pods.
answer<reply> handler::issue_token(call const& c) {
    if (c.request.method != "POST") return method_not_allowed();
    auto body = parse_object(c.request.body);
    if (!body) return body.error();
    if (auto const kind = text_in(*body, "kind"); !kind.empty() && kind != "TokenRequest")
        return bad_request("kind: expected TokenRequest, got " + in_quotes(kind));
    auto const reject = [](std::string const& what) {
        return bad_request("TokenRequest in version \"v1\" cannot be handled as a TokenRequest: " + what);
    };
    auto& member = (*body)["spec"];
    if (!member.is_null() && !member.is_object()) return reject("spec: expected an object");
    auto& spec = member.is_object() ? member.get_object() : member.emplace_object();
    auto const* const lifetime = spec.if_contains("expirationSeconds");
    if (lifetime != nullptr && !lifetime->is_null() && !lifetime->is_int64())
        return reject("spec.expirationSeconds: expected int64");
    auto audiences = texts_in(spec, "audiences");
    if (!audiences) return reject("spec.audiences: expected a list of strings");
    auto const* const binding = spec.if_contains("boundObjectRef");
    if (binding != nullptr && !binding->is_null() && !binding->is_object())
        return reject("spec.boundObjectRef: expected an object");
    auto const* const reference = object_in(std::as_const(spec), "boundObjectRef");
    auto const account = store_.get(c.kind, c.ns, c.name);
    // The controller manager of a cluster creates this account in each namespace.
    auto const namespaces = store_.find("", "v1", "namespaces");
    bool const is_default = c.name == "default" && namespaces && store_.get(*namespaces, "", c.ns);
    if (!account && reference == nullptr && !is_default) return account.error();
    constexpr std::int64_t usual = 3600, least = 600, most = std::int64_t{1} << 32U;
    auto const seconds = integer_in(spec, "expirationSeconds").value_or(usual);
    if (seconds < least || seconds > most)
        return invalid_token_request({"FieldValueInvalid",
                                      "Invalid value: " + std::to_string(seconds) +
                                          (seconds < least ? ": may not specify a duration less than 10 minutes"
                                                           : ": may not specify a duration larger than 2^32 seconds"),
                                      "spec.expirationSeconds"});
    bound_object bound;
    if (reference != nullptr) {
        auto found = bound_to(c, *reference);
        if (!found) return found.error();
        bound = *std::move(found);
        if (!account && !is_default && bound.claim != "pod") return account.error();
    }
    if (audiences->empty()) audiences->push_back(account_tokens::api_audience());
    spec["audiences"] = json::array(audiences->begin(), audiences->end());
    spec["expirationSeconds"] = seconds;
    json::object status;
    auto const token = tokens_.issue(c.ns, c.name, account ? (*account)->uid() : std::string_view(), bound, c.now,
                                     std::chrono::seconds(seconds), *audiences);
    // Only audiences have no bound of their own.
    if (token.size() > account_tokens::longest_token)
        return invalid_token_request(
            {"FieldValueTooLong",
             "Too long: the token must have at most " + std::to_string(account_tokens::longest_token) + " bytes",
             "spec.audiences"});
    status["token"] = token;
    std::string until;
    print_scalar(time_point(c.now + std::chrono::seconds(seconds)), until);
    status["expirationTimestamp"] = until;
    (*body)["kind"] = "TokenRequest";
    (*body)["apiVersion"] = "authentication.k8s.io/v1";
    (*body)["status"] = std::move(status);
    return make_reply(201, json::serialize(*body));
}

} // namespace kftrain::apiserver
