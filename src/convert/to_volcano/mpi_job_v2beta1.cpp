#include "convert/mpi/mpi_parts.hpp"
#include "convert/to_volcano/mpi_task.hpp"

#include <kftrain/convert/volcano_job.hpp>

#include <algorithm>
#include <limits>

namespace kftrain::convert {
namespace {

constexpr source_names mpi_v2beta1_names = [] {
    source_names w = mpi::task_names;
    w.own_restarts = true;
    return w;
}();

constexpr std::string_view unknown_in_mpi_v2beta1 = "An MPIJob of kubeflow.org/v2beta1 has no such field.";

/// The parts that jobs of v1 have in the same form; fields that are not carried over are reported.
kubeflow_v1::mpi_job as_job_of_v1(kubeflow_v2beta1::mpi_job const& job, change_list& list) {
    kubeflow_v1::mpi_job made;
    made.metadata = job.metadata;
    list.dropped(job.unknown, "", unknown_in_mpi_v2beta1);
    list.dropped(job.spec.unknown, "spec", unknown_in_mpi_v2beta1);
    made.spec.run_policy =
        mpi::carried_policy<kubeflow_v1::run_policy>(job.spec.run_policy, unknown_in_mpi_v2beta1, list);
    made.spec.run_policy.managed_by = job.spec.run_policy.managed_by;
    made.spec.run_policy.ttl_seconds_after_finished.reset();
    for (auto const& [type, spec] : job.spec.mpi_replica_specs)
        if (type == mpi::launcher || type == mpi::worker)
            made.spec.mpi_replica_specs.emplace(
                type, mpi::carried_replicas<kubeflow_v1::replica_spec>(spec, type, unknown_in_mpi_v2beta1, list));
        else
            list.dropped(mpi::path_of(type), to_json(spec), "v2beta1 ignores this entry.");
    drop_status(job, list);
    return made;
}

/// One conversion; refers to the source.
class mpi_v2beta1_pass {
public:
    using source = kubeflow_v2beta1::mpi_job;

    explicit mpi_v2beta1_pass(source const& job)
        : from_(job.spec),
          job_(job),
          meant_(as_job_of_v1(job, spec_changes_)),
          draft_(meant_, meant_.spec.mpi_replica_specs, mpi_v2beta1_names) {}

    result<converted<volcano_job>> run() {
        changes_.approximated("apiVersion", R"("kubeflow.org/v2beta1")", "apiVersion",
                              "Pods start as a gang that includes the launcher. The pod name of the launcher has an "
                              "index, too. The file /etc/volcano/worker.host lists the hosts with names that do not "
                              "end in the namespace, and no script discovers the running ones.");
        changes_.append(std::move(spec_changes_));
        bool const waits = has_workers() && from_.launcher_creation_policy == "WaitForWorkersReady";
        if (waits) mpi::let_gang_be_workers(draft_, *meant_.spec.mpi_replica_specs.at(worker_key()).replicas);
        draft_.convert_policy();
        convert_policy();
        draft_.convert_tasks(mpi::launcher);
        mpi::task_pass launcher(draft_, mpi::launcher);
        convert_restarts(launcher);
        convert_launcher(launcher);
        convert_order(launcher, waits);
        if (has_workers()) convert_workers();
        convert_plugins();
        return draft_.finish();
    }

private:
    static std::string worker_key() { return std::string(mpi::worker); }
    bool has_workers() const { return meant_.spec.mpi_replica_specs.contains(mpi::worker); }
    bool is_host() const { return from_.run_launcher_as_worker.value_or(false); }
    std::string_view implementation() const {
        return from_.mpi_implementation.empty() ? "OpenMPI" : std::string_view(from_.mpi_implementation);
    }

    void convert_policy() {
        std::string const path = "spec.runPolicy.";
        auto& to = draft_.job.spec;
        if (auto const& ttl = from_.run_policy.ttl_seconds_after_finished) {
            to.ttl_seconds_after_finished = ttl;
            changes_.approximated(path + "ttlSecondsAfterFinished", std::to_string(*ttl),
                                  "spec.ttlSecondsAfterFinished", "The job itself is deleted, not only its launcher.");
        }
        auto const& limit = from_.run_policy.backoff_limit;
        constexpr auto most = std::numeric_limits<std::int32_t>::max();
        to.max_retry = std::min(limit.value_or(6), most - 1) + 1; // the restart of this number fails the job
        changes_.approximated(
            path + "backoffLimit", limit ? std::to_string(*limit) : std::string(absent), "spec.maxRetry",
            limit ? "maxRetry counts restarts of the whole job; backoffLimit counts restarts of the launcher."
                  : "The default is 6 in v2beta1 and 3 in Volcano, where the whole job restarts.");
        find_queue();
        find_priority();
    }

    /// The operator of v2beta1 takes it for the queue of a gang whose policy names none.
    void find_queue() {
        auto const named = job_.metadata.annotations.find(mpi::queue_annotation);
        if (named == job_.metadata.annotations.end() || !draft_.job.spec.queue.empty()) return;
        draft_.job.spec.queue = named->second;
        changes_.changed("metadata.annotations[" + std::string(mpi::queue_annotation) + "]", json_text(named->second),
                         "spec.queue", "The annotation names the queue. The result keeps the annotation.");
    }

    /// For a gang without a class, the operator of v2beta1 takes the class of the launcher, or of the workers.
    void find_priority() {
        auto& to = draft_.job.spec.priority_class_name;
        for (auto type : mpi::task_types) {
            auto const found = meant_.spec.mpi_replica_specs.find(type);
            if (!to.empty() || found == meant_.spec.mpi_replica_specs.end()) continue;
            to = found->second.template_.spec.priority_class_name;
            if (!to.empty())
                changes_.changed(mpi::path_of(type) + ".template.spec.priorityClassName", json_text(to),
                                 "spec.priorityClassName",
                                 "The gang has the priority class of its pods. The pods keep it.");
        }
    }

    /// The launcher is a batch Job, which makes a new pod when one has failed.
    void convert_restarts(mpi::task_pass& launcher) {
        auto const& given = meant_.spec.mpi_replica_specs.find(mpi::launcher)->second.restart_policy;
        auto const limit = from_.run_policy.backoff_limit.value_or(6);
        std::string const path = launcher.path() + ".restartPolicy";
        std::string const to = launcher.result_path() + ".template.spec.restartPolicy";
        auto const value = given.empty() ? std::string(absent) : json_text(given);
        auto& policy = launcher.pod().restart_policy;
        policy = given == "Never" || limit == 0 ? "Never" : "OnFailure";
        if (limit == 0) {
            add_policy(launcher.task(), "PodFailed", "TerminateJob");
            changes_.changed(path, value, to, "A failed launcher ends the job, because backoffLimit is 0.");
            return;
        }
        add_policy(launcher.task(), "PodFailed", "RestartJob");
        if (policy == "OnFailure") {
            launcher.task().max_retry = limit;
            add_policy(launcher.task(), "TaskFailed", "TerminateJob"); // after so many restarts of containers
        }
        changes_.approximated(
            path, value, to,
            policy == "Never"
                ? "If the launcher fails, all pods are created again."
                : "Its containers restart as before. If the pod is lost as a whole, all pods are created again.");
    }

    void convert_launcher(mpi::task_pass& launcher) {
        launcher.rename_files(has_workers());
        std::string const hosts(mpi::worker_hosts), patience = "-o ConnectionAttempts=10";
        auto const slots = std::to_string(from_.slots_per_worker.value_or(1));
        launcher.add("K_MPI_JOB_ROLE", "launcher");
        if (implementation() == "Intel") {
            if (has_workers()) launcher.add("I_MPI_HYDRA_HOST_FILE", hosts);
            launcher.add("I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS", patience);
            auto const place = launcher.add("I_MPI_PERHOST", slots);
            report_slots(place + ".value");
        } else if (implementation() == "MPICH") {
            if (has_workers()) launcher.add("HYDRA_HOST_FILE", hosts);
            launcher.add("HYDRA_LAUNCH_EXTRA_ARGS", patience);
            report_slots("");
        } else {
            launcher.add("OMPI_MCA_orte_keep_fqdn_hostnames", "true");
            if (has_workers()) launcher.add("OMPI_MCA_orte_default_hostfile", hosts);
            launcher.add("OMPI_MCA_plm_rsh_args", patience);
            launcher.add_slots(from_.slots_per_worker);
        }
        if (!from_.mpi_implementation.empty())
            changes_.changed("spec.mpiImplementation", json_text(from_.mpi_implementation), "",
                             "The launcher has the variables that this implementation reads.");
        if (is_host()) return;
        launcher.add("NVIDIA_VISIBLE_DEVICES", "");
        launcher.add("NVIDIA_DRIVER_CAPABILITIES", "");
    }

    /// For implementations that Hydra starts.
    void report_slots(std::string place) {
        auto const& slots = from_.slots_per_worker;
        auto const value = slots ? std::to_string(*slots) : std::string(absent);
        if (!place.empty() || slots.value_or(1) == 1)
            changes_.changed("spec.slotsPerWorker", value, std::move(place), "Each host runs this many processes.");
        else
            changes_.dropped("spec.slotsPerWorker", value,
                             "MPICH reads the number from the hostfile, but here the hostfile does not contain it. The "
                             "command must pass -ppn.");
    }

    void convert_order(mpi::task_pass& launcher, bool waits) {
        auto const& policy = from_.launcher_creation_policy;
        if (waits) launcher.wait_for_workers();
        if (waits)
            changes_.approximated("spec.launcherCreationPolicy", json_text(policy),
                                  launcher.result_path() + ".dependsOn",
                                  "The launcher is created when the containers of the workers are ready.");
        else if (!policy.empty())
            changes_.changed("spec.launcherCreationPolicy", json_text(policy), "",
                             "All pods are created at the same time.");
        auto const& works = from_.run_launcher_as_worker;
        if (!works) return;
        std::string const path = "spec.runLauncherAsWorker";
        if (is_host() && has_workers())
            changes_.dropped(path, "true",
                             "The hostfile lists only the workers. In v2beta1 the launcher is the first host; here the "
                             "command must name it.");
        else
            changes_.changed(path, *works ? "true" : "false", "",
                             *works ? "Without workers the launcher is the only host."
                                    : "The hostfile lists only the workers.");
    }

    void convert_workers() {
        mpi::task_pass workers(draft_, mpi::worker);
        auto const& given = meant_.spec.mpi_replica_specs.at(worker_key()).restart_policy;
        workers.pod().restart_policy = given.empty() ? "Never" : given;
        changes_.approximated(workers.path() + ".restartPolicy", given.empty() ? std::string(absent) : json_text(given),
                              workers.result_path() + ".template.spec.restartPolicy",
                              "A worker that fails does not end the job by itself, even if it is evicted.");
        auto const& c = workers.container();
        if (c.command.empty() && c.args.empty())
            workers.run_sshd(0, fate::changed, "The operator starts sshd by default.");
        workers.rename_files(true);
        workers.add("K_MPI_JOB_ROLE", "worker");
        if (implementation() != "OpenMPI") find_launcher(workers);
    }

    /// Workers of Intel MPI and MPICH call the launcher by its bare name.
    void find_launcher(mpi::task_pass& workers) {
        auto const& m = job_.metadata;
        std::string const path = workers.path() + ".template.spec.dnsConfig.searches"; // of the operator's making
        if (m.name.empty() || m.namespace_.empty()) {
            changes_.dropped(path, absent,
                             "The operator makes the short name of the launcher resolvable in the workers. This needs "
                             "a name and a namespace; without them the template must do it.");
            return;
        }
        auto& dns = workers.pod().dns_config;
        if (!dns) dns.emplace();
        dns->searches.push_back(m.name + "." + m.namespace_ + ".svc.cluster.local");
    }

    void convert_plugins() {
        auto const& path = from_.ssh_auth_mount_path;
        bool const usual = path.empty() || path == "/root/.ssh";
        mpi::add_plugins(draft_, has_workers(),
                         usual ? std::vector<std::string>() : std::vector{"--ssh-key-file-path=" + path});
        if (path.empty()) return;
        if (usual)
            changes_.changed("spec.sshAuthMountPath", json_text(path), "spec.plugins.ssh",
                             "By default the plugin ssh puts keys there.");
        else
            changes_.approximated(
                "spec.sshAuthMountPath", json_text(path), "spec.plugins.ssh",
                "Every user in the pod may read the keys there. ssh accepts only a copy with mode 0600.");
    }

    kubeflow_v2beta1::mpi_job_spec const& from_;
    source const& job_;
    change_list spec_changes_;
    kubeflow_v1::mpi_job meant_;
    volcano_draft draft_;
    change_list& changes_ = draft_.changes;
};

} // namespace

result<converted<volcano_job>> to_volcano(kubeflow_v2beta1::mpi_job const& job) {
    if (auto fault = source_fault(job)) return *std::move(fault);
    return mpi_v2beta1_pass(job).run();
}

} // namespace kftrain::convert
