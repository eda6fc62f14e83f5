#ifndef KFTRAIN_SRC_JOB_V1_STATUS_HPP
#define KFTRAIN_SRC_JOB_V1_STATUS_HPP

#include "job/contract/conditions.hpp"

#include <kftrain/job/job_phase.hpp>
#include <kftrain/job/plan_writer.hpp>
#include <kftrain/job/v1/job_types.hpp>

#include <string_view>

namespace kftrain::kubeflow_v1 {

struct observed;

/** Sets a condition as the operator does: Failed is sticky, Running and Restarting exclude each other,
    finishing sets Running to False, a changed condition moves to the end.
    @par Upstream training-operator v1.9.0 `pkg/util/status.go` */
void set_condition(job_status&, std::string_view type, std::string_view status, std::string reason, std::string message,
                   time_point now);

/// Adds one pod to the counts of its type.
void count_pod(replica_status&, pod const&) noexcept;

job_phase phase_of(job_status const&) noexcept;

/** A status under change; its changes add events to a plan. Refers to the kind, the job's metadata, the observed
    objects and the writer of the plan, which must outlive it.
    @par Upstream training-operator v1.9.0 `pkg/util/status.go`
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class status_editor {
public:
    status_editor(resource_info const& kind, object_meta const& job, job_status start, observed const& observation,
                  time_point now, rules::plan_writer& todo)
        : kind_(kind.kind), job_(job), status_(std::move(start)), observation_(observation), now_(now), todo_(todo) {}

    /// The status so far.
    job_status& status() noexcept { return status_; }
    job_status const& status() const noexcept { return status_; }
    /// The existing objects of the job, for kinds that need more than the counts of the status.
    observed const& observation() const noexcept { return observation_; }
    /// The time of the pass, for all that is written in it.
    time_point now() const noexcept { return now_; }
    /// The kind's name, e.g. `PyTorchJob`, first word of every reason and most messages.
    std::string_view kind() const noexcept { return kind_; }
    std::string const& job_name() const noexcept { return job_.name; }
    std::string const& job_namespace() const noexcept { return job_.namespace_; }

    /// Sets the condition `type` to True with the reason `<Kind><type>`.
    void set(std::string_view type, std::string message) { set(type, "True", type, std::move(message)); }
    /// The same with status and the second half of the reason given.
    void set(std::string_view type, std::string_view status, std::string_view reason_suffix, std::string message);
    /// Raises an event with the reason `<Kind><reason_suffix>`.
    void raise(std::string_view event_type, std::string_view reason_suffix, std::string message);
    /// Raises the event, sets completion time and condition. `outcome` is Succeeded or Failed.
    void finish(std::string_view outcome, std::string message);

private:
    std::string_view kind_;
    object_meta const& job_;
    job_status status_;
    observed const& observation_;
    time_point now_;
    rules::plan_writer& todo_;
};

} // namespace kftrain::kubeflow_v1

#endif
