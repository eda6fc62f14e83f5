#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include "convert/before_v1/early_job.hpp"

#include <kftrain/kinds/tf_job.hpp>
#include <kftrain/model/reflect.hpp>

#include <algorithm>
#include <array>

namespace kftrain::convert {

/// Fields of tf-operator's spec that are in the run policy now.
struct tf_policy_fields {
    tf_policy_fields() = default;

    raw_json active_deadline_seconds;
    raw_json backoff_limit;
    raw_json clean_pod_policy;
    raw_json scheduling_policy;
    raw_json ttl_seconds_after_finished;
};
KFTRAIN_DESCRIBE(tf_policy_fields, (active_deadline_seconds, backoff_limit, clean_pod_policy, scheduling_policy,
                                    ttl_seconds_after_finished))

/// Fields that identify the form of `kubeflow.org/v1`.
using tf_job_fields = job_form<tf_policy_fields>;

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

KFTRAIN_TABLE(tf_policy_fields)
KFTRAIN_TABLE(tf_operator_spec)
KFTRAIN_TABLE(tf_set_v1alpha1)
KFTRAIN_TABLE(tf_spec_v1alpha1)

namespace {

constexpr std::string_view tf_v1 = "kubeflow.org/v1";
constexpr std::string_view tf_v1beta2 = "kubeflow.org/v1beta2";
constexpr std::string_view tf_v1beta1 = "kubeflow.org/v1beta1";
constexpr std::string_view tf_v1alpha2 = "kubeflow.org/v1alpha2";
constexpr std::string_view unknown_in_tf_operator = "A TFJob of tf-operator has no such field.";

/** One conversion; refers to the source.
    @par Upstream tf-operator v1.0.0 `pkg/apis/tensorflow/v1/{types,defaults}.go`, v0.4.0 `v1beta1/types.go`, v0.3.0
    `v1alpha2/types.go` */
class tf_operator_pass {
public:
    explicit tf_operator_pass(tf_operator_job const& job)
        : from_(job.spec), job_(job), has_limits_(job.api_version != tf_v1beta1 && job.api_version != tf_v1alpha2) {}

    result<converted<tf_job>> run() {
        if (!from_.run_policy.text.empty())
            return refused_field(
                "spec.runPolicy",
                "is a field of the current TFJob, and the spec also has fields of tf-operator: expected one form");
        if (job_.api_version != tf_v1)
            changes_.changed("apiVersion", json_text(job_.api_version), "apiVersion",
                             "The current version is different.");
        result_.metadata = carried_head(job_, unknown_in_tf_operator, changes_);
        convert_policy();
        result_.spec.success_policy = from_.success_policy;
        result_.spec.enable_dynamic_worker = from_.enable_dynamic_worker;
        for (auto const& [type, given] : from_.tf_replica_specs) {
            changes_.dropped(given.unknown, "spec.tfReplicaSpecs[" + type + "]", unknown_in_tf_operator);
            auto& made = result_.spec.tf_replica_specs[type] = given;
            made.unknown = unknown_fields();
        }
        drop_status(job_, changes_);
        return accepted(std::move(result_), std::move(changes_));
    }

private:
    void convert_policy() {
        auto& policy = result_.spec.run_policy;
        policy.clean_pod_policy = from_.clean_pod_policy.value_or("Running");
        if (from_.clean_pod_policy)
            moved("cleanPodPolicy", json_text(*from_.clean_pod_policy));
        else
            changes_.changed("spec.cleanPodPolicy", absent, "spec.runPolicy.cleanPodPolicy",
                             "The default was Running and is now None.");
        if (auto const& ttl = policy.ttl_seconds_after_finished = from_.ttl_seconds_after_finished)
            moved("ttlSecondsAfterFinished", std::to_string(*ttl));
        if (auto const& deadline = from_.active_deadline_seconds; deadline && known("activeDeadlineSeconds", *deadline))
            policy.active_deadline_seconds = deadline;
        if (auto const& limit = from_.backoff_limit; limit && known("backoffLimit", *limit))
            policy.backoff_limit = limit;
        if (auto const& gang = from_.scheduling_policy) {
            policy.scheduling_policy = gang;
            moved("schedulingPolicy", to_json(*gang));
        }
    }

    /// Returns false and reports the field if the version does not have it.
    bool known(std::string const& field, std::int64_t value) {
        if (has_limits_)
            moved(field, std::to_string(value));
        else
            changes_.dropped("spec." + field, std::to_string(value), unknown_in_tf_operator);
        return has_limits_;
    }

    void moved(std::string const& field, std::string const& value) { moved_to_policy(field, value, changes_); }

    tf_operator_spec const& from_;
    tf_operator_job const& job_;
    bool has_limits_; ///< the version has activeDeadlineSeconds and backoffLimit
    tf_job result_;
    change_list changes_;
};

constexpr std::string_view unknown_in_tf_v1alpha1 = "A TFJob of kubeflow.org/v1alpha1 has no such field.";

constexpr set_types tf_types_v1alpha1{{{"MASTER", "Master"}, {"PS", "PS"}, {"WORKER", "Worker"}}};

/** One conversion; refers to the source.
    @par Upstream tf-operator v0.3.0 `pkg/trainer/{training,replicas}.go` */
class tf_pass_v1alpha1 {
public:
    explicit tf_pass_v1alpha1(tf_job_v1alpha1 const& job) : from_(job.spec), job_(job) {}

    result<converted<tf_job>> run() {
        changes_.changed("apiVersion", json_text(job_.api_version), "apiVersion",
                         "The current version is different. Pods and services have other names and labels.");
        result_.metadata = carried_head(job_, unknown_in_tf_v1alpha1, changes_);
        if (!from_.runtime_id.empty())
            changes_.dropped("spec.RuntimeId", json_text(from_.runtime_id), unused_runtime_id);
        if (!from_.tf_image.empty())
            changes_.dropped("spec.tfImage", json_text(from_.tf_image),
                             "Every set has a template, so no pod uses this image.");
        convert_cleaning(from_.cleanup_pod_policy, result_.spec.run_policy, changes_);
        if (auto fault = convert_sets()) return *std::move(fault);
        convert_end();
        drop_status(job_, changes_);
        return accepted(std::move(result_), std::move(changes_), moved_);
    }

private:
    static std::string entry_path(std::string_view type) {
        return std::string("spec.tfReplicaSpecs[").append(type).append("]");
    }
    static std::string_view type_of(tf_set_v1alpha1 const& set) {
        return set.tf_replica_type.empty() ? std::string_view("MASTER") : std::string_view(set.tf_replica_type);
    }
    static set_port replica_port() {
        set_port p;
        p.field = "tfPort";
        p.container = "tensorflow";
        p.name = "tfjob-port";
        p.owner = "the set";
        p.standard = 2222;
        return p;
    }

    std::optional<failure> convert_sets() {
        auto const& sets = from_.replica_specs;
        for (std::size_t i = 0; i < sets.size(); ++i) {
            auto const type = type_of_set(tf_types_v1alpha1, i, "tfReplicaType", type_of(sets[i]), sets[i].replicas,
                                          result_.spec.tf_replica_specs);
            if (!type) return type.error();
            convert_set(sets[i], set_path(i), *type);
        }
        if (std::ranges::find(sets, chief_type(), &tf_pass_v1alpha1::type_of) != sets.end()) return std::nullopt;
        return refused_field("spec.terminationPolicy", "names " + std::string(chief_type()) +
                                                           ", expected the type of a set; absent means MASTER");
    }

    void convert_set(tf_set_v1alpha1 const& set, std::string const& path, std::string_view type) {
        changes_.dropped(set.unknown, path, unknown_in_tf_v1alpha1);
        auto const to = entry_path(type);
        moved_.emplace_back(to, path);
        if (set.tf_replica_type.empty())
            changes_.changed(path + ".tfReplicaType", absent, to, "The default is MASTER.");
        else
            changes_.changed(path + ".tfReplicaType", json_text(set.tf_replica_type), to, named_sets);
        auto& made = result_.spec.tf_replica_specs[std::string(type)];
        made.replicas = set.replicas;
        made.template_ = set.template_;
        auto& pod = made.template_.spec;
        convert_scheduler(from_.scheduler_name, pod, path + ".template.spec.schedulerName",
                          to + ".template.spec.schedulerName", changes_);
        convert_restarts(made, path + ".template.spec.restartPolicy", to + ".restartPolicy",
                         type_of(set) == chief_type());
        convert_port(replica_port(), set.tf_port, pod, path, to, changes_);
    }

    std::string_view chief_type() const {
        auto const& policy = from_.termination_policy;
        return policy && policy->chief ? std::string_view(policy->chief->replica_name) : "MASTER";
    }
    std::int32_t chief_index() const {
        auto const& policy = from_.termination_policy;
        return policy && policy->chief ? policy->chief->replica_index : 0;
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

    tf_spec_v1alpha1 const& from_;
    tf_job_v1alpha1 const& job_;
    tf_job result_;
    change_list changes_;
    moved_parts moved_;
};

} // namespace

result<bool> is_tf_operator_job(document& text) {
    auto const found = text.decode<tf_job_fields>();
    if (!found) return found.error();
    if (found->kind != tf_job::resource.kind) return false;
    for (auto const version : {tf_v1beta2, tf_v1beta1, tf_v1alpha2})
        if (found->api_version == version) return true;
    return found->api_version == tf_v1 && !(found->spec == tf_policy_fields());
}

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
