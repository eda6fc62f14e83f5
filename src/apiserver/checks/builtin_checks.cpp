#include "apiserver/checks/builtin_checks.hpp"

#include "apiserver/refusals/refusals.hpp"
#include "base/is_one_of.hpp"
#include "model/rules/name_syntax.hpp"
#include "model/rules/value_syntax.hpp"
#include "model/scalars/base64.hpp"
#include "objects/pod_resources.hpp"
#include "objects/pod_validation.hpp"

#include <kftrain/objects/apps/stateful_set.hpp>

#include <algorithm>
#include <array>
#include <map>

namespace kftrain::apiserver {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20U;
constexpr std::string_view too_many_bytes = "must have at most 1048576 bytes";
constexpr std::string_view immutable_field = "field is immutable when `immutable` is set";

using entries = std::map<std::string_view, std::string_view>;

entries entries_of(json::object const& object, std::string_view member) {
    entries all;
    if (auto const* values = object_in(object, member))
        for (auto const& [k, v] : *values)
            if (auto const* text = v.if_string()) all.emplace(std::string_view(k.data(), k.size()), view(*text));
    return all;
}

std::string at_key(std::string_view member, std::string_view name) {
    return std::string(member).append("[").append(name).append("]");
}

std::string decoded(std::string_view base64) { return base64_decode(base64).value_or(std::string()); }

void require(std::string_view name, field_faults& found) { found.required(at_key("data", name)); }

std::string_view type_name(json::value const& v) {
    switch (v.kind()) {
    case json::kind::array: return "array";
    case json::kind::string: return "string";
    case json::kind::bool_: return "bool";
    default: return "number";
    }
}

/// Credentials for registries are a JSON object.
void check_registries(entries const& data, std::string_view name, field_faults& found) {
    auto const at = data.find(name);
    if (at == data.end()) return require(name, found);
    auto const text = decoded(at->second);
    std::string why;
    auto const parsed = parse_value(text);
    if (text.find_first_not_of(" \t\r\n") == std::string::npos)
        why = "unexpected end of JSON input";
    else if (!parsed)
        why = "expected a JSON object";
    else if (!parsed->is_object() && !parsed->is_null())
        why = "json: cannot unmarshal " + std::string(type_name(*parsed)) +
              " into Go value of type map[string]interface {}";
    if (!why.empty()) found.invalid_text(at_key("data", name), "<secret contents redacted>", why);
}

void check_type_of_secret(json::object const& secret, entries const& data, field_faults& found) {
    auto const type = text_in(secret, "type");
    if (type == "kubernetes.io/service-account-token") {
        constexpr std::string_view account = "kubernetes.io/service-account.name";
        auto const* annotations = object_in(metadata_of(secret), "annotations");
        if (annotations == nullptr || text_in(*annotations, account).empty())
            found.required(at_key("metadata.annotations", account));
    } else if (type == "kubernetes.io/dockercfg") {
        check_registries(data, ".dockercfg", found);
    } else if (type == "kubernetes.io/dockerconfigjson") {
        check_registries(data, ".dockerconfigjson", found);
    } else if (type == "kubernetes.io/basic-auth") {
        if (data.contains("username") || data.contains("password")) return;
        require("username", found);
        require("password", found);
    } else if (type == "kubernetes.io/ssh-auth") {
        auto const at = data.find("ssh-privatekey");
        if (at == data.end() || at->second.empty()) require("ssh-privatekey", found);
    } else if (type == "kubernetes.io/tls") {
        for (auto const* name : {"tls.crt", "tls.key"})
            if (!data.contains(name)) require(name, found);
    }
}

/// Checks that an immutable object keeps its data.
void check_kept(json::object const& old, json::object const& next, std::initializer_list<std::string_view> members,
                field_faults& found) {
    if (!true_in(old, "immutable")) return;
    if (!true_in(next, "immutable")) found.forbidden("immutable", immutable_field);
    for (auto const member : members)
        if (entries_of(old, member) != entries_of(next, member)) found.forbidden(std::string(member), immutable_field);
}

void check_policies(json::object const& rules, field_path const& path, field_faults& found) {
    constexpr std::array<std::string_view, 2> types{"Percent", "Pods"};
    auto const* policies = array_in(rules, "policies");
    for (std::size_t i = 0; policies != nullptr && i < policies->size(); ++i) {
        auto const* policy = (*policies)[i].if_object();
        if (policy == nullptr) continue;
        field_path const at(path, "policies", i);
        if (auto const type = text_in(*policy, "type"); !is_one_of(type, types))
            found.unsupported(at.text("type"), type, types);
        for (auto const* name : {"value", "periodSeconds"}) {
            auto const n = integer_in(*policy, name).value_or(0);
            if (n <= 0) found.invalid(at.text(name), n, "must be greater than zero");
            if (n > 1800 && std::string_view(name) == "periodSeconds")
                found.invalid(at.text(name), n, "must be less than or equal to 1800");
        }
    }
}

void check_behavior(json::object const& behavior, field_path const& path, field_faults& found) {
    constexpr std::array<std::string_view, 3> selections{"Disabled", "Max", "Min"};
    for (auto const* direction : {"scaleUp", "scaleDown"}) {
        auto const* rules = object_in(behavior, direction);
        if (rules == nullptr) continue;
        field_path const at(path, direction);
        if (auto const window = integer_in(*rules, "stabilizationWindowSeconds")) {
            auto const field = at.text("stabilizationWindowSeconds");
            if (*window < 0) found.invalid(field, *window, "must be greater than or equal to zero");
            if (*window > 3600) found.invalid(field, *window, "must be less than or equal to 3600");
        }
        if (auto const select = text_in(*rules, "selectPolicy"); !select.empty() && !is_one_of(select, selections))
            found.unsupported(at.text("selectPolicy"), select, selections);
        check_policies(*rules, at, found);
    }
}

json::object const& part_of(json::object const& o, std::string_view name) {
    auto const* part = object_in(o, name);
    return part != nullptr ? *part : empty_object;
}

bool has(json::object const& o, std::string_view name) {
    auto const* value = o.if_contains(key(name));
    return value != nullptr && !value->is_null();
}

/// A text that may stand in a path.
void check_name(json::object const& o, std::string_view name, std::string_view missing, field_path const& at,
                field_faults& found) {
    auto const text = text_in(o, name);
    if (text.empty()) return found.required(at.text(name), missing);
    found.invalid_text(at.text(name), text, path_segment_faults(text));
}

void check_reference(json::object const& reference, field_path const& at, field_faults& found) {
    for (auto const* name : {"kind", "name"}) check_name(reference, name, {}, at, found);
}

void check_target(json::object const& target, field_path const& at, field_faults& found) {
    constexpr std::array<std::string_view, 3> types{"Utilization", "Value", "AverageValue"};
    auto const type = text_in(target, "type");
    if (type.empty()) found.required(at.text("type"), "must specify a metric target type");
    if (!is_one_of(type, types))
        found.invalid_text(at.text("type"), type, "must be either Utilization, Value, or AverageValue");
    for (auto const* name : {"value", "averageValue"}) {
        if (!has(target, name)) continue;
        auto const& value = target.at(name);
        auto const amount =
            quantity::parse(value.is_string() ? std::string(view(value.get_string())) : json::serialize(value));
        if (amount && amount->sign() <= 0)
            found.invalid(at.text(name), std::string_view(go_syntax(*amount, amount->text())), "must be positive");
    }
    if (auto const percent = integer_in(target, "averageUtilization"); percent && *percent < 1)
        found.invalid(at.text("averageUtilization"), *percent, "must be greater than 0");
}

/// How the metrics of one type are described.
struct source_rules {
    std::string_view type, member;
    std::array<std::string_view, 2> amounts; ///< fields of the target of which one must be set
    std::string_view missing;                ///< message about the first of them if none is set
    std::string_view both;                   ///< message about the second of them if both are set; empty: they may be
};

constexpr std::string_view no_amount = "must set either a target raw value or a target utilization";
constexpr std::string_view two_amounts = "may not set both a target raw value and a target utilization";
/// In the order in which the server checks them.
constexpr std::array<source_rules, 5> sources{
    {{"Object", "object", {"averageValue", "value"}, "must set either a target value or averageValue", {}},
     {"External",
      "external",
      {"averageValue", "value"},
      "must set either a target value for metric or a per-pod target",
      "may not set both a target value for metric and a per-pod target"},
     {"Pods", "pods", {"averageValue", "averageValue"}, "must specify a positive target averageValue", {}},
     {"Resource", "resource", {"averageUtilization", "averageValue"}, no_amount, two_amounts},
     {"ContainerResource", "containerResource", {"averageUtilization", "averageValue"}, no_amount, two_amounts}}};
/// In the order in which messages list them.
constexpr std::array<std::string_view, 5> source_types{"ContainerResource", "External", "Object", "Pods", "Resource"};

void check_source(source_rules const& rules, json::object const& source, field_path const& at, field_faults& found) {
    if (rules.type == "Object")
        check_reference(part_of(source, "describedObject"), field_path(at, "describedObject"), found);
    if (rules.type.ends_with("Resource")) {
        if (text_in(source, "name").empty()) found.required(at.text("name"), "must specify a resource name");
    } else {
        check_name(part_of(source, "metric"), "name", "must specify a metric name", field_path(at, "metric"), found);
    }
    if (rules.type == "ContainerResource") {
        auto const container = text_in(source, "container");
        if (container.empty())
            found.required(at.text("container"), "must specify a container");
        else
            found.invalid_text(at.text("container"), container, dns_label_faults(container));
    }
    auto const& target = part_of(source, "target");
    field_path const target_path(at, "target");
    check_target(target, target_path, found);
    bool const first = has(target, rules.amounts[0]), second = has(target, rules.amounts[1]);
    if (!first && !second) found.required(target_path.text(rules.amounts[0]), rules.missing);
    if (first && second && !rules.both.empty()) found.forbidden(target_path.text(rules.amounts[1]), rules.both);
}

/// Of several sources, only the first in the order of the server has its fields checked.
void check_metric(json::object const& metric, field_path const& at, field_faults& found) {
    auto const type = text_in(metric, "type");
    if (type.empty()) found.required(at.text("type"), "must specify a metric source type");
    if (!is_one_of(type, source_types)) found.unsupported(at.text("type"), type, source_types);
    auto const is_present = [&](source_rules const& s) { return has(metric, s.member); };
    if (auto const first = std::ranges::find_if(sources, is_present); first != sources.end())
        check_source(*first, part_of(metric, first->member), field_path(at, first->member), found);
    for (auto const& s : sources)
        if (s.type == type && !is_present(s))
            found.required(at.text(s.member), "must populate information for the given metric source");
    if (std::ranges::count_if(sources, is_present) == 1) return;
    for (auto const& s : sources)
        if (s.type != type && is_present(s))
            found.forbidden(at.text(s.member), "must populate the given metric source only");
}

/// Its pods are named after it, and a name of a pod is a host name.
void check_set_name(json::object const& set, std::vector<refusal_cause>& found) {
    auto const* meta = object_in(set, "metadata");
    auto const name = meta != nullptr ? text_in(*meta, "name") : std::string_view();
    auto const refuse = [&](std::string_view why) {
        found.emplace_back("FieldValueInvalid", invalid_value(name, why), "metadata.name");
    };
    if (name.find('.') != name.npos) refuse("must not contain dots");
    if (name.size() > 63) refuse("must be no more than 63 characters");
}

void check_set_counts(json::object const& spec, std::vector<refusal_cause>& found) {
    for (auto const* name : {"replicas", "minReadySeconds"})
        if (auto const n = integer_in(spec, name); n && *n < 0)
            found.emplace_back("FieldValueInvalid",
                               "Invalid value: " + std::to_string(*n) + ": must be greater than or equal to 0",
                               "spec." + std::string(name));
    if (auto const n = integer_in(spec, "replicas"); n && *n > most_replicas)
        found.emplace_back("FieldValueInvalid",
                           "Invalid value: " + std::to_string(*n) + ": must be less than or equal to " +
                               std::to_string(most_replicas) + " on this server",
                           "spec.replicas");
}

/// The template as the pod that is made of it.
void check_set_template(apps::stateful_set const& typed, std::vector<refusal_cause>& found) {
    auto const& from = typed.spec.template_;
    pod sample;
    sample.metadata.name = "pod";
    sample.metadata.namespace_ = "default";
    sample.metadata.labels = from.metadata.labels;
    sample.metadata.annotations = from.metadata.annotations;
    sample.spec = from.spec;
    for (auto& f : created_pod_faults(sample))
        found.emplace_back(std::move(f.reason), std::move(f.message), "spec.template." + f.field);
    if (auto const& policy = from.spec.restart_policy; !policy.empty() && policy != "Always")
        found.emplace_back("FieldValueNotSupported",
                           "Unsupported value: " + in_quotes(policy) + R"(: supported values: "Always")",
                           "spec.template.spec.restartPolicy");
}

json::object without_changeable(json::object const* spec) {
    json::object left = spec != nullptr ? *spec : json::object();
    for (auto const* name : {"replicas", "ordinals", "template", "updateStrategy",
                             "persistentVolumeClaimRetentionPolicy", "minReadySeconds"})
        left.erase(name);
    return left;
}

} // namespace

void check_config_map(json::object const& map, field_faults& found) {
    auto const texts = entries_of(map, "data");
    auto const binary = entries_of(map, "binaryData");
    std::size_t bytes = 0;
    for (auto const& [name, value] : texts) {
        found.invalid_text(at_key("data", name), name, config_key_faults(name));
        if (binary.contains(name))
            found.invalid_text(at_key("data", name), name, "duplicate of key present in binaryData");
        bytes += value.size();
    }
    for (auto const& [name, value] : binary) {
        found.invalid_text(at_key("binaryData", name), name, config_key_faults(name));
        bytes += decoded(value).size();
    }
    if (bytes > most_bytes) found.too_long("[]", too_many_bytes); // so upstream prints the object as a whole
}

void check_secret(json::object const& secret, field_faults& found) {
    auto const data = entries_of(secret, "data");
    std::size_t bytes = 0;
    for (auto const& [name, value] : data) {
        found.invalid_text(at_key("data", name), name, config_key_faults(name));
        bytes += decoded(value).size();
    }
    if (bytes > most_bytes) found.too_long("data", too_many_bytes);
    check_type_of_secret(secret, data, found);
}

void check_config_map_update(json::object const& old, json::object const& next, field_faults& found) {
    check_kept(old, next, {"data", "binaryData"}, found);
    check_config_map(next, found);
}

void check_secret_update(json::object const& old, json::object const& next, field_faults& found) {
    if (auto const type = text_in(next, "type"); type != text_in(old, "type"))
        found.invalid_text("type", type, "field is immutable");
    check_kept(old, next, {"data"}, found);
    check_secret(next, found);
}

void check_autoscaler(json::object const& autoscaler, field_faults& found) {
    auto const* given = object_in(autoscaler, "spec");
    auto const& spec = given != nullptr ? *given : empty_object;
    auto const least = integer_in(spec, "minReplicas");
    auto const most = integer_in(spec, "maxReplicas").value_or(0);
    if (least && *least < 1) found.invalid("spec.minReplicas", *least, "must be greater than or equal to 1");
    if (most < 1) found.invalid("spec.maxReplicas", most, "must be greater than 0");
    if (least && most < *least)
        found.invalid("spec.maxReplicas", most, "must be greater than or equal to `minReplicas`");
    check_reference(part_of(spec, "scaleTargetRef"), field_path("spec.scaleTargetRef"), found);
    auto const* metrics = array_in(spec, "metrics");
    field_path const path("spec");
    for (std::size_t i = 0; metrics != nullptr && i < metrics->size(); ++i)
        if (auto const* metric = (*metrics)[i].if_object())
            check_metric(*metric, field_path(path, "metrics", i), found);
    if (auto const* behavior = object_in(spec, "behavior"))
        check_behavior(*behavior, field_path(path, "behavior"), found);
}

void check_endpoint_slice(json::object const* old, json::object const& slice, field_faults& found) {
    constexpr std::array<std::string_view, 3> types{"FQDN", "IPv4", "IPv6"};
    auto const type = text_in(slice, "addressType");
    if (old != nullptr && type != text_in(*old, "addressType"))
        found.invalid_text("addressType", type, "field is immutable");
    if (type.empty())
        found.required("addressType");
    else if (!is_one_of(type, types))
        found.unsupported("addressType", type, types);
}

std::vector<refusal_cause> check_stateful_set(json::object const& set, void const* typed) {
    std::vector<refusal_cause> found;
    check_set_name(set, found);
    auto const* spec = object_in(set, "spec");
    if (spec == nullptr) return found;
    check_set_counts(*spec, found);
    if (typed != nullptr) check_set_template(*static_cast<apps::stateful_set const*>(typed), found);
    return found;
}

std::vector<refusal_cause> check_stateful_set_update(json::object const& old, json::object const& next) {
    std::vector<refusal_cause> found;
    auto const was = without_changeable(object_in(old, "spec")), is = without_changeable(object_in(next, "spec"));
    if (!same_value(was, is))
        found.emplace_back("FieldValueForbidden",
                           "Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', "
                           "'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and "
                           "'minReadySeconds' are forbidden",
                           "spec");
    if (auto const* spec = object_in(next, "spec")) check_set_counts(*spec, found);
    return found;
}

} // namespace kftrain::apiserver
