#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include "convert/before_v1/early_job.hpp"

#include <kftrain/kinds/tf_job.hpp>
#include <kftrain/model/reflect.hpp>

#include <algorithm>
#include <array>

namespace kftrain::convert {

/// The spec of tf-operator. It includes `runPolicy` of the current form to find jobs that mix the forms.
struct tf_operator_spec {
    tf_operator_spec() = default;

    std::optional<std::int64_t> active_deadline_seconds;
    std::optional<std::int32_t> backoff_limit;
    std::optional<std::string> clean_pod_policy;
    boxed<kubeflow_v1::scheduling_policy> scheduling_policy; ///< not of v1beta2, as the next two
    std::optional<std::string> success_policy;
    bool enable_dynamic_worker = false;
    std::optional<std::int32_t> ttl_seconds_after_finished;
    kubeflow_v1::replica_spec_map tf_replica_specs;
    raw_json run_policy;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(tf_operator_spec,
                 (active_deadline_seconds, backoff_limit, clean_pod_policy, scheduling_policy, success_policy,
                  enable_dynamic_worker, ttl_seconds_after_finished, tf_replica_specs, run_policy))

/// A job as tf-operator stored it.
using tf_operator_job = early_job<tf_operator_spec>;

/// A set of pods of v1alpha1.
struct tf_set_v1alpha1 {
    tf_set_v1alpha1() = default;

    std::optional<std::int32_t> replicas; ///< absent means 1
    core::pod_template_spec template_;
    std::optional<std::int32_t> tf_port; ///< absent means 2222
    std::string tf_replica_type;         ///< MASTER, which is meant if empty, PS or WORKER
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(tf_set_v1alpha1, (replicas, template_, tf_port, tf_replica_type))

/// The spec of v1alpha1. @par Upstream tf-operator v0.3.0 `pkg/apis/tensorflow/v1alpha1/{types,defaults}.go`
struct tf_spec_v1alpha1 {
    tf_spec_v1alpha1() = default;

    std::string runtime_id; ///< part of the names of pods
    std::vector<tf_set_v1alpha1> replica_specs;
    std::string tf_image;                                  ///< of early parameter servers without a template
    boxed<termination_policy_v1alpha1> termination_policy; ///< absent: MASTER 0
    std::string cleanup_pod_policy;                        ///< empty means All
    std::string scheduler_name;                            ///< of all pods; overrides the templates
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(tf_spec_v1alpha1, {.member = "runtime_id", .json_name = "RuntimeId"})
KFTRAIN_DESCRIBE(tf_spec_v1alpha1,
                 (runtime_id, replica_specs, tf_image, termination_policy, cleanup_pod_policy, scheduler_name))

/// A TFJob of `kubeflow.org/v1alpha1`.
using tf_job_v1alpha1 = early_job<tf_spec_v1alpha1>;

KFTRAIN_TABLE(tf_operator_spec)
KFTRAIN_TABLE(tf_set_v1alpha1)
KFTRAIN_TABLE(tf_spec_v1alpha1)

namespace {

constexpr std::string_view tf_v1 = "kubeflow.org/v1";
constexpr std::string_view tf_v1beta1 = "kubeflow.org/v1beta1";
constexpr std::string_view tf_v1alpha2 = "kubeflow.org/v1alpha2";
constexpr std::string_view unknown_in_tf_operator = "A TFJob of tf-operator has no such field.";

/** One conversion; refers to the source.
    @par Upstream tf-operator v1.0.0 `pkg/apis/tensorflow/v1/{types,defaults}.go`, v0.4.0 `v1beta1/types.go`, v0.3.0
    `v1alpha2/types.go` */
class tf_operator_pass : public early_pass<tf_operator_spec, tf_job> {
public:
    explicit tf_operator_pass(tf_operator_job const& job)
        : early_pass(job, unknown_in_tf_operator),
          has_limits_(job.api_version != tf_v1beta1 && job.api_version != tf_v1alpha2) {}

    result<converted<tf_job>> run() {
        if (!from_.run_policy.text.empty())
            return refused_field(
                "spec.runPolicy",
                "is a field of the current TFJob, and the spec also has fields of tf-operator: expected one form");
        if (job_.api_version != tf_v1)
            changes_.changed("apiVersion", json_text(job_.api_version), "apiVersion",
                             "The current version is different.");
        carry_head();
        convert_policy();
        result_.spec.success_policy = from_.success_policy;
        result_.spec.enable_dynamic_worker = from_.enable_dynamic_worker;
        for (auto const& [type, given] : from_.tf_replica_specs)
            result_.spec.tf_replica_specs.emplace(type, known_part(given, "spec.tfReplicaSpecs[" + type + "]"));
        return finish();
    }

private:
    void convert_policy() {
        auto& policy = result_.spec.run_policy;
        move_cleaning(from_.clean_pod_policy, "Running");
        move_to_policy("ttlSecondsAfterFinished", from_.ttl_seconds_after_finished, policy.ttl_seconds_after_finished);
        move_to_policy("activeDeadlineSeconds", from_.active_deadline_seconds, policy.active_deadline_seconds,
                       has_limits_);
        move_to_policy("backoffLimit", from_.backoff_limit, policy.backoff_limit, has_limits_);
        move_to_policy("schedulingPolicy", from_.scheduling_policy, policy.scheduling_policy);
    }

    bool has_limits_; ///< the version has activeDeadlineSeconds and backoffLimit
};

constexpr std::string_view unknown_in_tf_v1alpha1 = "A TFJob of kubeflow.org/v1alpha1 has no such field.";

constexpr set_names tf_sets_v1alpha1{
    {{{"MASTER", "Master"}, {"PS", "PS"}, {"WORKER", "Worker"}}}, "tfReplicaType", "MASTER", "tfReplicaSpecs"};

/** One conversion; refers to the source.
    @par Upstream tf-operator v0.3.0 `pkg/trainer/{training,replicas}.go` */
class tf_pass_v1alpha1 : public sets_pass<tf_spec_v1alpha1, tf_job, &tf_set_v1alpha1::tf_replica_type> {
public:
    explicit tf_pass_v1alpha1(source const& job) : sets_pass(job, unknown_in_tf_v1alpha1, tf_sets_v1alpha1) {}

    result<converted<tf_job>> run() {
        changes_.changed("apiVersion", json_text(job_.api_version), "apiVersion",
                         "The current version is different. Pods and services have other names and labels.");
        carry_head();
        if (!from_.runtime_id.empty())
            changes_.dropped("spec.RuntimeId", json_text(from_.runtime_id), unused_runtime_id);
        if (!from_.tf_image.empty())
            changes_.dropped("spec.tfImage", json_text(from_.tf_image),
                             "Every set has a template, so no pod uses this image.");
        convert_cleaning(from_.cleanup_pod_policy, result_.spec.run_policy, changes_);
        auto fault =
            convert_sets(result_.spec.tf_replica_specs, [&](auto const& set, std::string_view type,
                                                            kubeflow_v1::replica_spec& made, std::string const& path) {
                auto const to = entry_path(type);
                convert_restarts(made, path + ".template.spec.restartPolicy", to + ".restartPolicy",
                                 type_of(set) == chief_type());
                convert_port(replica_port(), set.tf_port, made.template_.spec, path, to, changes_);
            });
        if (fault) return *std::move(fault);
        auto const is_chief = [&](auto const& set) { return type_of(set) == chief_type(); };
        if (std::ranges::none_of(from_.replica_specs, is_chief))
            return refused_field("spec.terminationPolicy", "names " + std::string(chief_type()) +
                                                               ", expected the type of a set; absent means MASTER");
        convert_end();
        return finish();
    }

private:
    static set_port replica_port() {
        set_port p;
        p.field = "tfPort";
        p.container = "tensorflow";
        p.name = "tfjob-port";
        p.owner = "the set";
        p.standard = 2222;
        return p;
    }

    /// A pod that failed was created again whatever its policy; only for the chief the exit code decided.
    void convert_restarts(kubeflow_v1::replica_spec& made, std::string const& path, std::string const& to,
                          bool is_chief) {
        auto& given = made.template_.spec.restart_policy;
        auto const value = given.empty() ? std::string(absent) : json_text(given);
        bool const always = given.empty() || given == "Always";
        if (is_chief) {
            made.restart_policy = given == "Never" ? "Never" : "OnFailure";
            changes_.approximated(path, value, to,
                                  given == "Never"
                                      ? "A chief that a signal ended was replaced. Now it fails the job."
                                      : "The job ended when its chief succeeded or failed with a code of the program. "
                                        "Now a chief that fails restarts.");
        } else if (given == "Never") {
            made.restart_policy = "OnFailure";
            changes_.changed(path, value, to, "The operator replaced a failed replica. Now Never would fail the job.");
        } else {
            made.restart_policy = always ? "Always" : given;
            changes_.changed(path, value, to,
                             given.empty() ? "The default was Always and is now Never."
                                           : "The field is now in the replica type.");
        }
        given.clear();
    }

    /// The current job ends with its master, or with its first worker if it has none.
    void convert_end() {
        auto const& policy = from_.termination_policy;
        if (!policy) return;
        auto const todays = result_.spec.tf_replica_specs.contains("Master") ? "MASTER" : "WORKER";
        std::string const path = "spec.terminationPolicy";
        if (chief_type() == todays && chief_index() == 0)
            changes_.changed(path, to_json(*policy), "", "The job ends in this way by default.");
        else
            changes_.approximated(path, to_json(*policy), "",
                                  "The job ended with this replica. Now it ends with its master, or with its first "
                                  "worker if it has no master.");
    }
};

} // namespace

result<converted<tf_job>> read_tf_operator_job(document& text) {
    auto const job = read_source<tf_operator_job>(text);
    if (!job) return job.error();
    return tf_operator_pass(*job).run();
}

result<converted<tf_job>> read_tf_job_v1alpha1(document& text) {
    auto const job = read_source<tf_job_v1alpha1>(text);
    if (!job) return job.error();
    return tf_pass_v1alpha1(*job).run();
}

} // namespace kftrain::convert
