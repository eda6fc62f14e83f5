#include "convert/old_mpi_job.hpp"
#include "convert/read_source.hpp"

#include <kftrain/kinds/mpi_job_v1.hpp>

namespace kftrain::convert {
namespace {

constexpr std::string_view launcher = "Launcher";
constexpr std::string_view unknown_in_v1alpha2 = "An MPIJob of v1alpha2 has no such field.";

/** One conversion; refers to the source.
    @par Upstream mpi-operator v0.2.3 `pkg/apis/kubeflow/v1alpha2/{types,default}.go` */
class old_mpi_pass {
public:
    explicit old_mpi_pass(old_mpi_job const& job) : from_(job.spec), job_(job) {}

    result<converted<kubeflow_v1::mpi_job>> run() {
        changes_.changed("apiVersion", json_text("kubeflow.org/v1alpha2"), "apiVersion",
                         "The current version is different.");
        made_.metadata = carried_head(job_, unknown_in_v1alpha2, changes_);
        made_.spec.slots_per_worker = from_.slots_per_worker;
        made_.spec.main_container = from_.main_container;
        made_.spec.run_policy = from_.run_policy;
        convert_policy();
        if (auto const& distribution = from_.mpi_distribution)
            changes_.dropped("spec.mpiDistribution", json_text(*distribution),
                             *distribution == "open_mpi"
                                 ? "The current operator supports Open MPI only, without a field."
                                 : "The current operator sets the variables of Open MPI only. MPIJob.v2beta1 has "
                                   "mpiImplementation.");
        for (auto const& [type, given] : from_.mpi_replica_specs) convert_replicas(type, given);
        drop_status(job_, changes_);
        return accepted(std::move(made_), std::move(changes_));
    }

private:
    void convert_policy() {
        auto& policy = made_.spec.run_policy;
        if (auto const& cleaning = from_.clean_pod_policy; cleaning && !policy.clean_pod_policy) {
            policy.clean_pod_policy = cleaning;
            moved("cleanPodPolicy", json_text(*cleaning));
        }
        if (auto const& deadline = from_.active_deadline_seconds; deadline && !policy.active_deadline_seconds) {
            policy.active_deadline_seconds = deadline;
            moved("activeDeadlineSeconds", std::to_string(*deadline));
        }
        if (policy.backoff_limit) return;
        policy.backoff_limit = from_.backoff_limit.value_or(6);
        if (from_.backoff_limit)
            moved("backoffLimit", std::to_string(*from_.backoff_limit));
        else
            changes_.changed("spec.backoffLimit", absent, "spec.runPolicy.backoffLimit",
                             "The default was 6 and is now no limit.");
    }

    void convert_replicas(std::string const& type, kubeflow_v1::replica_spec const& given) {
        auto const path = "spec.mpiReplicaSpecs[" + type + "]";
        changes_.dropped(given.unknown, path, unknown_in_v1alpha2);
        auto& made = made_.spec.mpi_replica_specs[type] = given;
        made.unknown = unknown_fields();
        if (type == launcher && given.restart_policy != "Never" && given.restart_policy != "OnFailure") {
            made.restart_policy = "OnFailure";
            changes_.changed(path + ".restartPolicy",
                             given.restart_policy.empty() ? std::string(absent) : json_text(given.restart_policy),
                             path + ".restartPolicy",
                             "The operator of v1alpha2 treats every value but Never as OnFailure.");
        }
    }

    void moved(std::string const& field, std::string const& value) { moved_to_policy(field, value, changes_); }

    old_mpi_spec const& from_;
    old_mpi_job const& job_;
    kubeflow_v1::mpi_job made_;
    change_list changes_;
};

} // namespace

result<converted<kubeflow_v1::mpi_job>> read_old_mpi_job(document& text) {
    auto const job = read_source<old_mpi_job>(text);
    if (!job) return job.error();
    return old_mpi_pass(*job).run();
}

} // namespace kftrain::convert
