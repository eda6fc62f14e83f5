#include "convert/carried.hpp"
#include "convert/mpi_parts.hpp"

#include <kftrain/convert/mpi_job.hpp>

namespace kftrain::convert {
namespace {

constexpr std::string_view unknown_in_v2beta1 = "MPIJobs of kubeflow.org/v2beta1 have no such field.";

/// One conversion; refers to the source.
class to_v1_pass {
public:
    using source = kubeflow_v2beta1::mpi_job;
    using target = kubeflow_v1::mpi_job;

    explicit to_v1_pass(source const& job) : from_(job.spec), job_(job) {}

    result<converted<target>> run() {
        changes_.approximated("apiVersion", R"("kubeflow.org/v2beta1")", "apiVersion",
                              "Processes start in the workers by kubectl exec, no longer by ssh: hosts are called "
                              "by the names of their pods, and no service makes these resolvable.");
        result_.metadata = carried_metadata(job_.metadata, changes_);
        changes_.dropped(job_.unknown, "", unknown_in_v2beta1);
        changes_.dropped(from_.unknown, "spec", unknown_in_v2beta1);
        to_.slots_per_worker = from_.slots_per_worker;
        convert_policy();
        convert_ssh();
        convert_waiting();
        convert_implementation();
        convert_replicas();
        mpi::drop_status(job_, changes_);
        return accepted(std::move(result_), std::move(changes_));
    }

private:
    using replicas = kubeflow_v1::replica_spec;

    kubeflow_v2beta1::replica_spec const* entry(std::string_view type) const {
        auto const found = from_.mpi_replica_specs.find(type);
        return found == from_.mpi_replica_specs.end() ? nullptr : &found->second;
    }

    void convert_policy() {
        auto const& policy = from_.run_policy;
        to_.run_policy = mpi::carried_policy<kubeflow_v1::run_policy>(policy, unknown_in_v2beta1, changes_);
        to_.run_policy.managed_by =
            mpi::carried_manager(policy.managed_by, mpi::v2beta1_manager, mpi::v1_manager, changes_);
        std::string const path = "spec.runPolicy.";
        if (policy.clean_pod_policy == "All")
            changes_.approximated(path + "cleanPodPolicy", R"("All")", path + "cleanPodPolicy",
                                  "The launcher is deleted, too, and its log is gone then.");
        if (auto const& ttl = policy.ttl_seconds_after_finished)
            changes_.approximated(path + "ttlSecondsAfterFinished", std::to_string(*ttl),
                                  path + "ttlSecondsAfterFinished",
                                  "The job itself is deleted then, not only its launcher.");
        if (auto const& deadline = policy.active_deadline_seconds)
            changes_.approximated(path + "activeDeadlineSeconds", std::to_string(*deadline),
                                  path + "activeDeadlineSeconds",
                                  "It counts from the start of the job, and all pods are deleted then, whatever "
                                  "cleanPodPolicy says.");
        find_queue();
        find_priority();
    }

    void find_queue() {
        auto const& gang = from_.run_policy.scheduling_policy;
        auto const named = job_.metadata.annotations.find(mpi::queue_annotation);
        if (named == job_.metadata.annotations.end() || (gang && !gang->queue.empty())) return;
        auto& carried = to_.run_policy.scheduling_policy;
        if (!carried) carried.emplace();
        carried->queue = named->second;
        changes_.changed("metadata.annotations[" + std::string(mpi::queue_annotation) + "]", json_text(named->second),
                         "spec.runPolicy.schedulingPolicy.queue",
                         "The operator of v1 does not look at the annotation, which stays all the same.");
    }

    /// Of a gang that names no class, the operator of v2beta1 takes that of the launcher, or of the workers.
    void find_priority() {
        auto& gang = to_.run_policy.scheduling_policy;
        if (!gang || !gang->priority_class.empty()) return;
        for (auto type : {mpi::launcher, mpi::worker}) {
            auto const* const spec = entry(type);
            if (spec == nullptr || spec->template_.spec.priority_class_name.empty()) continue;
            gang->priority_class = spec->template_.spec.priority_class_name;
            changes_.changed(mpi::path_of(type) + ".template.spec.priorityClassName", json_text(gang->priority_class),
                             "spec.runPolicy.schedulingPolicy.priorityClass",
                             "The operator of v1 gives a gang no class of its pods, which stays all the same.");
            return;
        }
    }

    void convert_ssh() {
        if (auto const& path = from_.ssh_auth_mount_path; !path.empty() && path != "/root/.ssh")
            changes_.dropped("spec.sshAuthMountPath", json_text(path), "There are no keys without ssh.");
    }

    void convert_waiting() {
        if (auto const& policy = from_.launcher_creation_policy; !policy.empty() && policy != "AtStartup")
            changes_.changed(
                "spec.launcherCreationPolicy", json_text(policy), "",
                "The launcher of v1 waits for its workers unasked, in a container that its operator adds.");
    }

    void convert_implementation() {
        auto const& name = from_.mpi_implementation;
        if (name == "Intel")
            changes_.dropped("spec.mpiImplementation", json_text(name),
                             "The operator of v1 tells Intel MPI how to reach hosts, and writes their list in the "
                             "form of Open MPI only: the command has to name them.");
        else if (!name.empty() && name != "OpenMPI")
            changes_.dropped("spec.mpiImplementation", json_text(name),
                             "The operator of v1 serves Open MPI and Intel MPI: the command has to tell " + name +
                                 " of hosts and of kubexec.sh.");
    }

    void convert_replicas() {
        for (auto const& [type, given] : from_.mpi_replica_specs) {
            if (type != mpi::launcher && type != mpi::worker) {
                changes_.dropped(mpi::path_of(type), to_json(given),
                                 "It means nothing in v2beta1, and is refused in v1.");
                continue;
            }
            auto spec = mpi::carried_replicas<replicas>(given, type, unknown_in_v2beta1, changes_);
            if (type == mpi::launcher)
                convert_launcher(spec);
            else
                convert_workers(spec);
            to_.mpi_replica_specs.emplace(type, std::move(spec));
        }
    }

    void convert_launcher(replicas& spec) {
        convert_restarts(spec);
        auto const& pod = spec.template_.spec;
        auto const limit = mpi::find_gpu_limit(pod);
        bool const works = from_.run_launcher_as_worker.value_or(false);
        std::string const path = "spec.runLauncherAsWorker";
        if (works && limit)
            changes_.changed(path, "true", limit->path, "A launcher with a GPU is the first host in v1.");
        else if (works)
            changes_.dropped(path, "true", "A launcher is a host in v1 only if it has a GPU.");
        else if (limit)
            changes_.approximated(limit->path, limit->value, limit->path,
                                  "A launcher with a GPU is the first host in v1, and runs processes itself.");
        if (auto const& account = pod.service_account_name; !account.empty()) {
            std::string const field = mpi::path_of(mpi::launcher) + ".template.spec.serviceAccountName";
            changes_.approximated(field, json_text(account), field,
                                  "The operator of v1 creates the account if need be, and lets it start processes in "
                                  "the workers.");
        }
    }

    /// A launcher is a plain pod in v1: it is not made anew when it has failed, but its containers may start again.
    void convert_restarts(replicas& spec) {
        std::string const path = mpi::path_of(mpi::launcher) + ".restartPolicy";
        std::string const limit_path = "spec.runPolicy.backoffLimit";
        auto& limit = to_.run_policy.backoff_limit;
        auto const* const workers = entry(mpi::worker);
        if (!limit) {
            limit = 6;
            changes_.changed(limit_path, absent, limit_path, "Left out it means 6, and no limit in v1.");
        } else if (workers != nullptr && workers->restart_policy == "OnFailure") {
            changes_.approximated(limit_path, std::to_string(*limit), limit_path,
                                  "Restarts of workers count as well as those of the launcher.");
        }
        if (spec.restart_policy.empty()) {
            spec.restart_policy = "OnFailure";
            changes_.changed(path, absent, path, "Left out it means OnFailure, and Never in v1.");
        } else if (spec.restart_policy == "Never" && *limit > 0) {
            spec.restart_policy = "OnFailure";
            changes_.approximated(path, R"("Never")", path,
                                  "A launcher that failed is not made anew in v1: its container starts again in the "
                                  "same pod, as often as backoffLimit says.");
        }
    }

    void convert_workers(replicas& spec) {
        auto& containers = spec.template_.spec.containers;
        if (containers.empty() || !containers.front().command.empty() || containers.front().args.empty()) return;
        auto& args = containers.front().args;
        changes_.dropped(mpi::path_of(mpi::worker) + ".template.spec.containers[0].args", json_text(args),
                         "A worker without a command sleeps in v1, whatever its args.");
        args.clear();
    }

    kubeflow_v2beta1::mpi_job_spec const& from_;
    source const& job_;
    target result_;
    kubeflow_v1::mpi_job_spec& to_ = result_.spec;
    change_list changes_;
};

} // namespace

result<converted<kubeflow_v1::mpi_job>> to_v1(kubeflow_v2beta1::mpi_job const& job) {
    if (auto fault = source_fault(job)) return *std::move(fault);
    return to_v1_pass(job).run();
}

} // namespace kftrain::convert
