#include "convert/mpi/mpi_parts.hpp"
#include "convert/to_train_job/train_job_parts.hpp"
#include "kinds/train_job/kind.hpp"

#include <kftrain/convert/train_job.hpp>

#include <algorithm>
#include <limits>

namespace kftrain::convert {
namespace {

constexpr std::string_view unknown_in_mpi_job = "An MPIJob of kubeflow.org/v2beta1 has no such field.";

/// One conversion; refers to the source.
class mpi_train_pass {
public:
    explicit mpi_train_pass(kubeflow_v2beta1::mpi_job const& job)
        : from_(job.spec), job_(job), draft_(job, "deepspeed-distributed", unknown_in_mpi_job) {}

    result<converted<train_job>> run() {
        changes_.approximated("apiVersion", R"("kubeflow.org/v2beta1")", "apiVersion",
                              "The runtime deepspeed-distributed starts sshd in the workers. All its containers run as "
                              "the user with the id "
                              "1000, with keys in /home/mpiuser/.ssh. Variables of the launcher reach the workers, "
                              "too. On a cluster whose "
                              "MPI runtime has another name, change spec.runtimeRef.name.");
        auto fault = draft_.convert_policy(from_.run_policy, mpi::v2beta1_manager, "Running",
                                           "Workers that still run are deleted when the launcher has succeeded.");
        if (fault) return *std::move(fault);
        auto const& kind = from_.mpi_implementation;
        if (!kind.empty() && kind != "OpenMPI")
            return refused_field("spec.mpiImplementation",
                                 "\"" + kind + "\", expected OpenMPI: Kubeflow Trainer supports no other");
        if (!kind.empty())
            changes_.changed("spec.mpiImplementation", json_text(kind), "", "The runtime is for Open MPI.");
        auto const& workers = find(mpi::worker);
        std::int64_t const count = workers == nullptr ? 0 : workers->replicas.value_or(0);
        if (count >= std::numeric_limits<std::int32_t>::max())
            return refused_field(mpi::path_of(mpi::worker) + ".replicas", std::to_string(count) + ", expected less");
        convert_hosts(count);
        convert_pods(count > 0 ? workers : nullptr);
        convert_settings();
        return draft_.finish();
    }

private:
    kubeflow_v2beta1::replica_spec const* find(std::string_view type) const {
        auto const at = from_.mpi_replica_specs.find(type);
        return at == from_.mpi_replica_specs.end() ? nullptr : &at->second;
    }

    /// The launcher of the runtime is a host.
    void convert_hosts(std::int64_t workers) {
        auto& trainer = *draft_.job.spec.trainer;
        trainer.num_nodes = static_cast<std::int32_t>(workers + 1);
        bool const is_host = from_.run_launcher_as_worker.value_or(false);
        std::string const to = "spec.trainer.numNodes";
        constexpr std::string_view one_more =
            "The launcher of the runtime is one more host. If mpirun has no option for the number of processes, it "
            "starts more than before; one node less keeps their number.";
        if (workers > 0 && is_host)
            changes_.changed(mpi::path_of(mpi::worker) + ".replicas", std::to_string(workers), to,
                             "The launcher is a node, too.");
        else if (workers > 0)
            changes_.approximated(mpi::path_of(mpi::worker) + ".replicas", std::to_string(workers), to, one_more);
        if (from_.run_launcher_as_worker && is_host && workers > 0)
            changes_.changed("spec.runLauncherAsWorker", "true", "", "The launcher of the runtime is a host.");
        else if (from_.run_launcher_as_worker)
            changes_.approximated("spec.runLauncherAsWorker", is_host ? "true" : "false", "",
                                  is_host ? "The runtime has at least one worker, which is a host, too." : one_more);
        auto const slots = from_.slots_per_worker;
        trainer.num_proc_per_node = slots.value_or(1);
        changes_.changed("spec.slotsPerWorker", slots ? std::to_string(*slots) : std::string(absent),
                         "spec.trainer.numProcPerNode",
                         slots ? "The field is now in spec.trainer."
                               : "The default is 1 in v2beta1, and the number of GPUs in Trainer.");
    }

    void convert_pods(kubeflow_v2beta1::replica_spec const* workers) {
        auto const path = [](std::string_view type) { return mpi::path_of(type) + ".template"; };
        for (auto const& [type, spec] : from_.mpi_replica_specs) {
            if (type != mpi::launcher && (type != mpi::worker || workers == nullptr)) {
                changes_.dropped(mpi::path_of(type), to_json(spec),
                                 "The entry has no replicas, or v2beta1 ignores it.");
                continue;
            }
            changes_.dropped(spec.unknown, mpi::path_of(type), unknown_in_mpi_job);
            draft_.report_restarts(mpi::path_of(type), spec.restart_policy);
        }
        auto const& leader = *find(mpi::launcher);
        if (leader.replicas)
            changes_.changed(mpi::path_of(mpi::launcher) + ".replicas", std::to_string(*leader.replicas), "",
                             "There is one launcher.");
        source_pod launcher(path(mpi::launcher), leader.template_, 0);
        draft_.clean(launcher,
                     {"OMPI_MCA_orte_default_hostfile", "OMPI_MCA_plm_rsh_args", "OMPI_MCA_orte_keep_fqdn_hostnames",
                      "OMPI_MCA_orte_set_default_slots"},
                     {});
        if (workers != nullptr) take_resources(launcher, workers->template_);
        draft_.place(launcher, trainer::launcher, true);
        if (workers == nullptr) return;
        source_pod pod(path(mpi::worker), workers->template_, 0);
        draft_.clean(pod, {}, {});
        draft_.place(pod, trainer::node, false);
        report_worker(pod);
    }

    /// Trainer gives all hosts the same resources; those of the workers count.
    void take_resources(source_pod& launcher, core::pod_template_spec const& worker) {
        auto& of_launcher = launcher.parts.trainer.resources_per_node;
        auto const of_worker = trainer::divide_pod(worker, 0).trainer.resources_per_node;
        std::string const path = "spec.containers[0].resources";
        bool const same = of_launcher && of_worker && to_json(*of_launcher) == to_json(*of_worker);
        if (of_launcher && !same) {
            changes_.dropped(launcher.path + "." + path, to_json(*of_launcher),
                             "All hosts have the same resources, here those of the workers.");
            std::erase_if(launcher.parts.fields, [&](trainer::pod_field const& f) { return f.path == path; });
        }
        of_launcher = of_worker;
    }

    /// Reports the fields of the workers that spec.trainer does not set.
    void report_worker(source_pod const& pod) {
        auto const& all = pod.template_.spec.containers;
        if (all.empty()) return;
        auto const& c = all.front();
        std::string const path = pod.container_path();
        bool const serves = mpi::only_serves_ssh(c);
        for (auto const& field : pod.parts.fields) {
            if (field.place != trainer::pod_field_place::trainer) continue;
            std::string const at = pod.path + "." + field.path;
            if (field.result_path == "resourcesPerNode")
                changes_.changed(at, field.value, "spec.trainer.resourcesPerNode", "The field is now in spec.trainer.");
            else if (field.result_path == "image")
                changes_.dropped(at, field.value,
                                 "Workers have the image of the runtime. Use a TrainingRuntime of your own with this "
                                 "image.");
            else if (field.result_path != "env" && serves)
                changes_.changed(at, field.value, "", "The runtime starts sshd.");
            else if (field.result_path != "env")
                changes_.dropped(at, field.value, "The runtime starts sshd in the workers instead.");
        }
        auto const& of_launcher = draft_.job.spec.trainer->env;
        for (std::size_t i = 0; i < c.env.size(); ++i) {
            std::string const at = path + ".env[" + std::to_string(i) + "]";
            auto const* const same = trainer::find_named(of_launcher, c.env[i].name);
            if (same != nullptr && to_json(*same) == to_json(c.env[i]))
                changes_.changed(at, to_json(c.env[i]), "spec.trainer.env", "All hosts have this variable.");
            else
                changes_.dropped(
                    at, to_json(c.env[i]),
                    "The workers have the variables of the launcher. Use a TrainingRuntime of your own for "
                    "others.");
        }
    }

    void convert_settings() {
        if (auto const& at = from_.ssh_auth_mount_path; !at.empty())
            changes_.dropped("spec.sshAuthMountPath", json_text(at), "The runtime has keys in /home/mpiuser/.ssh.");
        if (auto const& when = from_.launcher_creation_policy; !when.empty())
            changes_.changed("spec.launcherCreationPolicy", json_text(when), "",
                             "The launcher is created when the workers are ready.");
        auto const queue = job_.metadata.annotations.find(mpi::queue_annotation);
        if (queue != job_.metadata.annotations.end())
            changes_.approximated("metadata.annotations[" + std::string(mpi::queue_annotation) + "]",
                                  json_text(queue->second), "",
                                  "The result keeps the annotation, but Trainer reads the queue from the runtime.");
    }

    kubeflow_v2beta1::mpi_job_spec const& from_;
    kubeflow_v2beta1::mpi_job const& job_;
    train_draft draft_;
    change_list& changes_ = draft_.changes;
};

} // namespace

result<converted<train_job>> to_train_job(kubeflow_v2beta1::mpi_job const& job) {
    if (auto fault = source_fault(job)) return *std::move(fault);
    return mpi_train_pass(job).run();
}

} // namespace kftrain::convert
