#include "base/joined.hpp"
#include "facade/explain/causes/causes.hpp"
#include "facade/explain/server_texts.hpp"
#include "facade/plan/job_tree.hpp"

#include <kftrain/job/job_rules.hpp>

#include <boost/json/value.hpp>

#include <algorithm>
#include <set>

namespace kftrain::explaining {
namespace {

/// A request of an operator that the server refused.
struct refused_request {
    refused_request() = default;

    std::string message;
    job_event const* event = nullptr;
    meta::condition const* condition = nullptr;
    cause_kind kind = cause_kind::refused;
};

cause_kind refusal_kind(std::string const& message) {
    if (parse_quota(message)) return cause_kind::quota;
    bool const too_long = contains_any(message, {"must be no more than 63", "must be no more than 253",
                                                 "must be no more than 52", "name is too long"});
    return too_long ? cause_kind::name_too_long : cause_kind::refused;
}

/// Whether an event reports that the operator rejects the job itself.
bool reports_invalid_job(job_event const& e) {
    return e.reason.ends_with("FailedValidation") || e.reason == "ValidationError";
}

/// Some operators use one reason for all failures, so the message counts, too.
bool reports_refusal(job_event const& e, rules::kind_facts const& kind) {
    if (e.type != "Warning") return false;
    auto const& reasons = kind.refusal_reasons;
    if (e.reason == "FailedCreate" || std::ranges::find(reasons, e.reason) != reasons.end()) return true;
    if (reports_invalid_job(e)) return false;
    return contains_any(e.message, {"exceeded quota", "failed quota", "denied the request", "violates podsecurity",
                                    "is forbidden:", "is invalid:", "created failed:", "error creating"});
}

/// Whether an object of the same kind was created after the refusal.
bool is_overcome(findings const& f, job_event const& refused) {
    bool const service = refused.reason.find("Service") != std::string::npos;
    return std::ranges::any_of(f.evidence.events, [&](job_event const& e) {
        return e.reason.starts_with("SuccessfulCreate") && e.object_name == refused.object_name &&
               e.last > refused.last && (e.reason.find("Service") != std::string::npos) == service;
    });
}

std::vector<refused_request> refusals_of(findings const& f) {
    std::vector<refused_request> all;
    std::vector<std::size_t> absent;
    for (std::size_t i = 0; i < f.pods.size(); ++i)
        if (f.is_absent(i)) absent.push_back(i);
    bool const missing = !absent.empty() || f.pods.empty();
    for (auto e = f.evidence.events.rbegin(); e != f.evidence.events.rend(); ++e) {
        if (!reports_refusal(*e, f.evidence.job->rules().facts()) || e->object_kind == "Pod") continue;
        bool const of_pods = e->reason.find("Service") == std::string::npos;
        if ((of_pods && !missing) || is_overcome(f, *e)) continue;
        auto& r = all.emplace_back();
        r.message = e->message;
        r.event = &*e;
        r.kind = refusal_kind(r.message);
    }
    for (auto const& c : f.conditions) {
        if (!missing || c.status == "False" || c.type == "Succeeded") continue;
        if (!contains_any(c.message, {"is forbidden:", "denied the request", "is invalid:", "exceeded quota"}))
            continue;
        auto& r = all.emplace_back();
        r.message = c.message;
        r.condition = &c;
        r.kind = refusal_kind(r.message);
    }
    return all;
}

/// Adds the names of all containers of the pod templates in a part of a job.
void collect_containers(boost::json::value const& part, std::set<std::string>& names) {
    if (auto const* const list = part.if_array())
        for (auto const& item : *list) collect_containers(item, names);
    auto const* const object = part.if_object();
    if (object == nullptr) return;
    for (auto const& member : *object) {
        auto const key = member.key();
        auto const* const list = member.value().if_array();
        bool const containers = key == "containers" || key == "initContainers" || key == "ephemeralContainers";
        if (!containers || list == nullptr) {
            collect_containers(member.value(), names);
            continue;
        }
        for (auto const& one : *list)
            if (auto const* const container = one.if_object())
                if (auto const* const name = container->if_contains("name"); name != nullptr && name->is_string())
                    names.emplace(name->get_string());
    }
}

/** Names behind `for:` that no template of the job has, e.g. of `requests.cpu for: a,b; limits.cpu for: a`, each once.
    Upstream: kubernetes v1.31 `pkg/quota/v1/evaluator/core/pods.go`. */
std::vector<std::string> containers_made_by_operator(std::string_view must_specify, findings const& f) {
    std::vector<std::string> made;
    std::set<std::string> written;
    collect_containers(job_tree::tree_of(*f.evidence.job), written);
    constexpr std::string_view key = "for: ";
    for (auto at = must_specify.find(key); at != must_specify.npos; at = must_specify.find(key)) {
        must_specify.remove_prefix(at + key.size());
        auto names = must_specify.substr(0, must_specify.find(';'));
        while (!names.empty()) {
            auto const end = std::min(names.find(','), names.size());
            auto const name = std::string(names.substr(0, end));
            names.remove_prefix(std::min(end + 1, names.size()));
            if (!written.contains(name) && std::ranges::find(made, name) == made.end()) made.push_back(name);
        }
    }
    return made;
}

/// The name in `no PriorityClass with name high was found`; empty: the message is about something else.
std::string missing_priority_class(std::string_view message) {
    constexpr std::string_view key = "no PriorityClass with name ";
    auto const at = message.find(key);
    if (at == message.npos) return {};
    message.remove_prefix(at + key.size());
    return std::string(message.substr(0, message.find(' ')));
}

/// The manager that the spec names, other than the default one.
std::string other_manager(prepared_job const& job) {
    auto const name = job.policies().manager.value_or(std::string());
    return name == job->rules().facts().manager ? std::string() : name;
}

void describe_refusal(job_cause& c, refused_request const& first, findings const& f) {
    if (c.kind == cause_kind::quota) {
        auto const q = *parse_quota(first.message);
        c.summary = "The quota " + q.name + " does not allow the pods of the job: ";
        c.summary += q.must_specify.empty()
                         ? q.requested + " is requested, " + q.used + " is in use, and " + q.limited + " is the limit"
                         : "each pod must specify " + q.must_specify;
        auto const& ns = f.evidence.job->metadata().namespace_;
        if (q.must_specify.empty())
            c.advice =
                "Wait until other workloads in namespace " + ns + " end, request less, or ask for a higher quota.";
        else if (auto const made = containers_made_by_operator(q.must_specify, f); !made.empty())
            c.advice = "Create a LimitRange with defaults in namespace " + ns + ": the operator adds " +
                       (made.size() == 1 ? "container " : "containers ") + joined(made, ", ") +
                       " to the pods, and the job cannot set its requests and limits.";
        else
            c.advice = "Set these requests and limits for the containers.";
        return;
    }
    if (c.kind == cause_kind::name_too_long) {
        c.summary = "A name that the operator builds from the name of the job is too long";
        c.advice =
            "Submit the job with a shorter name: the names of its pods and services also contain role and index.";
        return;
    }
    c.summary = "The server rejects objects that the operator creates for the job";
    if (auto const name = missing_priority_class(first.message); !name.empty()) {
        c.summary = "The PriorityClass " + name + " that the pods name does not exist";
        c.advice = "Create the PriorityClass " + name +
                   ", or correct priorityClassName. The operator then creates the "
                   "pods without further action.";
    } else if (contains_any(first.message, {"failed calling webhook", "failed to call webhook"})) {
        c.summary = "An admission webhook does not answer, so the server rejects objects of the job";
        c.advice =
            "Check the service and the pods behind the webhook that the message names. The operator tries again.";
    } else if (contains_any(first.message, {"denied the request", "violates podsecurity"}))
        c.advice = "Change the pod template as the admission rule requires, or ask for a change of the rule.";
    else if (contains_any(first.message, {"already exists", "not managed by", "not controlled by"}))
        c.advice = "Another object has this name. Delete it, or submit the job with another name.";
    else if (contains_any(first.message, {"being terminated"}))
        c.advice = "The namespace is being deleted. Submit the job in another namespace.";
    else if (contains_any(first.message, {"looking up service account"}))
        c.advice = "Create the service account that the pod template names, or correct its name.";
    else if (contains_any(first.message, {"is forbidden", "cannot create"}))
        c.advice =
            "Give the operator the permission that the message names, or change the rule that forbids the request.";
    else
        c.advice = "Correct the pod template according to the message.";
}

} // namespace

void find_invalid(findings const& f, found_causes& found) {
    constexpr std::size_t most = 8;
    bool const pods = std::ranges::any_of(f.pods, [](auto const* p) { return p != nullptr; });
    if (f.finished() && f.broken.empty()) return;
    job_event const* reported = nullptr;
    for (auto const& e : f.evidence.events)
        if (reports_invalid_job(e)) reported = &e;
    if (f.broken.empty() && (reported == nullptr || pods)) return;
    auto& c = add_cause(found, f, cause_kind::invalid, {});
    c.cause.summary = "The job violates rules of its kind, so its operator does not run it";
    for (std::size_t i = 0; i < f.broken.size() && i < most; ++i)
        add_evidence(c.cause, "rule " + f.broken[i].rule + ": " + f.broken[i].message);
    if (f.broken.size() > most) add_evidence(c.cause, "and " + std::to_string(f.broken.size() - most) + " more");
    if (reported != nullptr) add_evidence(c.cause, *reported);
    c.cause.advice = "Correct these fields, and submit the job again.";
}

void find_no_operator(findings const& f, found_causes& found) {
    constexpr std::chrono::seconds patience{30};
    bool const nothing_known = !f.evidence.pods_known && !f.evidence.events_known;
    if (f.touched || !f.broken.empty() || f.finished() || f.age < patience || nothing_known) return;
    if (!f.evidence.missing_queue.empty()) return;                                 // for which an operator waits
    if (f.layout.members.empty() && !f.evidence.job->references().empty()) return; // its pods are unknown
    auto& c = add_cause(found, f, cause_kind::no_operator, {});
    auto const kind = std::string(f.evidence.job->resource().kind);
    c.cause.summary = "No operator manages the job: it has no status, events or pods";
    add_evidence(c.cause, "the job was created " + span_of(f.age) + " ago");
    if (auto const manager = other_manager(f.evidence.job); !manager.empty()) {
        c.cause.summary = "managedBy hands the job to " + manager +
                          ", and this has done nothing: the operator of the kind ignores the job";
        add_evidence(c.cause, "managedBy is " + manager);
        c.cause.advice = contains_any(manager, {"multikueue"})
                             ? "Check the Workload of the job and the worker clusters of MultiKueue. To run the job in "
                               "this cluster, submit it without managedBy."
                             : "Check this controller. To let the operator of the kind run the job, submit it without "
                               "managedBy.";
        return;
    }
    c.cause.advice = "Install or start the operator of " + kind + " (" + f.evidence.job->resource().api_version() +
                     "), and check whether it is configured for this kind and namespace.";
}

void find_refusals(findings const& f, found_causes& found) {
    if (!f.wanted()) return;
    auto const all = refusals_of(f);
    std::vector<std::size_t> absent;
    for (std::size_t i = 0; i < f.pods.size(); ++i)
        if (f.is_absent(i)) absent.push_back(i);
    for (auto const kind : {cause_kind::quota, cause_kind::refused, cause_kind::name_too_long}) {
        refused_request const* first = nullptr;
        for (auto const& r : all)
            if (r.kind == kind && first == nullptr) first = &r;
        if (first == nullptr) continue;
        auto& c = add_cause(found, f, kind, absent);
        describe_refusal(c.cause, *first, f);
        for (auto const& r : all) {
            if (r.kind != kind) continue;
            if (r.event != nullptr) add_evidence(c.cause, *r.event);
            if (r.condition != nullptr) add_evidence(c.cause, *r.condition);
        }
    }
}

} // namespace kftrain::explaining
