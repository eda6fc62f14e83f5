#include "convert/carried.hpp"
#include "convert/mpi/mpi_parts.hpp"

#include <kftrain/convert/mpi_job.hpp>

namespace kftrain::convert {
namespace {

constexpr std::string_view unknown_in_v2beta1 = "An MPIJob of kubeflow.org/v2beta1 has no such field.";

/// One conversion; refers to the source.
class to_v1_pass : public conversion_pass<kubeflow_v2beta1::mpi_job, kubeflow_v1::mpi_job> {
public:
    explicit to_v1_pass(source const& job) : conversion_pass(job, unknown_in_v2beta1) {}

    result<converted<target>> run() {
        changes_.approximated("apiVersion", R"("kubeflow.org/v2beta1")", "apiVersion",
                              "Processes start in the workers by kubectl exec instead of ssh. Hosts have the names of "
                              "their pods, and no service resolves these names.");
        carry_head();
        to_.slots_per_worker = from_.slots_per_worker;
        convert_policy();
        convert_ssh();
        convert_waiting();
        convert_implementation();
        convert_replicas();
        return finish();
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
                                  "The launcher is deleted, too, together with its log.");
        if (auto const& ttl = policy.ttl_seconds_after_finished)
            changes_.approximated(path + "ttlSecondsAfterFinished", std::to_string(*ttl),
                                  path + "ttlSecondsAfterFinished",
                                  "The job itself is deleted, not only its launcher.");
        if (auto const& deadline = policy.active_deadline_seconds)
            changes_.approximated(path + "activeDeadlineSeconds", std::to_string(*deadline),
                                  path + "activeDeadlineSeconds",
                                  "The deadline counts from the start of the job. When it expires, all pods are "
                                  "deleted, whatever cleanPodPolicy is.");
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
                         "The operator of v1 does not read the annotation. The result keeps it anyway.");
    }

    /// For a gang without a class, the operator of v2beta1 takes the class of the launcher, or of the workers.
    void find_priority() {
        auto& gang = to_.run_policy.scheduling_policy;
        if (!gang || !gang->priority_class.empty()) return;
        for (auto type : {mpi::launcher, mpi::worker}) {
            auto const* const spec = entry(type);
            if (spec == nullptr || spec->template_.spec.priority_class_name.empty()) continue;
            gang->priority_class = spec->template_.spec.priority_class_name;
            changes_.changed(
                mpi::path_of(type) + ".template.spec.priorityClassName", json_text(gang->priority_class),
                "spec.runPolicy.schedulingPolicy.priorityClass",
                "The operator of v1 does not copy the priority class of the pods to the gang. The pods keep it.");
            return;
        }
    }

    void convert_ssh() {
        if (auto const& path = from_.ssh_auth_mount_path; !path.empty() && path != "/root/.ssh")
            changes_.dropped("spec.sshAuthMountPath", json_text(path), "Without ssh there are no keys.");
    }

    void convert_waiting() {
        if (auto const& policy = from_.launcher_creation_policy; !policy.empty() && policy != "AtStartup")
            changes_.changed(
                "spec.launcherCreationPolicy", json_text(policy), "",
                "The launcher of v1 always waits for its workers, in an init container that the operator adds.");
    }

    void convert_implementation() {
        auto const& name = from_.mpi_implementation;
        if (name == "Intel")
            changes_.dropped("spec.mpiImplementation", json_text(name),
                             "The operator of v1 configures the remote start for Intel MPI, but it writes the host "
                             "list only in the format of Open MPI. The command must pass the hosts.");
        else if (!name.empty() && name != "OpenMPI")
            changes_.dropped("spec.mpiImplementation", json_text(name),
                             "The operator of v1 supports Open MPI and Intel MPI. The command must configure " + name +
                                 " with the hosts and kubexec.sh.");
    }

    void convert_replicas() {
        for (auto const& [type, given] : from_.mpi_replica_specs) {
            if (type != mpi::launcher && type != mpi::worker) {
                changes_.dropped(mpi::path_of(type), to_json(given), "v2beta1 ignores this entry, and v1 rejects it.");
                continue;
            }
            auto spec = mpi::carried_replicas<replicas>(given, type, unknown_in_v2beta1, changes_);
            auto const own = type == mpi::launcher ? mpi::kubectl_volume : mpi::config_volume;
            drop_mounts_without_volume(spec.template_.spec, mpi::path_of(type) + ".template.spec",
                                       {mpi::config_volume, own}, changes_);
            drop_host(type, spec.template_.spec.hostname, "hostname");
            drop_host(type, spec.template_.spec.subdomain, "subdomain");
            if (type == mpi::launcher)
                convert_launcher(spec);
            else
                convert_workers(spec);
            to_.mpi_replica_specs.emplace(type, std::move(spec));
        }
    }

    void drop_host(std::string const& type, std::string& field, std::string const& name) {
        if (field.empty()) return;
        changes_.changed(mpi::path_of(type) + ".template.spec." + name, json_text(field), "",
                         "The operator of v2beta1 overwrites this field, but the operator of v1 does not.");
        field.clear();
    }

    void convert_launcher(replicas& spec) {
        convert_restarts(spec);
        auto const& pod = spec.template_.spec;
        auto const limit = mpi::find_gpu_limit(pod);
        bool const works = from_.run_launcher_as_worker.value_or(false);
        std::string const path = "spec.runLauncherAsWorker";
        if (works && limit)
            changes_.changed(path, "true", limit->path, "In v1 a launcher with a GPU is the first host.");
        else if (works)
            changes_.dropped(path, "true", "In v1 a launcher is a host only if it has a GPU.");
        else if (limit)
            changes_.approximated(limit->path, limit->value, limit->path,
                                  "In v1 a launcher with a GPU is the first host, and runs processes itself.");
        if (auto const& account = pod.service_account_name; !account.empty()) {
            std::string const field = mpi::path_of(mpi::launcher) + ".template.spec.serviceAccountName";
            changes_.approximated(field, json_text(account), field,
                                  "The operator of v1 creates the service account if it does not exist, and permits it "
                                  "to start processes in the workers.");
        }
    }

    /// A launcher is a plain pod in v1: it is not created again after a failure, but its containers may restart.
    void convert_restarts(replicas& spec) {
        std::string const path = mpi::path_of(mpi::launcher) + ".restartPolicy";
        std::string const limit_path = "spec.runPolicy.backoffLimit";
        auto& limit = to_.run_policy.backoff_limit;
        auto const* const workers = entry(mpi::worker);
        if (!limit) {
            limit = 6;
            changes_.changed(limit_path, absent, limit_path, "The default is 6 in v2beta1 and no limit in v1.");
        } else if (workers != nullptr && workers->restart_policy == "OnFailure") {
            changes_.approximated(limit_path, std::to_string(*limit), limit_path,
                                  "Restarts of workers count as well as restarts of the launcher.");
        }
        if (spec.restart_policy.empty()) {
            spec.restart_policy = "OnFailure";
            changes_.changed(path, absent, path, "The default is OnFailure in v2beta1 and Never in v1.");
        } else if (spec.restart_policy == "Never" && *limit > 0) {
            spec.restart_policy = "OnFailure";
            changes_.approximated(
                path, R"("Never")", path,
                "The operator of v1 does not replace a failed launcher. Its container restarts in the "
                "same pod, up to backoffLimit times.");
        }
    }

    void convert_workers(replicas& spec) {
        auto& containers = spec.template_.spec.containers;
        if (!containers.empty() && mpi::only_serves_ssh(containers.front()))
            return mpi::drop_command(
                containers.front(), mpi::path_of(mpi::worker) + ".template.spec.containers[0]",
                "Processes start without ssh. The operator makes a worker without a command sleep.", changes_);
        if (containers.empty() || !containers.front().command.empty() || containers.front().args.empty()) return;
        auto& args = containers.front().args;
        changes_.dropped(mpi::path_of(mpi::worker) + ".template.spec.containers[0].args", json_text(args),
                         "In v1 a worker without a command sleeps, whatever its args are.");
        args.clear();
    }

    kubeflow_v1::mpi_job_spec& to_ = result_.spec;
};

} // namespace

result<converted<kubeflow_v1::mpi_job>> to_v1(kubeflow_v2beta1::mpi_job const& job) {
    if (auto fault = source_fault(job)) return *std::move(fault);
    return to_v1_pass(job).run();
}

} // namespace kftrain::convert
