#include "facade/explain/kueue_workload.hpp"

#include "facade/explain/findings.hpp"
#include "model/rules/condition_of.hpp"
#include "model/rules/label_of.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::explaining {
namespace {

constexpr resource_info workload_v1beta1("kueue.x-k8s.io", "v1beta1", "Workload", "workloads");
constexpr resource_info workload_v1beta2("kueue.x-k8s.io", "v1beta2", "Workload", "workloads");

struct workload_spec {
    workload_spec() = default;

    std::string queue_name;
    std::optional<bool> active; ///< absent means true
};
BOOST_DESCRIBE_STRUCT(workload_spec, (), (queue_name, active))

struct workload_check {
    workload_check() = default;

    std::string name;
    std::string state; ///< Pending, Ready, Retry or Rejected
    std::string message;
};
BOOST_DESCRIBE_STRUCT(workload_check, (), (name, state, message))

struct workload_status {
    workload_status() = default;

    std::vector<meta::condition> conditions;
    std::vector<workload_check> admission_checks;
};
BOOST_DESCRIBE_STRUCT(workload_status, (), (conditions, admission_checks))

struct kueue_workload {
    kueue_workload() = default;

    object_meta metadata;
    workload_spec spec;
    workload_status status;
};
BOOST_DESCRIBE_STRUCT(kueue_workload, (), (metadata, spec, status))

struct kueue_workload_list {
    kueue_workload_list() = default;

    std::vector<kueue_workload> items;
};
BOOST_DESCRIBE_STRUCT(kueue_workload_list, (), (items))

workload_state state_of(kueue_workload w) {
    workload_state s;
    s.name = w.metadata.name;
    s.active = w.spec.active.value_or(true);
    for (auto const& c : w.status.admission_checks)
        if (c.state != "Ready")
            s.checks.push_back("admission check " + c.name + ": " + c.state + (c.message.empty() ? "" : ", ") +
                               c.message);
    s.conditions = std::move(w.status.conditions);
    return s;
}

/// The newest of them; of a job that was created again under its name there may be another for a moment.
result<std::string> take_list(job_evidence& evidence, std::string const& text) {
    kueue_workload_list list;
    if (auto r = decode_json(text, descriptor_of<kueue_workload_list>(), &list); !r) return r.error();
    evidence.workload.emplace();
    std::optional<time_point> newest;
    for (auto& w : list.items) {
        auto const at = w.metadata.creation_timestamp;
        if (newest && at && *at < *newest) continue;
        newest = at;
        evidence.workload = state_of(std::move(w));
    }
    return std::string();
}

result<std::string> take_one(job_evidence& evidence, std::string const& text) {
    kueue_workload w;
    if (auto r = decode_json(text, descriptor_of<kueue_workload>(), &w); !r) return r.error();
    evidence.workload = state_of(std::move(w));
    return std::string();
}

std::string workload_advice(meta::condition const* quota, std::string const& queue, bool reserved) {
    if (reserved) return "Kueue resumes the job when all admission checks are ready. Check those that are not.";
    if (quota == nullptr) return "Check whether the controller of Kueue runs, and whether queue " + queue + " exists.";
    if (quota->reason == "Inadmissible" || quota->reason == "Misconfigured")
        return "Correct what the message names: the LocalQueue " + queue + " or its ClusterQueue does not admit jobs.";
    if (quota->reason == "ExceedsMaxQuota" || contains_any(quota->message, {"maximum capacity"}))
        return "The job requests more than queue " + queue + " may ever use: request less, or ask for a higher quota.";
    return "Kueue resumes the job when its queue " + queue + " has room. Request less, or wait until other jobs end.";
}

} // namespace

std::string kueue_queue(any_job const& job) {
    return std::string(label_of(job.metadata(), "kueue.x-k8s.io/queue-name"));
}

query workload_query(job_evidence& evidence) {
    query q;
    q.type = &workload_v1beta1;
    q.namespace_ = evidence.job->metadata().namespace_;
    q.name = label_of(evidence.job->metadata(), "kueue.x-k8s.io/prebuilt-workload-name");
    bool const one = !q.name.empty();
    if (!one) q.which.label_selector = "kueue.x-k8s.io/job-uid=" + evidence.job->metadata().uid;
    q.take = [&evidence, one](std::string const& text) {
        return one ? take_one(evidence, text) : take_list(evidence, text);
    };
    q.on_missing = [&evidence, one](error_code ec, std::string const& why) {
        if (!is_not_found(ec))
            evidence.missing.push_back("Workload of Kueue: " + why);
        else if (one)
            evidence.workload.emplace();
        else
            evidence.kueue_served = false;
    };
    auto newer = std::make_shared<query>(q);
    newer->type = &workload_v1beta2;
    q.instead = std::move(newer);
    return q;
}

void report_workload(job_cause& c, std::string const& queue, workload_state const& w) {
    if (w.name.empty()) {
        c.summary += ", and Kueue has no Workload for it";
        c.advice =
            "Check whether Kueue is configured to manage jobs of this kind, and whether queue " + queue + " exists.";
        return;
    }
    add_evidence(c, "Workload " + w.name + (w.active ? "" : ": spec.active is false"));
    auto const* const quota = condition_of(w.conditions, "QuotaReserved");
    auto const* const admitted = condition_of(w.conditions, "Admitted");
    auto const* const evicted = condition_of(w.conditions, "Evicted");
    bool const reserved = quota != nullptr && quota->status == "True";
    for (auto const* o : {evicted, quota, admitted})
        if (o != nullptr) add_evidence(c, *o);
    for (auto const& line : w.checks) add_evidence(c, line);
    c.advice = workload_advice(quota, queue, reserved);
    if (evicted != nullptr && evicted->status == "True" && !reserved)
        c.summary += "; Kueue evicted it (" + evicted->reason + ": " + evicted->message + ")";
    if (!w.active) {
        c.summary += ", and its Workload in Kueue is not active";
        c.advice = "Set spec.active of Workload " + w.name + " to true: kubectl patch workloads.kueue.x-k8s.io " +
                   w.name + " --type merge -p '{\"spec\":{\"active\":true}}'.";
    } else if (admitted != nullptr && admitted->status == "True") {
        c.summary += "; Kueue has admitted it and resumes it";
        c.advice = "Wait a moment. If nothing happens, check the log of Kueue.";
    } else if (reserved) {
        c.summary += ": it waits for admission checks of Kueue" + (w.checks.empty() ? "" : ": " + w.checks.front());
    } else {
        c.summary += ": it waits in queue " + queue + " of Kueue";
        if (quota != nullptr && !quota->message.empty()) c.summary += ": " + quota->message;
    }
}

} // namespace kftrain::explaining
