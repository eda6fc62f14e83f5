#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include "convert/before_v1/early_job.hpp"

#include <kftrain/model/reflect.hpp>

#include <algorithm>
#include <array>

namespace kftrain::convert {

/// A set of pods of v1alpha1.
struct mx_set_v1alpha1 {
    mx_set_v1alpha1() = default;

    std::optional<std::int32_t> replicas; ///< absent means 1
    core::pod_template_spec template_;
    std::string mx_replica_type;              ///< SCHEDULER, SERVER or WORKER, which is meant if empty
    std::optional<std::int32_t> ps_root_port; ///< of the scheduler; absent means 9091
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(mx_set_v1alpha1, {.member = "ps_root_port", .json_name = "PsRootPort"})
KFTRAIN_DESCRIBE(mx_set_v1alpha1, (replicas, template_, mx_replica_type, ps_root_port))

struct mx_spec_v1alpha1 {
    mx_spec_v1alpha1() = default;

    std::string runtime_id; ///< part of the names of pods
    std::vector<mx_set_v1alpha1> replica_specs;
    std::string mx_image;                                  ///< no operator reads it
    boxed<termination_policy_v1alpha1> termination_policy; ///< absent: the first worker
    std::string cleanup_pod_policy;                        ///< empty means All
    std::string scheduler_name;                            ///< of all pods; overrides the templates
    std::string job_mode;                                  ///< of examples, no field
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(mx_spec_v1alpha1, {.member = "runtime_id", .json_name = "RuntimeId"})
KFTRAIN_DESCRIBE(mx_spec_v1alpha1, (runtime_id, replica_specs, mx_image, termination_policy, cleanup_pod_policy,
                                    scheduler_name, job_mode))

/// An MXJob of `kubeflow.org/v1alpha1`.
using mx_job_v1alpha1 = early_job<mx_spec_v1alpha1>;

KFTRAIN_TABLE(mx_set_v1alpha1)
KFTRAIN_TABLE(mx_spec_v1alpha1)

namespace {

constexpr std::string_view unknown_in_mx_v1alpha1 = "An MXJob of kubeflow.org/v1alpha1 has no such field.";

constexpr set_names mx_sets_v1alpha1{{{{"SCHEDULER", "Scheduler"}, {"SERVER", "Server"}, {"WORKER", "Worker"}}},
                                     "mxReplicaType",
                                     "WORKER",
                                     "mxReplicaSpecs"};

/// One conversion; refers to the source.
class mx_pass_v1alpha1 : public sets_pass<mx_spec_v1alpha1, mx_job, &mx_set_v1alpha1::mx_replica_type> {
public:
    explicit mx_pass_v1alpha1(source const& job) : sets_pass(job, unknown_in_mx_v1alpha1, mx_sets_v1alpha1) {}

    result<converted<mx_job>> run() {
        changes_.approximated("apiVersion", R"("kubeflow.org/v1alpha1")", "apiVersion",
                              "Pods receive MX_CONFIG, and workers also receive DMLC_WORKER_ID. The operator's "
                              "variables follow those of the template and no longer replace its first six.");
        carry_head();
        drop_fields();
        convert_mode();
        convert_cleaning(from_.cleanup_pod_policy, result_.spec.run_policy, changes_);
        auto fault =
            convert_sets(result_.spec.mx_replica_specs, [&](auto const& set, std::string_view type,
                                                            kubeflow_v1::replica_spec& made, std::string const& path) {
                auto const to = entry_path(type);
                convert_restarts(made, path + ".template.spec.restartPolicy", to + ".restartPolicy",
                                 type_of(set) == chief_type());
                if (type == "Scheduler")
                    convert_port(scheduler_port(), set.ps_root_port, made.template_.spec, path, to, changes_);
                else if (set.ps_root_port)
                    changes_.changed(path + ".PsRootPort", std::to_string(*set.ps_root_port), "",
                                     "The operator passed this port to no pod; the port of the scheduler applies.");
            });
        if (fault) return *std::move(fault);
        explain_end();
        return finish();
    }

private:
    static set_port scheduler_port() {
        set_port p;
        p.field = "PsRootPort";
        p.container = "mxnet";
        p.name = "mxjob-port";
        p.owner = "the scheduler";
        p.standard = 9091;
        return p;
    }
    void drop_fields() {
        if (!from_.runtime_id.empty())
            changes_.dropped("spec.RuntimeId", json_text(from_.runtime_id), unused_runtime_id);
        if (!from_.mx_image.empty()) changes_.dropped("spec.mxImage", json_text(from_.mx_image), unused_image);
    }

    void convert_mode() {
        result_.spec.job_mode = "MXTrain";
        std::string const path = "spec.jobMode";
        if (!from_.job_mode.empty())
            changes_.changed(path, json_text(from_.job_mode), path,
                             "All jobs of v1alpha1 train, whatever the mode is.");
        else
            changes_.changed(path, absent, path, "Current jobs must set the mode.");
    }

    /// A failed replica was created again whatever the policy; only for the chief the exit code decided.
    void convert_restarts(kubeflow_v1::replica_spec& made, std::string const& path, std::string const& to,
                          bool is_chief) {
        auto& given = made.template_.spec.restart_policy;
        auto const value = given.empty() ? std::string(absent) : json_text(given);
        made.restart_policy = given == "Never" && is_chief ? "Never" : "OnFailure";
        if (is_chief)
            changes_.approximated(path, value, to,
                                  given == "Never"
                                      ? "A chief that ended with a code of 128 or more was replaced. Now it "
                                        "fails the job like any other replica."
                                      : "The job ended when its chief succeeded or ended with a code "
                                        "below 128. Now every replica that fails restarts.");
        else if (given == "OnFailure")
            changes_.changed(path, value, to, "The field is now in the replica type.");
        else
            changes_.approximated(
                path, value, to,
                given == "Never" ? "The operator replaced a failed replica. Now its container restarts, because Never "
                                   "would fail the job."
                                 : "A replica that succeeded does not restart, so the job can end with its scheduler.");
        given.clear();
    }

    /// Today a job ends with its scheduler, or with its worker where that is alone.
    void explain_end() {
        auto const& made = result_.spec.mx_replica_specs;
        bool const alone = made.size() == 1 && made.contains("Worker") && made.at("Worker").replicas.value_or(1) == 1;
        bool const same = alone || (chief_type() == "SCHEDULER" && chief_index() == 0);
        auto const& policy = from_.termination_policy;
        auto const value = policy ? to_json(*policy) : std::string(absent);
        std::string const path = "spec.terminationPolicy";
        if (same && policy)
            changes_.changed(path, value, "", "The job ends in this way by default.");
        else if (!same)
            changes_.approximated(path, value, "",
                                  made.contains("Scheduler")
                                      ? "The job ended with this replica. Now it ends with its scheduler, which ends "
                                        "when all workers have ended."
                                      : "The job ended with this replica. Now a job without a scheduler runs forever.");
    }
};

} // namespace

result<converted<mx_job>> read_mx_job_v1alpha1(document& text) {
    auto const job = read_source<mx_job_v1alpha1>(text);
    if (!job) return job.error();
    return mx_pass_v1alpha1(*job).run();
}

} // namespace kftrain::convert
