#include "facade/preflight/evidence.hpp"

#include <kftrain/job/job_rules.hpp>

#include <algorithm>
#include <set>

namespace kftrain {

std::string_view to_string(verdict v) noexcept {
    switch (v) {
    case verdict::passed: return "passed";
    case verdict::warned: return "warned";
    case verdict::failed: return "failed";
    case verdict::unknown: return "unknown";
    }
    return "";
}

std::string preflight_report::to_string() const {
    std::size_t widest = 0;
    for (auto const& c : checks) widest = std::max(widest, c.name.size());
    std::string out;
    for (auto const& c : checks) {
        if (!out.empty()) out += '\n';
        std::string const label(kftrain::to_string(c.verdict));
        out += label + std::string(9 - label.size(), ' ') + c.name + std::string(widest + 2 - c.name.size(), ' ') +
               c.message;
    }
    if (!missing_rules.empty()) out += "\n\n" + missing_rules;
    return out;
}

namespace preflight {
namespace {

void check_rules(evidence const& e, preflight_report& report) {
    auto const& found = e.job.faults();
    if (has_errors(found))
        add(report, "rules", verdict::failed, "the job violates rules of its kind: " + join_errors(found, "; "));
    else if (e.unread.empty())
        add(report, "rules", verdict::passed, "the job is valid");
    for (auto const& object : e.unread)
        add(report, "rules", verdict::unknown, "an object to which the job refers cannot be read: " + object);
    if (has_errors(found)) return; // likely mistakes can wait
    auto const hints = e.job.lint();
    for (auto const& i : hints) {
        if (i.level == issue::severity::info) continue;
        add(report, "lint", i.keeps_from_starting ? verdict::failed : verdict::warned, i.message + " [" + i.rule + "]");
    }
}

void check_served(evidence const& e, preflight_report& report) {
    auto const& r = e.job->resource();
    std::string const kind = std::string(r.kind) + " of " + r.api_version();
    if (!e.catalog.value)
        return add(report, "served", verdict::unknown, "the server does not list what it serves: " + e.catalog.message);
    auto const& catalog = **e.catalog.value;
    bool served = false;
    bool creatable = false;
    for (auto const& s : catalog.resources()) {
        if (s.group != r.group || s.plural != r.plural) continue;
        report.served_versions.push_back(s.group + "/" + s.version);
        if (s.version != r.version) continue;
        served = true;
        creatable = s.can("create");
    }
    if (served && creatable) return add(report, "served", verdict::passed, "the server serves " + kind);
    if (served)
        return add(report, "served", verdict::failed,
                   "the server serves " + kind + ", but objects of this kind cannot be created");
    for (auto const& f : catalog.failures())
        if (f.group == r.group)
            return add(report, "served", verdict::unknown,
                       "the server does not list what it serves of " + f.group + "/" + f.version + ": " + f.why);
    std::string text = "the server does not serve " + kind;
    if (report.served_versions.empty()) {
        text += ": its CustomResourceDefinition " + std::string(r.plural) + "." + std::string(r.group) +
                " is not installed; install it together with an operator";
    } else {
        text += ", but other versions of this kind:";
        for (auto const& v : report.served_versions) text += " " + v;
    }
    add(report, "served", verdict::failed, std::move(text));
}

void check_namespace(evidence const& e, preflight_report& report) {
    auto const& name = e.job->metadata().namespace_;
    if (e.of_namespace.is_absent())
        return add(report, "namespace", verdict::failed, "namespace " + name + " does not exist: create it first");
    if (!e.of_namespace.value)
        return add(report, "namespace", verdict::unknown,
                   "namespace " + name + " cannot be read: " + e.of_namespace.message);
    auto const& ns = *e.of_namespace.value;
    if (ns.metadata.deletion_timestamp || ns.status.phase == "Terminating")
        return add(report, "namespace", verdict::failed,
                   "namespace " + name + " is being deleted: no objects can be created in it");
    add(report, "namespace", verdict::passed, "namespace " + name + " exists");
}

void check_name(evidence const& e, preflight_report& report) {
    if (has_generated_name(*e.job)) return add(report, "name", verdict::passed, "the server generates the name");
    std::string const whole = job_reference(*e.job).to_string();
    if (e.existing.is_absent()) return add(report, "name", verdict::passed, whole + " does not exist yet");
    if (!e.existing.value)
        return add(report, "name", verdict::unknown, whole + " cannot be read: " + e.existing.message);
    if (e.existing.value->metadata().deletion_timestamp)
        return add(report, "name", verdict::failed, whole + " exists and is being deleted: wait until it is deleted");
    add(report, "name", verdict::failed, whole + " already exists: choose another name, or delete it");
}

void check_queue(evidence const& e, preflight_report& report) {
    if (!e.queue) return;
    auto const gang = e.job.gang().value_or(rules::gang_settings());
    std::string const queue = "queue " + gang.queue;
    // Only the flags of the operator determine whether it uses Volcano at all.
    auto const worst = gang.needs_queue ? verdict::failed : verdict::warned;
    if (e.queue->is_absent())
        return add(report, "queue", worst,
                   "the Volcano " + queue + " that " + gang.path + ".queue names does not exist: create it first");
    if (!e.queue->value) return add(report, "queue", verdict::unknown, queue + " cannot be read: " + e.queue->message);
    auto const& state = e.queue->value->status.state;
    if (state.empty() || state == "Open") return add(report, "queue", verdict::passed, queue + " is open");
    add(report, "queue", worst, queue + " is " + state + ": it accepts no jobs until it is opened");
}

/// The server rejects a pod without its class, but accepts such a PodGroup.
std::set<std::string> priority_classes_of_pods(prepared_job const& job) {
    std::set<std::string> names;
    auto const& all = job.layout();
    for (auto const& role : all.roles) {
        auto const members = all.of_role(role.name);
        if (members.empty()) continue;
        auto const pod = job.pod_of(members.front());
        if (!pod.spec.priority_class_name.empty()) names.insert(pod.spec.priority_class_name);
    }
    return names;
}

void check_priorities(evidence const& e, preflight_report& report) {
    if (e.priorities.empty()) return;
    auto const of_pods = priority_classes_of_pods(e.job);
    for (auto const& [name, found] : e.priorities) {
        std::string const what = "PriorityClass " + name;
        if (found.value)
            add(report, "priority-class", verdict::passed, what + " exists");
        else if (found.is_absent() && of_pods.contains(name))
            add(report, "priority-class", verdict::failed, what + " does not exist: the server would reject the pods");
        else if (found.is_absent())
            add(report, "priority-class", verdict::warned,
                what + " does not exist: the PodGroup of the job would have no priority");
        else
            add(report, "priority-class", verdict::unknown, what + " cannot be read: " + found.message);
    }
}

void check_dry_run(evidence const& e, preflight_report& report) {
    if (!e.dry_run) return;
    if (e.dry_run->value) return add(report, "admission", verdict::passed, "the server would accept the job");
    auto const ec = e.dry_run->ec;
    bool const refused = is_invalid(ec) || is_forbidden(ec);
    if (refused)
        return add(report, "admission", verdict::failed, "the server would reject the job: " + e.dry_run->message);
    add(report, "admission", verdict::unknown, "the dry run failed: " + e.dry_run->message);
}

} // namespace

std::vector<std::string> priority_classes_of(prepared_job const& job) {
    auto names = priority_classes_of_pods(job);
    if (auto const gang = job.gang(); gang && !gang->priority_class.empty()) names.insert(gang->priority_class);
    return {names.begin(), names.end()};
}

void add(preflight_report& report, std::string_view name, verdict v, std::string message) {
    auto& c = report.checks.emplace_back();
    c.name = name;
    c.verdict = v;
    c.message = std::move(message);
    report.passed = report.passed && v != verdict::failed;
}

preflight_report report_of(evidence const& e) {
    preflight_report report;
    check_rules(e, report);
    check_served(e, report);
    check_namespace(e, report);
    check_name(e, report);
    check_queue(e, report);
    check_priorities(e, report);
    check_dry_run(e, report);
    check_access(e, report);
    check_quotas(e, report);
    return report;
}

} // namespace preflight
} // namespace kftrain
