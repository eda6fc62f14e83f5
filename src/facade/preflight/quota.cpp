#include "facade/preflight/quota.hpp"

#include "facade/preflight/evidence.hpp"
#include "objects/pod_resources.hpp"

#include <kftrain/job/job_rules.hpp>

#include <algorithm>
#include <array>

namespace kftrain::preflight {
namespace {

resource_list requests_of(core::container const& c) {
    auto all = c.resources.requests;
    for (auto const& [name, amount] : c.resources.limits)
        if (!all.contains(name)) all[name] = amount; // as servers fill it in
    return all;
}
resource_list limits_of(core::container const& c) { return c.resources.limits; }

bool is_best_effort(core::pod_spec const& pod) {
    auto const requests_nothing = [](core::container const& c) {
        for (auto const* list : {&c.resources.requests, &c.resources.limits})
            for (auto const* name : {"cpu", "memory"})
                if (auto const it = list->find(name); it != list->end() && !it->second.is_zero()) return false;
        return true;
    };
    return std::ranges::all_of(pod.containers, requests_nothing) &&
           std::ranges::all_of(pod.init_containers, requests_nothing);
}

std::optional<bool> has_scope(std::string const& scope, core::pod_spec const& pod) {
    if (scope == "Terminating") return pod.active_deadline_seconds.has_value();
    if (scope == "NotTerminating") return !pod.active_deadline_seconds.has_value();
    if (scope == "BestEffort") return is_best_effort(pod);
    if (scope == "NotBestEffort") return !is_best_effort(pod);
    return std::nullopt; // cross-namespace affinity, and scopes of newer servers
}

std::optional<bool> has_priority(core::scoped_resource_selector_requirement const& r, core::pod_spec const& pod) {
    auto const& name = pod.priority_class_name;
    if (name.empty()) return std::nullopt; // the cluster may have a default class
    bool const named = std::ranges::find(r.values, name) != r.values.end();
    if (r.operator_ == "In") return named;
    if (r.operator_ == "NotIn") return !named;
    if (r.operator_ == "Exists") return true;
    if (r.operator_ == "DoesNotExist") return false;
    return std::nullopt;
}

std::optional<bool> both(std::optional<bool> a, std::optional<bool> b) {
    if (a == false || b == false) return false;
    return a && b ? std::optional(true) : std::nullopt;
}

/// The request of a job to one quota, and what is unknown of it.
struct quota_request {
    quota_request() = default;

    resource_list amounts;
    bool scope_is_unknown = false;
    bool anything = false;              ///< the quota is about some of its objects
    std::vector<std::string> unlimited; ///< `limits.cpu of container x of Worker`
};

quota_request request_for(core::resource_quota const& quota, job_demand const& demand) {
    quota_request a;
    for (auto const& role : demand.roles) {
        auto const in_scope = is_in_scope(quota.spec, role.pod);
        if (!in_scope) a.scope_is_unknown = true;
        if (!in_scope.value_or(false)) continue;
        a.anything = true;
        for (auto const& [name, amount] : role.each) {
            auto& sum = a.amounts[name];
            sum += amount * role.pods;
        }
        for (auto const& [name, hard] : quota.status.hard)
            for (auto const& container : containers_without(role.pod, name))
                a.unlimited.push_back(name + " of container " + container + " of " + role.name);
    }
    bool const scoped = !quota.spec.scopes.empty() || quota.spec.scope_selector.has_value();
    if (!scoped) {
        a.anything = true;
        for (auto const& [name, count] : demand.objects) a.amounts[name] += quantity::from(count);
    }
    return a;
}

std::string over(core::resource_quota const& quota, resource_list const& amounts) {
    std::string text;
    for (auto const& [name, hard] : quota.status.hard) {
        auto const wanted = amounts.find(name);
        if (wanted == amounts.end() || wanted->second.is_zero()) continue;
        auto const used_at = quota.status.used.find(name);
        quantity const used = used_at == quota.status.used.end() ? quantity::from(0) : used_at->second;
        if (used + wanted->second <= hard) continue;
        text += (text.empty() ? "" : "; ") + name + ": requested " + wanted->second.canonical() + ", used " +
                used.canonical() + ", allowed " + hard.canonical();
    }
    return text;
}

void check_one(core::resource_quota const& quota, job_demand const& demand, preflight_report& report) {
    std::string const what = "quota " + quota.metadata.name;
    if (quota.status.hard.empty() && !quota.spec.hard.empty())
        return add(report, "quota", verdict::unknown, what + " has no status yet: the cluster has not calculated it");
    auto const a = request_for(quota, demand);
    if (auto const text = over(quota, a.amounts); !text.empty())
        return add(report, "quota", verdict::failed, what + " does not allow the job: " + text);
    if (a.scope_is_unknown)
        return add(report, "quota", verdict::unknown, what + " has a scope that only the server can evaluate");
    if (!a.unlimited.empty())
        return add(report, "quota", verdict::warned,
                   what + " counts " + a.unlimited.front() +
                       ", which the pods do not specify: the server rejects them unless a LimitRange sets it");
    add(report, "quota", verdict::passed, a.anything ? what + " has room" : what + " does not apply to its pods");
}

} // namespace

job_demand demand_of(prepared_job const& job) {
    job_demand demand;
    auto const& r = job->resource();
    auto const& all = job.layout();
    for (auto const& role : all.roles) {
        auto const members = all.of_role(role.name);
        if (members.empty()) continue;
        auto& d = demand.roles.emplace_back();
        d.name = role.name;
        d.pods = static_cast<std::int64_t>(members.size());
        d.pod = job.pod_of(members.front()).spec;
        d.each = usage_of(d.pod);
    }
    demand.objects["count/" + std::string(r.plural) + "." + std::string(r.group)] = 1;
    static constexpr std::array<std::string_view, 4> counted{"services", "configmaps", "secrets",
                                                             "persistentvolumeclaims"};
    auto const objects = job.render();
    for (auto const& o : objects) {
        auto const& info = o.resource();
        if (info.plural == "pods") continue;
        std::string const plural(info.plural);
        ++demand.objects["count/" + plural + (info.group.empty() ? "" : "." + std::string(info.group))];
        if (info.group.empty() && std::ranges::find(counted, info.plural) != counted.end()) ++demand.objects[plural];
    }
    return demand;
}

resource_list usage_of(core::pod_spec const& pod) {
    auto requests = total_of(pod, requests_of);
    add_amounts(requests, pod.overhead);
    auto limits = total_of(pod, limits_of);
    for (auto const& [name, amount] : pod.overhead)
        if (limits.contains(name)) limits[name] += amount;
    auto usage = quota_amounts(requests, limits);
    usage["pods"] = quantity::from(1);
    usage["count/pods"] = quantity::from(1);
    return usage;
}

std::optional<bool> is_in_scope(core::resource_quota_spec const& quota, core::pod_spec const& pod) {
    std::optional<bool> in = true;
    for (auto const& scope : quota.scopes) in = both(in, has_scope(scope, pod));
    if (quota.scope_selector)
        for (auto const& r : quota.scope_selector->match_expressions)
            in = both(in, r.scope_name == "PriorityClass" ? has_priority(r, pod) : has_scope(r.scope_name, pod));
    return in;
}

std::vector<std::string> containers_without(core::pod_spec const& pod, std::string const& quota_name) {
    std::string_view name = quota_name;
    bool const limits = name.starts_with("limits.");
    if (limits) name.remove_prefix(7);
    if (name.starts_with("requests.")) name.remove_prefix(9);
    std::vector<std::string> without;
    if (name != "cpu" && name != "memory") return without;
    for (auto const* list : {&pod.init_containers, &pod.containers})
        for (auto const& c : *list)
            if (auto const given = limits ? limits_of(c) : requests_of(c); !given.contains(name))
                without.push_back(c.name);
    return without;
}

void check_quotas(evidence const& e, preflight_report& report) {
    if (!e.quotas.value) return add(report, "quota", verdict::unknown, "quotas cannot be read: " + e.quotas.message);
    if (e.quotas.value->empty()) return add(report, "quota", verdict::passed, "the namespace has no quota");
    if (!e.job.is_valid())
        return add(report, "quota", verdict::unknown,
                   "the job violates rules of its kind, so its resources are unknown");
    auto const demand = demand_of(e.job);
    for (auto const& q : *e.quotas.value) check_one(q, demand, report);
}

} // namespace kftrain::preflight
