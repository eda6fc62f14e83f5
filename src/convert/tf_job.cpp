#include "convert/old_tf_job.hpp"
#include "convert/read_source.hpp"

#include <kftrain/kinds/tf_job.hpp>

namespace kftrain::convert {
namespace {

constexpr std::string_view tf_v1 = "kubeflow.org/v1";
constexpr std::string_view tf_v1beta2 = "kubeflow.org/v1beta2";
constexpr std::string_view tf_v1beta1 = "kubeflow.org/v1beta1";
constexpr std::string_view tf_v1alpha2 = "kubeflow.org/v1alpha2";
constexpr std::string_view unknown_in_old_tf = "A TFJob of tf-operator has no such field.";

/** One conversion; refers to the source.
    @par Upstream tf-operator v1.0.0 `pkg/apis/tensorflow/v1/{types,defaults}.go`, v0.4.0 `v1beta1/types.go`, v0.3.0
    `v1alpha2/types.go` */
class old_tf_pass {
public:
    explicit old_tf_pass(old_tf_job const& job)
        : from_(job.spec), job_(job), has_limits_(job.api_version != tf_v1beta1 && job.api_version != tf_v1alpha2) {}

    result<converted<tf_job>> run() {
        if (!from_.run_policy.text.empty())
            return refused_field(
                "spec.runPolicy",
                "is a field of the current TFJob, and the spec also has fields of tf-operator: expected one form");
        if (job_.api_version != tf_v1)
            changes_.changed("apiVersion", json_text(job_.api_version), "apiVersion",
                             "The current version is different.");
        result_.metadata = carried_head(job_, unknown_in_old_tf, changes_);
        convert_policy();
        result_.spec.success_policy = from_.success_policy;
        result_.spec.enable_dynamic_worker = from_.enable_dynamic_worker;
        for (auto const& [type, given] : from_.tf_replica_specs) {
            changes_.dropped(given.unknown, "spec.tfReplicaSpecs[" + type + "]", unknown_in_old_tf);
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
            changes_.dropped("spec." + field, std::to_string(value), unknown_in_old_tf);
        return has_limits_;
    }

    void moved(std::string const& field, std::string const& value) { moved_to_policy(field, value, changes_); }

    old_tf_spec const& from_;
    old_tf_job const& job_;
    bool has_limits_; ///< the version has activeDeadlineSeconds and backoffLimit
    tf_job result_;
    change_list changes_;
};

} // namespace

result<bool> is_old_tf_job(document& text) {
    auto const found = text.decode<tf_job_fields>();
    if (!found) return found.error();
    if (found->kind != tf_job::resource.kind) return false;
    for (auto const version : {tf_v1beta2, tf_v1beta1, tf_v1alpha2})
        if (found->api_version == version) return true;
    return found->api_version == tf_v1 && !(found->spec == tf_policy_fields());
}

result<converted<tf_job>> read_old_tf_job(document& text) {
    auto const job = read_source<old_tf_job>(text);
    if (!job) return job.error();
    return old_tf_pass(*job).run();
}

} // namespace kftrain::convert
