#include "facade/preflight/evidence.hpp"
#include "facade/preflight/quota_demand.hpp"

#include <kftrain/job/job_rules.hpp>

#include <algorithm>

namespace kftrain::preflight {
namespace {

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
