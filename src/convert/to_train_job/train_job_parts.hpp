#ifndef KFTRAIN_SRC_CONVERT_TO_TRAIN_JOB_TRAIN_JOB_PARTS_HPP
#define KFTRAIN_SRC_CONVERT_TO_TRAIN_JOB_TRAIN_JOB_PARTS_HPP

#include "convert/carried.hpp"
#include "kinds/train_job/kind.hpp"
#include "kinds/train_job/pod_parts.hpp"

#include <kftrain/kinds/train_job.hpp>

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

// Common parts of the conversions of kinds of kubeflow.org to the TrainJob.
namespace kftrain::convert {

/// A pod template of the source on its way to a TrainJob.
struct source_pod {
    source_pod(std::string p, core::pod_template_spec const& t, std::size_t c)
        : path(std::move(p)), template_(t), container(c), parts(trainer::divide_pod(t, c)) {}

    std::string container_path() const { return path + ".spec.containers[" + std::to_string(container) + "]"; }

    std::string path; ///< of the template in the source
    core::pod_template_spec const& template_;
    std::size_t container; ///< index of the container that trains
    trainer::pod_parts parts;
};

/// A TrainJob in the making. Refers to the source.
class train_draft {
public:
    template <class K> train_draft(K const& source, std::string_view runtime, std::string_view unknown_field) {
        job.metadata = carried_head(source, unknown_field, changes);
        job.spec.runtime_ref.name = runtime;
        job.spec.trainer.emplace();
        drop_status(source, changes);
    }

    /** Converts the run policy.
        @param manager The operator of the source, as `managedBy` spells it
        @param kept The value of `cleanPodPolicy` that is closest to what Trainer does
        @param why_kept Describes what Trainer does
        @return Why the policy has no counterpart; empty if it has one */
    template <class Policy>
    std::optional<failure> convert_policy(Policy const& policy, std::string_view manager, std::string_view kept,
                                          std::string_view why_kept) {
        changes.dropped(policy.unknown, "spec.runPolicy", "The run policy has no such field.");
        if (policy.scheduling_policy)
            changes.dropped("spec.runPolicy.schedulingPolicy", to_json(*policy.scheduling_policy),
                            "Gangs and queues are settings of the runtime: podGroupPolicy.");
        convert_limits(policy.clean_pod_policy, policy.ttl_seconds_after_finished, policy.backoff_limit, kept,
                       why_kept);
        convert_state(policy.suspend, policy.managed_by, manager);
        return convert_deadline(policy.active_deadline_seconds);
    }

    /// Removes what a TrainJob rejects: variables that the operator reserves, repeated names in lists, and mounts of
    /// volumes that the pod does not have, except those in `volumes`.
    void clean(source_pod&, std::initializer_list<std::string_view> reserved,
               std::initializer_list<std::string_view> volumes);
    /// Patches the pods of a Job of the runtime. `trains` also sets `spec.trainer`.
    void place(source_pod const&, std::string_view job, bool trains);
    /// Reports a template whose pods have another template in the result.
    void replace(source_pod const&, source_pod const& by, std::string_view why);
    /// Reports the restart policy of a replica type.
    void report_restarts(std::string const& path, std::string const& policy);

    /// The job, if its kind accepts it with the installed runtime.
    result<converted<train_job>> finish();

    train_job job;
    change_list changes;

private:
    /// Keeps the first item of each name.
    template <class T> void drop_repeated(std::vector<T>& list, std::string const& path) {
        std::vector<T> kept;
        for (std::size_t i = 0; i < list.size(); ++i)
            if (trainer::find_named(kept, list[i].name) == nullptr)
                kept.push_back(list[i]);
            else
                changes.dropped(path + "[" + std::to_string(i) + "]", to_json(list[i]),
                                "An earlier item has the same name, and the list of a TrainJob has each name once.");
        list = std::move(kept);
    }

    void convert_limits(std::optional<std::string> const& cleaning, std::optional<std::int32_t> lifetime,
                        std::optional<std::int32_t> limit, std::string_view kept, std::string_view why_kept);
    void convert_state(std::optional<bool> suspend, std::optional<std::string> const& manager, std::string_view own);
    std::optional<failure> convert_deadline(std::optional<std::int64_t>);
    std::string result_path(trainer::pod_field const&, source_pod const&) const;

    moved_parts moved_;
    std::string patch_path_; ///< of the last patched pod template
};

} // namespace kftrain::convert

#endif
