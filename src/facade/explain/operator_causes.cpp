#include "facade/explain/causes.hpp"
#include "facade/explain/server_texts.hpp"

#include <algorithm>

namespace kftrain::explaining {
namespace {

/// What became of a request of an operator that was refused.
struct refusal {
    refusal() = default;

    std::string message;
    job_event const* event = nullptr;
    meta::condition const* condition = nullptr;
    cause_kind kind = cause_kind::refused;
};

cause_kind refusal_kind(std::string const& message) {
    if (parse_quota(message)) return cause_kind::quota;
    bool const too_long = says_any(message, {"must be no more than 63", "must be no more than 253",
                                             "must be no more than 52", "name is too long"});
    return too_long ? cause_kind::name_too_long : cause_kind::refused;
}

bool tells_of_refusal(job_event const& e) {
    if (e.type != "Warning") return false;
    for (auto const word :
         {"FailedCreate", "FailedCreatePod", "FailedCreateService", "FailedCreatePodGroup", "PodGroupError",
          "PluginError", "PVCError", "ErrResourceExists", "JobCreationFailed", "TrainJobResourcesCreationFailed"})
        if (e.reason == word) return true;
    return says_any(e.message, {"exceeded quota", "denied the request", "violates podsecurity"});
}

/// Whether something of the kind was created after it.
bool is_overcome(findings const& f, job_event const& refused) {
    bool const service = refused.reason.find("Service") != std::string::npos;
    return std::ranges::any_of(f.seen.events, [&](job_event const& e) {
        return e.reason.starts_with("SuccessfulCreate") && e.object_name == refused.object_name &&
               e.last > refused.last && (e.reason.find("Service") != std::string::npos) == service;
    });
}

std::vector<refusal> refusals_of(findings const& f) {
    std::vector<refusal> all;
    std::vector<std::size_t> absent;
    for (std::size_t i = 0; i < f.pods.size(); ++i)
        if (f.is_absent(i)) absent.push_back(i);
    bool const missing = !absent.empty() || f.pods.empty();
    for (auto e = f.seen.events.rbegin(); e != f.seen.events.rend(); ++e) {
        if (!tells_of_refusal(*e) || e->object_kind == "Pod") continue;
        bool const of_pods = e->reason.find("Service") == std::string::npos;
        if ((of_pods && !missing) || is_overcome(f, *e)) continue;
        auto& r = all.emplace_back();
        r.message = e->message;
        r.event = &*e;
        r.kind = refusal_kind(r.message);
    }
    for (auto const& c : f.conditions) {
        if (!missing || c.status == "False" || c.type == "Succeeded") continue;
        if (!says_any(c.message, {"is forbidden:", "denied the request", "is invalid:", "exceeded quota"})) continue;
        auto& r = all.emplace_back();
        r.message = c.message;
        r.condition = &c;
        r.kind = refusal_kind(r.message);
    }
    return all;
}

void tell_refusal(job_cause& c, refusal const& first, findings const& f) {
    if (c.kind == cause_kind::quota) {
        auto const q = *parse_quota(first.message);
        c.summary = "The quota " + q.name + " does not allow the pods of the job: ";
        c.summary += q.must_specify.empty()
                         ? q.requested + " is asked for, " + q.used + " is in use, and " + q.limited + " is the limit"
                         : "each must specify " + q.must_specify;
        c.advice = q.must_specify.empty() ? "Wait until other work of namespace " + f.seen.job.metadata().namespace_ +
                                                " ends, ask for less, or have the quota raised."
                                          : "Give the containers these requests and limits.";
        return;
    }
    if (c.kind == cause_kind::name_too_long) {
        c.summary = "A name that the operator makes of the name of the job is too long";
        c.advice = "Submit the job under a shorter name: the names of its pods and services add role and index to it.";
        return;
    }
    c.summary = "The server refuses objects that the operator makes for the job";
    if (says_any(first.message, {"denied the request", "violates podsecurity"}))
        c.advice = "Change the pod template as the admission rule says, or have the rule changed.";
    else if (says_any(first.message, {"already exists", "not managed by", "not controlled by"}))
        c.advice = "Another object has the name: delete it, or submit the job under another name.";
    else if (says_any(first.message, {"being terminated"}))
        c.advice = "The namespace is being deleted: submit the job in another one.";
    else if (says_any(first.message, {"looking up service account"}))
        c.advice = "Create the service account that the pod template names, or correct its name.";
    else if (says_any(first.message, {"is forbidden", "cannot create"}))
        c.advice = "Give the operator the right that the message names, or change what the namespace forbids.";
    else
        c.advice = "Correct the pod template as the message says.";
}

} // namespace

void find_invalid(findings const& f, found_causes& found) {
    constexpr std::size_t most = 8;
    bool const pods = std::ranges::any_of(f.pods, [](auto const* p) { return p != nullptr; });
    if (f.finished() && f.broken.empty()) return;
    job_event const* told = nullptr;
    for (auto const& e : f.seen.events)
        if (e.reason.ends_with("FailedValidation") || e.reason == "ValidationError") told = &e;
    if (f.broken.empty() && (told == nullptr || pods)) return;
    auto& c = add_cause(found, f, cause_kind::invalid, {});
    c.cause.summary = "The job breaks rules of its kind, so that its operator makes nothing of it";
    for (std::size_t i = 0; i < f.broken.size() && i < most; ++i)
        add_evidence(c.cause, "rule " + f.broken[i].rule + ": " + f.broken[i].message);
    if (f.broken.size() > most) add_evidence(c.cause, "and " + std::to_string(f.broken.size() - most) + " more");
    if (told != nullptr) add_evidence(c.cause, *told);
    c.cause.advice = "Correct these fields and submit the job again.";
}

void find_no_operator(findings const& f, found_causes& found) {
    constexpr std::chrono::seconds patience{30};
    bool const nothing_known = !f.seen.pods_known && !f.seen.events_known;
    if (f.touched || !f.broken.empty() || f.finished() || f.age < patience || nothing_known) return;
    auto& c = add_cause(found, f, cause_kind::no_operator, {});
    auto const kind = std::string(f.seen.job.resource().kind);
    c.cause.summary = "Nobody looks after the job: since " + span_of(f.age) + " it has no status, events or pods";
    constexpr std::string_view managed = "\"managedBy\":\"";
    auto const text = f.seen.job.to_json();
    if (auto const at = text.find(managed); at != text.npos) {
        auto const name = text.substr(at + managed.size());
        add_evidence(c.cause, "spec says that it is managed by " + name.substr(0, name.find('"')));
    }
    c.cause.advice = "Install or start the operator of " + kind + " (" + f.seen.job.resource().api_version() +
                     "), and see whether it is told to serve this kind and namespace.";
}

void find_refusals(findings const& f, found_causes& found) {
    if (!f.wanted()) return;
    auto const all = refusals_of(f);
    std::vector<std::size_t> absent;
    for (std::size_t i = 0; i < f.pods.size(); ++i)
        if (f.is_absent(i)) absent.push_back(i);
    for (auto const kind : {cause_kind::quota, cause_kind::refused, cause_kind::name_too_long}) {
        refusal const* first = nullptr;
        for (auto const& r : all)
            if (r.kind == kind && first == nullptr) first = &r;
        if (first == nullptr) continue;
        auto& c = add_cause(found, f, kind, absent);
        tell_refusal(c.cause, *first, f);
        for (auto const& r : all) {
            if (r.kind != kind) continue;
            if (r.event != nullptr) add_evidence(c.cause, *r.event);
            if (r.condition != nullptr) add_evidence(c.cause, *r.condition);
        }
    }
}

} // namespace kftrain::explaining
