#include "apiserver/rest/handler_options.hpp"

#include "apiserver/checks/body_type.hpp"
#include "apiserver/checks/schema_rules.hpp"
#include "apiserver/text/json_access.hpp"
#include "apiserver/text/refusals.hpp"

namespace kftrain::apiserver {

answer<void> check_options(request_target const& t) {
    if (!t.get("dryRun").empty()) return bad_request("dryRun is not supported by this server");
    auto const validation = t.get("fieldValidation");
    if (!validation.empty() && validation != "Strict" && validation != "Warn" && validation != "Ignore")
        return bad_request("fieldValidation: \"" + std::string(validation) + "\", expected Strict, Warn or Ignore");
    return {};
}

answer<std::vector<std::string>> judge_text(request_target const& t, resource_definition const& d,
                                            std::string_view body) {
    if (t.get("fieldValidation").empty()) return std::vector<std::string>(); // most requests: this reads the body again
    return judge_faults(d, strict_faults(d, body), validation_of(t));
}

field_validation validation_of(request_target const& t) {
    auto const word = t.get("fieldValidation");
    return word == "Strict"   ? field_validation::strict
           : word == "Ignore" ? field_validation::ignore
                              : field_validation::warn;
}

answer<void> check_body_type(kube::http_request const& r, std::string_view accepted) {
    auto const type = media_type(r.fields.get("Content-Type"));
    if (type.empty() || type == accepted) return {};
    return unsupported_media_type(accepted);
}

answer<std::optional<row_object>> rows_of(request_target const& t, media m) {
    if (m != media::table) return std::optional<row_object>();
    auto const include = t.get("includeObject");
    if (include.empty() || include == "Metadata") return std::optional(row_object::metadata);
    if (include == "None") return std::optional(row_object::none);
    if (include == "Object") return std::optional(row_object::object);
    return bad_request("unrecognized includeObject value: " + in_quotes(include));
}

answer<delete_options> read_remove_options(kube::http_request const& r, request_target const& t) {
    delete_options out;
    if (r.body.empty()) {
        auto grace = t.number("gracePeriodSeconds");
        if (!grace) return grace.error();
        out.grace_period_seconds = *grace;
        out.propagation = t.get("propagationPolicy");
        if (t.has("orphanDependents")) out.propagation = t.flag("orphanDependents") ? "Orphan" : "Background";
        return out;
    }
    if (auto ok = check_body_type(r, "application/json"); !ok) return ok.error();
    auto const body = parse_object(r.body);
    if (!body) return body.error();
    if (auto const kind = text_in(*body, "kind"); !kind.empty() && kind != "DeleteOptions")
        return bad_request(std::string(kind) + " cannot be handled as a DeleteOptions");
    if (auto const* dry = array_in(*body, "dryRun"); dry != nullptr && !dry->empty())
        return bad_request("dryRun is not supported by this server");
    if (auto const* grace = body->if_contains("gracePeriodSeconds"); grace != nullptr && !grace->is_null()) {
        if (!grace->is_int64()) return bad_request("gracePeriodSeconds: expected a whole number");
        out.grace_period_seconds = grace->get_int64();
    }
    out.propagation = text_in(*body, "propagationPolicy");
    if (auto const* orphan = body->if_contains("orphanDependents"); orphan != nullptr && orphan->is_bool())
        out.propagation = orphan->get_bool() ? "Orphan" : "Background";
    if (auto const* p = object_in(*body, "preconditions")) {
        if (auto const uid = text_in(*p, "uid"); !uid.empty()) out.uid = uid;
        if (auto const version = text_in(*p, "resourceVersion"); !version.empty()) out.resource_version = version;
    }
    return out;
}

list_query read_list_query(request_target const& t, std::string_view ns) {
    list_query q;
    q.namespace_ = ns;
    q.label_selector = t.get("labelSelector");
    q.field_selector = t.get("fieldSelector");
    q.continue_ = t.get("continue");
    q.resource_version = t.get("resourceVersion");
    q.resource_version_match = t.get("resourceVersionMatch");
    return q;
}

answer<void> check_initial_events(request_target const& t) {
    bool const asked = t.has("sendInitialEvents");
    auto const match = t.get("resourceVersionMatch");
    if (asked && match != "NotOlderThan")
        return forbidden_option("resourceVersionMatch",
                                "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    if (!asked && !match.empty())
        return forbidden_option("resourceVersionMatch",
                                "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
    return {};
}

refusal forbidden_option(std::string field, std::string why) {
    refusal r(422, reason::invalid, "ListOptions.meta.k8s.io \"\" is invalid: " + field + ": Forbidden: " + why);
    r.group = "meta.k8s.io";
    r.kind = "ListOptions";
    r.causes.emplace_back("FieldValueForbidden", "Forbidden: " + why, std::move(field));
    return r;
}

} // namespace kftrain::apiserver
