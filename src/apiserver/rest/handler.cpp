#include "apiserver/rest/handler.hpp"

#include "apiserver/checks/object_patch.hpp"
#include "apiserver/refusals/refusals.hpp"
#include "apiserver/rest/access_review.hpp"
#include "apiserver/rest/discovery.hpp"
#include "apiserver/rest/handler_options.hpp"
#include "apiserver/rest/header_fields.hpp"
#include "apiserver/rest/request_target.hpp"
#include "base/ascii.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace kftrain::apiserver {
namespace {

std::string status_success(resource_definition const& d, stored_object const& o) {
    json::object details, out;
    details["name"] = key(o.name());
    if (!d.group.empty()) details["group"] = d.group;
    details["kind"] = d.plural;
    details["uid"] = key(o.uid());
    out["kind"] = "Status";
    out["apiVersion"] = "v1";
    out["metadata"] = json::object();
    out["status"] = "Success";
    out["details"] = std::move(details);
    return json::serialize(out);
}

/// The kind of the options that requests of a method have.
std::string_view options_kind(std::string_view method) {
    return method == "POST"     ? "CreateOptions"
           : method == "PUT"    ? "UpdateOptions"
           : method == "PATCH"  ? "PatchOptions"
           : method == "DELETE" ? "DeleteOptions"
                                : "GetOptions";
}

reply make_list_reply(resource_definition const& d, list_page&& page) {
    auto out = make_reply(200, "");
    out.list.emplace(d, std::move(page));
    return out;
}

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

reply make_reply(unsigned status, std::string body, std::string content_type) {
    reply out;
    out.status = status;
    out.body = std::move(body);
    out.fields.add("Cache-Control", "no-cache, private");
    out.fields.add("Content-Type", std::move(content_type));
    return out;
}

reply make_reply(refusal const& r) {
    auto out = make_reply(r.code, r.to_json());
    if (r.retry_after_seconds != 0) out.fields.add("Retry-After", std::to_string(r.retry_after_seconds));
    add_warnings(out.fields, r.warnings);
    return out;
}

template <class Write> answer<void> handler::check_grants(call const& c, write_options how, Write const& write) {
    if (c.user == nullptr || !grants_access(definition(c)) || is_master(*c.user)) return {};
    how.dry_run = true;
    auto const tried = write(how);
    if (!tried) return tried.error();
    auto const before = c.name.empty() ? answer<object_ptr>(refusal()) : store_.get(c.kind, c.ns, c.name);
    auto refused = access_.find_escalation(*c.user, definition(c), *tried->object, before ? before->get() : nullptr);
    if (refused) return *refused;
    return {};
}

reply handler::handle(kube::http_request const& request, time_point now, user_info const* user) {
    auto done = user != nullptr ? serve_restricted(request, now, *user) : route(request, now, nullptr);
    return done ? std::move(*done) : make_reply(done.error());
}

answer<reply> handler::route(kube::http_request const& request, time_point now, user_info const* user) {
    if (request.body.size() > body_limit_)
        return refusal(413, reason::request_entity_too_large,
                       "Request entity too large: limit is " + std::to_string(body_limit_));
    auto const in_json = read_yaml_body(request);
    if (!in_json) return in_json.error();
    if (*in_json) return route(**in_json, now, user);
    auto const target = request_target::parse(request.target);
    if (!target) return target.error();
    auto const& path = target->path();
    bool const reads = request.method == "GET";
    if (path.size() == 1 && (path[0] == "healthz" || path[0] == "livez" || path[0] == "readyz"))
        return reads ? answer<reply>(make_reply(200, "ok", "text/plain; charset=utf-8")) : method_not_allowed();

    if (!path.empty() && path[0] == "openapi") {
        auto const document = open_api_.find(store_, path, request.fields.get("Accept"));
        if (!document) return no_such_path();
        if (!reads) return method_not_allowed();
        return make_reply(200, document->text, document->content_type);
    }
    bool const core = !path.empty() && path[0] == "api";
    bool const grouped = !path.empty() && path[0] == "apis";
    std::size_t const head = core ? 2 : 3; // api, v1 | apis, group, version
    if ((!core && !grouped) || path.size() <= head) {
        if (auto const version = aggregated_discovery_version(request.fields.get("Accept")); reads && !version.empty())
            if (auto aggregated = discover_aggregated(store_, path, version))
                return make_reply(200, std::move(*aggregated),
                                  "application/json;g=apidiscovery.k8s.io;v=" + std::string(version) +
                                      ";as=APIGroupDiscoveryList");
        auto document = discover(store_, path);
        if (!document) return no_such_path();
        if (!reads) return method_not_allowed();
        if (negotiate(request.fields.get("Accept")) == media::none) return not_acceptable();
        return make_reply(200, std::move(*document));
    }

    if (auto const* const review = find_review(path); review != nullptr)
        return make_review(*review, request, *target, {access_, tokens_, store_, now},
                           user != nullptr ? *user : user_info::cluster_admin());

    call c(request, *target, now, user);
    auto const at = [&](std::size_t i) { return head + i < path.size() ? path[head + i] : std::string(); };
    auto rest = path.size() - head;
    std::size_t first = 0;
    bool const own_namespace = at(0) == "namespaces" && (rest <= 2 || (rest == 3 && at(2) == "status"));
    if (at(0) == "namespaces" && !own_namespace) {
        c.ns = at(1);
        first = 2;
    }
    auto const kind = store_.find(core ? std::string() : path[1], path[head - 1], at(first));
    if (!kind || rest - first > 3) return no_such_path();
    c.kind = *kind;
    c.name = at(first + 1);
    c.subresource = at(first + 2);
    bool const namespaced = definition(c).where == resource_scope::namespaced;
    if (!namespaced && first != 0) return no_such_path();
    if (namespaced && first == 0 && !c.name.empty()) return no_such_path();
    auto const deprecation = definition(c).deprecation;
    auto served = serve(c);
    if (deprecation.empty()) return served;
    if (served) {
        add_warnings(served->fields, {deprecation});
        return served;
    }
    auto refused = served.error();
    refused.warnings.insert(refused.warnings.begin(), deprecation);
    return refused;
}

answer<reply> handler::serve(call& c) {
    auto const& d = definition(c);
    bool const pod = d.group.empty() && d.plural == "pods";
    if (c.subresource == "log" && pod) return log(c);
    if ((c.subresource == "exec" || c.subresource == "attach") && pod) return run_in(c);
    if (c.subresource == "portforward" && pod) return forward_ports(c);
    auto const accepted = negotiate(c.request.fields.get("Accept"));
    if (accepted == media::none) return not_acceptable();
    auto rows = rows_of(c.target, accepted);
    if (!rows) return rows.error();
    c.table = *rows;
    if (auto ok = check_options(c.target, options_kind(c.request.method)); !ok) return ok.error();
    if (c.name.empty()) return serve_collection(c);
    if (c.subresource.empty()) return serve_object(c);
    if (c.subresource == "status" && d.has_status) return serve_status(c);
    if (c.subresource == "scale" && d.scale) return serve_scale(c);
    if (c.subresource == "binding" && pod) return bind(c);
    if (c.subresource == "eviction" && pod) return evict(c);
    if (c.subresource == "token" && d.group.empty() && d.plural == "serviceaccounts") return issue_token(c);
    return no_such_path();
}

answer<reply> handler::serve_collection(call const& c) {
    auto const& method = c.request.method;
    if (method == "GET") return c.target.flag("watch") ? watch(c) : list(c);
    if (method == "DELETE") return remove_collection(c);
    bool const placed = !c.ns.empty() || definition(c).where == resource_scope::cluster;
    if (method == "POST" && placed) return create(c);
    return method_not_allowed();
}

answer<reply> handler::serve_object(call const& c) {
    auto const& method = c.request.method;
    if (method == "GET") return get(c);
    if (method == "PUT") return update(c);
    if (method == "PATCH") return patch(c);
    if (method == "DELETE") return remove(c);
    return method_not_allowed();
}

answer<reply> handler::serve_status(call const& c) {
    auto const& method = c.request.method;
    if (method == "GET") return get(c);
    if (method == "PUT") return update(c);
    if (method == "PATCH") return patch(c);
    return method_not_allowed();
}

reply handler::show(call const& c, unsigned status, object_ptr const& object,
                    std::vector<std::string> const& warnings) {
    std::string body(object->text());
    if (c.table) {
        table_options options;
        options.rows = *c.table;
        options.now = c.now;
        auto table = make_table(definition(c), std::span(&object, 1), options);
        table["metadata"].get_object()["resourceVersion"] = std::to_string(object->version());
        body = json::serialize(table);
    }
    auto out = make_reply(status, std::move(body));
    add_warnings(out.fields, warnings);
    return out;
}

answer<reply> handler::get(call const& c) {
    auto const version = c.target.number("resourceVersion");
    if (!version) return version.error();
    auto const requested = version->value_or(0);
    if (requested > 0 && static_cast<std::uint64_t>(requested) > store_.version())
        return version_too_large(static_cast<std::uint64_t>(requested), store_.version());
    auto const found = store_.get(c.kind, c.ns, c.name);
    if (!found) return found.error();
    return show(c, 200, *found);
}

answer<reply> handler::list(call const& c) {
    if (c.target.has("sendInitialEvents"))
        return forbidden_option("sendInitialEvents", "sendInitialEvents is forbidden for list");
    auto const limit = c.target.number("limit");
    if (!limit) return limit.error();
    if (limit->value_or(0) < 0) return bad_request("limit: must not be negative");
    auto query = read_list_query(c.target, c.ns);
    query.limit = static_cast<std::size_t>(limit->value_or(0));
    auto page = store_.list(c.kind, query);
    if (!page) return page.error();
    if (!c.table) return make_list_reply(definition(c), std::move(*page));
    table_options options;
    options.rows = *c.table;
    options.now = c.now;
    auto table = make_table(definition(c), page->items, options);
    auto& meta = table["metadata"].get_object();
    meta["resourceVersion"] = std::to_string(page->version);
    if (!page->continue_.empty()) meta["continue"] = page->continue_;
    if (page->remaining) meta["remainingItemCount"] = *page->remaining;
    return make_reply(200, json::serialize(table));
}

answer<reply> handler::watch(call const& c) {
    if (auto ok = check_initial_events(c.target); !ok) return ok.error();
    auto const seconds = c.target.number("timeoutSeconds");
    auto const version = c.target.number("resourceVersion");
    if (!seconds) return seconds.error();
    if (!version) return version.error();
    if (version->value_or(0) < 0) return bad_request("resourceVersion: must not be negative");
    watch_request w;
    w.kind = c.kind;
    w.registration = store_.registration(c.kind);
    auto wanted = selector::parse(definition(c), c.ns, c.target.get("labelSelector"), c.target.get("fieldSelector"));
    if (!wanted) return wanted.error();
    w.wanted = std::move(*wanted);
    w.bookmarks = c.target.flag("allowWatchBookmarks");
    w.table = c.table;
    constexpr std::int64_t longest = 24 * 3600;
    if (seconds->value_or(0) > 0) w.timeout = std::chrono::seconds(std::min(**seconds, longest));
    w.since = static_cast<std::uint64_t>(version->value_or(0));
    bool const streams = c.target.flag("sendInitialEvents");
    if (streams && w.since > store_.version()) return version_too_large(w.since, store_.version());
    w.marks_initial = streams && w.bookmarks;
    bool const changes_only = c.target.has("sendInitialEvents") && !streams;
    if (changes_only && w.since == 0) w.since = store_.version();
    if (streams || (w.since == 0 && !changes_only)) {
        auto query = read_list_query(c.target, c.ns);
        query.continue_.clear();
        query.resource_version.clear();
        query.resource_version_match.clear();
        auto page = store_.list(c.kind, query);
        if (!page) return page.error();
        w.since = page->version;
        w.initial.assign(page->items.begin(), page->items.end());
    }
    auto out = make_reply(200, "", "application/json");
    out.watch = std::move(w);
    return out;
}

answer<reply> handler::create(call const& c) {
    if (auto ok = check_body_type(c.request, "application/json"); !ok) return ok.error();
    json::monotonic_resource memory(request_memory);
    auto body = parse_object(c.request.body, &memory);
    if (!body) return body.error();
    auto how = write_options_of(c.request, c.target);
    how.faults = text_faults(c.target, definition(c), c.request.body);
    auto const create_as = [&](write_options const& o) { return store_.create(c.kind, c.ns, *body, c.now, o); };
    if (auto ok = check_grants(c, how, create_as); !ok) return ok.error();
    auto const made = store_.create(c.kind, c.ns, std::move(*body), c.now, how);
    if (!made) return made.error();
    return show(c, 201, made->object, made->warnings);
}

answer<reply> handler::update(call const& c) {
    if (auto ok = check_body_type(c.request, "application/json"); !ok) return ok.error();
    json::monotonic_resource memory(request_memory);
    auto body = parse_object(c.request.body, &memory);
    if (!body) return body.error();
    auto how = write_options_of(c.request, c.target);
    how.faults = text_faults(c.target, definition(c), c.request.body);
    auto const update_as = [&](write_options const& o) { return store_.update(c.kind, c.ns, c.name, *body, c.now, o); };
    if (auto ok = check_grants(c, how, update_as); !ok) return ok.error();
    auto const done = c.subresource.empty() ? store_.update(c.kind, c.ns, c.name, std::move(*body), c.now, how)
                                            : store_.update_status(c.kind, c.ns, c.name, std::move(*body), c.now, how);
    if (!done) return done.error();
    return show(c, 200, done->object, done->warnings);
}

answer<reply> handler::patch(call const& c) {
    auto const media = media_type(c.request.fields.get("Content-Type"));
    if (media == apply_type) return apply(c);
    auto const type = patch_type_of(media);
    if (!type) return unsupported_media_type(patch_types_of(definition(c)));
    if (c.target.has("force")) return forbidden_force();
    auto const how = write_options_of(c.request, c.target);
    auto const patch_as = [&](write_options const& o) {
        return store_.patch(c.kind, c.ns, c.name, *type, c.request.body, c.now, o);
    };
    if (auto ok = check_grants(c, how, patch_as); !ok) return ok.error();
    auto const done = c.subresource.empty()
                          ? store_.patch(c.kind, c.ns, c.name, *type, c.request.body, c.now, how)
                          : store_.patch_status(c.kind, c.ns, c.name, *type, c.request.body, c.now, how);
    if (!done) return done.error();
    return show(c, 200, done->object, done->warnings);
}

answer<reply> handler::apply(call const& c) {
    if (c.target.get("fieldManager").empty()) return missing_manager();
    auto const how = write_options_of(c.request, c.target);
    if (c.user != nullptr && !store_.get(c.kind, c.ns, c.name)) {
        auto creation = access_request_of("POST", c.target);
        if (auto ok = authorize(*c.user, creation); !ok) return ok.error();
    }
    auto const apply_as = [&](write_options const& o) {
        return store_.apply(c.kind, c.ns, c.name, c.request.body, c.now, o);
    };
    if (auto ok = check_grants(c, how, apply_as); !ok) return ok.error();
    auto const done = c.subresource.empty() ? store_.apply(c.kind, c.ns, c.name, c.request.body, c.now, how)
                                            : store_.apply_status(c.kind, c.ns, c.name, c.request.body, c.now, how);
    if (!done) return done.error();
    return show(c, done->created ? 201 : 200, done->object, done->warnings);
}

answer<reply> handler::remove(call const& c) {
    auto const options = read_remove_options(c.request, c.target);
    if (!options) return options.error();
    auto const done = store_.remove(c.kind, c.ns, c.name, *options, c.now);
    if (!done) return done.error();
    // Of built-in kinds only pods answer with what was deleted.
    if (done->gone && !definition(c).graceful) return make_reply(200, status_success(definition(c), *done->object));
    return show(c, 200, done->object);
}

answer<reply> handler::remove_collection(call const& c) {
    auto const& d = definition(c);
    bool const namespaces = d.group.empty() && d.plural == "namespaces"; // each is deleted by its name
    if ((c.ns.empty() && d.where == resource_scope::namespaced) || namespaces) return method_not_allowed();
    auto options = read_remove_options(c.request, c.target);
    if (!options) return options.error();
    auto page = store_.list(c.kind, read_list_query(c.target, c.ns));
    if (!page) return page.error();
    for (auto const& item : page->items) {
        auto const done = store_.remove(c.kind, item->namespace_(), item->name(), *options, c.now);
        if (!done && done.error().why != reason::not_found) return done.error();
    }
    return make_list_reply(d, std::move(*page));
}

// Permissions of requests, and tokens of service accounts.

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
