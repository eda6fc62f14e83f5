#include "facade/preflight/evidence.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/objects/rbac/role.hpp>

#include <algorithm>

namespace kftrain::preflight {
namespace {

/// The resource of the object that suspends a job, or null if a change of the job itself suspends it.
resource_info const* request_of_suspension(prepared_job const& job) {
    auto const action = job.suspended(!job.suspending().suspended);
    if (!action) return nullptr;
    auto const* const made = std::get_if<rules::create>(&*action);
    return made != nullptr ? &made->object.resource() : nullptr;
}

/// The rules that are missing: one for each group and set of verbs, as few as that makes.
std::vector<rbac::policy_rule> rules_for(std::vector<access_need const*> const& missing) {
    std::vector<rbac::policy_rule> of_places;
    for (auto const* n : missing) {
        auto const same = [&](rbac::policy_rule const& r) {
            return r.api_groups.front() == n->group && r.resources.front() == n->place();
        };
        auto found = std::ranges::find_if(of_places, same);
        if (found == of_places.end()) {
            auto& r = of_places.emplace_back();
            r.api_groups.push_back(n->group);
            r.resources.push_back(n->place());
            found = of_places.end() - 1;
        }
        if (std::ranges::find(found->verbs, n->verb) == found->verbs.end()) found->verbs.push_back(n->verb);
    }
    std::vector<rbac::policy_rule> all;
    for (auto& r : of_places) {
        auto const same = [&](rbac::policy_rule const& other) {
            return other.api_groups == r.api_groups && other.verbs == r.verbs;
        };
        auto const found = std::ranges::find_if(all, same);
        if (found == all.end())
            all.push_back(std::move(r));
        else
            found->resources.push_back(r.resources.front());
    }
    return all;
}

std::string role_of(evidence const& e, std::vector<access_need const*> const& missing) {
    if (missing.empty()) return {};
    rbac::role role;
    role.metadata.name = "training-jobs";
    role.metadata.namespace_ = e.job->metadata().namespace_;
    role.rules = rules_for(missing);
    return any_object(std::move(role)).to_yaml();
}

struct access_check {
    access_check() = default;

    std::vector<access_need const*> refused;
    std::vector<std::string> unknown;
    std::string message;
};

std::string joined_needs(std::vector<access_need const*> const& needs) {
    std::string text;
    for (auto const* n : needs) {
        if (!text.empty()) text += ", ";
        text += n->verb + " " + n->place();
        if (!n->group.empty()) text += "." + n->group;
    }
    return text;
}

} // namespace

std::vector<access_need> access_needs(prepared_job const& job, preflight_options const& options) {
    auto const& r = job->resource();
    std::vector<access_need> all{{"may-create", "create", r.group, r.plural}, {"may-read", "get", r.group, r.plural}};
    if (options.follow) {
        for (auto const* verb : {"list", "watch"}) all.emplace_back("may-watch", verb, r.group, r.plural);
        for (auto const* verb : {"list", "watch"}) all.emplace_back("may-watch", verb, "", "pods");
        all.emplace_back("may-read-logs", "get", "", "pods");
        all.emplace_back("may-read-logs", "get", "", "pods", "log");
        all.emplace_back("may-read-events", "list", "", "events");
    }
    if (options.change) {
        all.emplace_back("may-change", "patch", r.group, r.plural);
        if (auto const* const made = request_of_suspension(job))
            all.emplace_back("may-change", "create", made->group, made->plural);
        all.emplace_back("may-delete", "delete", r.group, r.plural);
    }
    return all;
}

void check_access(evidence const& e, preflight_report& report) {
    std::vector<std::string> order;
    std::map<std::string, access_check> by_name;
    std::vector<access_need const*> missing;
    for (auto const& a : e.access) {
        if (!by_name.contains(a.need.check)) order.push_back(a.need.check);
        auto& answers = by_name[a.need.check];
        if (!a.allowed) {
            answers.unknown.push_back(a.message);
        } else if (!*a.allowed) {
            answers.refused.push_back(&a.need);
            missing.push_back(&a.need);
            if (answers.message.empty()) answers.message = a.message;
        }
    }
    std::string const place = "in namespace " + e.job->metadata().namespace_;
    for (auto const& name : order) {
        auto const& answers = by_name[name];
        if (!answers.refused.empty())
            add(report, name, verdict::failed,
                "the caller may not " + joined_needs(answers.refused) + " " + place +
                    (answers.message.empty() ? "" : ": " + answers.message) +
                    "; a Role with the missing rules would allow it");
        else if (!answers.unknown.empty())
            add(report, name, verdict::unknown,
                "the server did not answer which permissions the caller has: " + answers.unknown.front());
        else
            add(report, name, verdict::passed, "the caller may " + name.substr(4) + " " + place);
    }
    report.missing_rules = role_of(e, missing);
}

} // namespace kftrain::preflight
