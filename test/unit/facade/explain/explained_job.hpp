#ifndef KFTRAIN_TEST_UNIT_FACADE_EXPLAIN_EXPLAINED_JOB_HPP
#define KFTRAIN_TEST_UNIT_FACADE_EXPLAIN_EXPLAINED_JOB_HPP

#include "facade/explain/job_evidence.hpp"

#include <kftrain/job/prepared_job.hpp>
#include <kftrain/kinds/pytorch_job.hpp>

#include <boost/test/unit_test.hpp>

#include <list>

/// A PyTorchJob of a master and workers as a cluster shows it an hour after it was created; the test sets what has
/// happened.
namespace explained {

using namespace kftrain;
using namespace std::chrono_literals;

inline time_point at(std::string const& clock) {
    time_point t;
    BOOST_REQUIRE(parse_scalar("2026-03-01T" + clock + "Z", t));
    return t;
}

struct explained_job {
    explicit explained_job(std::int32_t workers = 2, std::function<void(pytorch_job&)> const& change = {}) {
        job.metadata.name = "digits";
        job.metadata.namespace_ = "team-a";
        job.metadata.uid = "u-1";
        job.metadata.creation_timestamp = at("11:00:00");
        for (auto const& [type, count] : {std::pair<char const*, std::int32_t>("Master", 1), {"Worker", workers}}) {
            auto& spec = job.spec.pytorch_replica_specs[type];
            spec.replicas = count;
            spec.restart_policy = "Never";
            auto& c = spec.template_.spec.containers.emplace_back();
            c.name = "pytorch";
            c.image = "example.com/train:1";
            c.resources.limits.emplace("memory", quantity("8Gi"));
            c.resources.limits.emplace("nvidia.com/gpu", quantity("4"));
        }
        if (change) change(job);
        condition("Created", "PyTorchJobCreated", "PyTorchJob digits is created.");
    }

    void condition(std::string type, std::string reason, std::string message) {
        auto& c = job.status.conditions.emplace_back();
        c.type = std::move(type);
        c.status = "True";
        c.reason = std::move(reason);
        c.message = std::move(message);
    }
    void fail(std::string message = "PyTorchJob digits is failed because 1 Worker replica(s) failed.") {
        condition("Failed", "PyTorchJobFailed", std::move(message));
    }

    /// The pod of a member as its operator makes it: `master-0`, `worker-1`.
    core::pod& pod(std::string const& name) {
        auto const prepared = prepared_job::stored(job);
        auto const* const m = prepared.layout().find("digits-" + name);
        BOOST_REQUIRE(m != nullptr);
        auto& p = pods.emplace_back(prepared.pod_of(*m));
        p.metadata.name = m->pod_name;
        p.metadata.namespace_ = job.metadata.namespace_;
        p.metadata.creation_timestamp = at("11:00:01");
        p.status.phase = "Pending";
        return p;
    }
    static core::container_status& container(core::pod& p) {
        auto& c = p.status.container_statuses.emplace_back();
        c.name = "pytorch";
        return c;
    }
    core::pod& running(std::string const& name, std::string const& since = "11:00:05") {
        auto& p = pod(name);
        p.status.phase = "Running";
        p.spec.node_name = "node-1";
        container(p).state.running.emplace().started_at = at(since);
        return p;
    }
    core::pod& all_run() {
        for (std::int32_t i = 0; i < job.spec.pytorch_replica_specs["Worker"].replicas; ++i)
            running("worker-" + std::to_string(i));
        return running("master-0");
    }
    core::pod& ended(std::string const& name, int code, std::string const& when = "11:30:00",
                     std::string const& reason = "Error") {
        auto& p = pod(name);
        p.status.phase = code == 0 ? "Succeeded" : "Failed";
        p.spec.node_name = "node-1";
        auto& t = container(p).state.terminated.emplace();
        t.exit_code = code;
        t.reason = reason;
        t.started_at = at("11:00:05");
        t.finished_at = at(when);
        return p;
    }
    /// All run; the container of the master has ended, and another one keeps its pod.
    core::pod& with_sidecar(std::string const& name, int code = 0) {
        auto& p = all_run();
        auto& main = p.status.container_statuses.front();
        main.state = core::container_state();
        auto& t = main.state.terminated.emplace();
        t.exit_code = code;
        t.reason = code == 0 ? "Completed" : "Error";
        t.finished_at = at("11:30:00");
        auto& other = p.status.container_statuses.emplace_back();
        other.name = name;
        other.state.running.emplace().started_at = at("11:00:05");
        return p;
    }
    core::pod& waiting(std::string const& name, std::string const& reason, std::string const& message = "") {
        auto& p = pod(name);
        p.spec.node_name = "node-1";
        auto& w = container(p).state.waiting.emplace();
        w.reason = reason;
        w.message = message;
        return p;
    }
    core::pod& unplaced(std::string const& name, std::string const& message,
                        std::string const& reason = "Unschedulable") {
        auto& p = pod(name);
        auto& c = p.status.conditions.emplace_back();
        c.type = "PodScheduled";
        c.status = "False";
        c.reason = reason;
        c.message = message;
        return p;
    }
    job_event& event(std::string const& object, std::string const& reason, std::string const& message,
                     std::string const& type = "Warning") {
        auto& e = evidence.events.emplace_back();
        e.first = e.last = at("11:10:00");
        e.type = type;
        e.reason = reason;
        e.message = message;
        e.object_kind = object.substr(0, object.find('/'));
        e.object_name = object.substr(object.find('/') + 1);
        return e;
    }
    /// The operator's events for refused creations of all pods.
    void refuse(std::string const& message) {
        event("PyTorchJob/digits", "FailedCreatePod", "Error creating: " + message);
    }
    explaining::log_tail& log(std::string const& name, std::vector<std::string> lines,
                              std::string const& last = "11:30:00") {
        auto& l = evidence.logs.emplace_back();
        l.pod = "digits-" + name;
        l.container = "pytorch";
        l.lines = std::move(lines);
        l.last = at(last);
        return l;
    }

    explanation explain() {
        evidence.job = prepared_job::stored(job);
        evidence.quiet = 600s;
        evidence.pods.clear();
        for (auto const& p : pods) evidence.pods.push_back(std::make_shared<core::pod const>(p));
        return explaining::explain(evidence, now);
    }
    /// The kinds of all causes in order, with blanks.
    std::string kinds() {
        std::string text;
        for (auto const& c : explain().causes) text += (text.empty() ? "" : " ") + std::string(to_string(c.kind));
        return text;
    }
    job_cause first() { return explain().causes.at(0); }

    pytorch_job job;
    std::list<core::pod> pods;
    explaining::job_evidence evidence;
    time_point now = at("12:00:00");
};

/// Names of the members a cause is about, with blanks.
inline std::string members(job_cause const& c) {
    std::string text;
    for (auto const& m : c.members) text += (text.empty() ? "" : " ") + m.pod_name.substr(7);
    return text;
}

inline bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

inline bool has_line(std::vector<std::string> const& lines, std::string const& part) {
    for (auto const& l : lines)
        if (contains(l, part)) return true;
    return false;
}

} // namespace explained

#endif
