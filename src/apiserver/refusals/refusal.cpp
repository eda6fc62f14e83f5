#include <kftrain/apiserver/refusal.hpp>

#include <kftrain/base/diagnostics.hpp>

#include "apiserver/refusals/refusals.hpp"

#include <boost/json.hpp>

#include <set>

namespace kftrain::apiserver {
namespace json = boost::json;

std::string refusal::to_json() const {
    json::object status;
    status["kind"] = "Status";
    status["apiVersion"] = "v1";
    status["metadata"] = json::object();
    status["status"] = "Failure";
    status["message"] = message;
    if (auto const reason_text = to_string(why); !reason_text.empty())
        status["reason"] = json::string_view(reason_text.data(), reason_text.size());
    json::object details;
    if (!name.empty()) details["name"] = name;
    if (!group.empty()) details["group"] = group;
    if (!kind.empty()) details["kind"] = kind;
    if (!uid.empty()) details["uid"] = uid;
    if (!causes.empty()) {
        json::array list;
        for (auto const& c : causes) {
            json::object cause;
            if (!c.reason.empty()) cause["reason"] = c.reason;
            if (!c.message.empty()) cause["message"] = c.message;
            if (!c.field.empty()) cause["field"] = c.field;
            list.push_back(std::move(cause));
        }
        details["causes"] = std::move(list);
    }
    if (retry_after_seconds != 0) details["retryAfterSeconds"] = retry_after_seconds;
    if (!details.empty()) status["details"] = std::move(details);
    status["code"] = code;
    return json::serialize(status);
}

void throw_exception_from_error(refusal const& r, boost::source_location const& where) {
    diagnostics d;
    d.message = r.message;
    d.http_status = r.code;
    d.server_reason = std::string(to_string(r.why));
    kftrain::throw_exception_from_error(failure(make_error_code(r.why), std::move(d)), where);
}

namespace {

refusal about(resource_definition const& d, std::string_view name, kftrain::reason why, std::string text) {
    refusal r(http_status(why), why, std::move(text));
    r.name = name;
    r.group = d.group;
    r.kind = d.plural;
    return r;
}

} // namespace

std::string in_quotes(std::string_view s) {
    return json::serialize(json::string(json::string_view(s.data(), s.size())));
}

std::string invalid_value(std::string_view value, std::string_view why) {
    return "Invalid value: " + in_quotes(value) + ": " + std::string(why);
}

refusal bad_request(std::string text) { return {400, reason::bad_request, std::move(text)}; }

refusal not_found(resource_definition const& d, std::string_view name) {
    return about(d, name, reason::not_found, d.qualified_plural() + " " + in_quotes(name) + " not found");
}

refusal no_such_path() { return {404, reason::not_found, "the server could not find the requested resource"}; }

refusal already_exists(resource_definition const& d, std::string_view name) {
    return about(d, name, reason::already_exists, d.qualified_plural() + " " + in_quotes(name) + " already exists");
}

refusal conflict(resource_definition const& d, std::string_view name, std::string_view why,
                 std::string_view subresource) {
    auto what = d.qualified_plural();
    if (!subresource.empty()) what.append("/").append(subresource);
    auto r = about(d, name, reason::conflict,
                   "Operation cannot be fulfilled on " + what + " " + in_quotes(name) + ": " + std::string(why));
    if (!subresource.empty()) r.kind.append("/").append(subresource);
    return r;
}

refusal stale_version(resource_definition const& d, std::string_view name) {
    return conflict(d, name,
                    "the object has been modified; please apply your changes to the latest version and try again");
}

refusal forbidden(resource_definition const& d, std::string_view name, std::string_view why) {
    return about(d, name, reason::forbidden,
                 d.qualified_plural() + " " + in_quotes(name) + " is forbidden: " + std::string(why));
}

refusal invalid(resource_definition const& d, std::string_view name, std::vector<refusal_cause> causes) {
    std::set<std::string> named; // causes may be repeated; the message lists each once
    std::string list;
    for (auto const& cause : causes)
        if (auto const [text, first] = named.insert(cause.field + ": " + cause.message); first)
            list += (list.empty() ? "" : ", ") + *text;
    std::string text = d.qualified_kind() + " " + in_quotes(name) + " is invalid: ";
    text += named.size() > 1 ? "[" + list + "]" : list;
    auto r = about(d, name, reason::invalid, std::move(text));
    r.kind = d.kind;
    r.causes = std::move(causes);
    return r;
}

refusal expired(std::string text) { return {410, reason::expired, std::move(text)}; }

refusal version_too_large(std::uint64_t requested, std::uint64_t current) {
    refusal r(504, reason::timeout,
              "Timeout: Too large resource version: " + std::to_string(requested) +
                  ", current: " + std::to_string(current));
    r.retry_after_seconds = 1;
    r.causes.emplace_back("ResourceVersionTooLarge", "Too large resource version", "");
    return r;
}

refusal method_not_allowed() {
    return {405, reason::method_not_allowed, "the server does not allow this method on the requested resource"};
}

refusal not_acceptable() {
    return {406, reason::not_acceptable, "only the following media types are accepted: application/json"};
}

refusal unsupported_media_type(std::string_view accepted) {
    return {415, reason::unsupported_media_type,
            "the body of the request was in an unknown format - accepted media types include: " +
                std::string(accepted)};
}

} // namespace kftrain::apiserver
