#include "convert/mpi/mpi_parts.hpp"
#include "convert/to_volcano/mpi_task.hpp"
#include "model/rules/name_syntax.hpp"

#include <kftrain/convert/volcano_job.hpp>

#include <algorithm>

namespace kftrain::convert {
namespace {

constexpr source_names mpi_v1_names = [] {
    source_names w = mpi::task_names;
    w.exit_codes_restart = false;
    return w;
}();

/// One conversion; refers to the source.
class mpi_v1_pass {
public:
    using source = kubeflow_v1::mpi_job;

    explicit mpi_v1_pass(source const& job)
        : from_(job.spec), workers_(count(job)), replicas_(made(job)), draft_(job, replicas_, mpi_v1_names) {}

    result<converted<volcano_job>> run() {
        draft_.changes.approximated(
            "apiVersion", R"("kubeflow.org/v1")", "apiVersion",
            "Processes start in the workers by ssh instead of kubectl exec. The image of the workers needs sshd, and "
            "the image of the launcher needs ssh. The pod name of the launcher has an index, too. The file "
            "/etc/volcano/worker.host lists the hosts, and no script discovers the running ones.");
        if (from_.mpi_replica_specs.size() != replicas_.size())
            draft_.changes.changed(mpi::path_of(mpi::worker),
                                   to_json(from_.mpi_replica_specs.find(mpi::worker)->second), "",
                                   "By default the job has no workers, and Volcano needs no task for them.");
        convert_cleaning();
        if (workers_ > 0) mpi::let_gang_be_workers(draft_, workers_);
        draft_.convert_policy();
        draft_.convert_limit();
        draft_.convert_tasks("Launcher");
        convert_launcher();
        if (workers_ > 0) convert_workers();
        report_main_container();
        mpi::add_plugins(draft_, workers_ > 0, {});
        return draft_.finish();
    }

private:
    /// Left out it means none.
    static std::int32_t count(source const& job) {
        auto const found = job.spec.mpi_replica_specs.find(mpi::worker);
        return found == job.spec.mpi_replica_specs.end() ? 0 : found->second.replicas.value_or(0);
    }

    /// Without workers that have no number.
    static kubeflow_v1::replica_spec_map made(source const& job) {
        auto all = job.spec.mpi_replica_specs;
        auto const found = all.find(mpi::worker);
        if (found != all.end() && !found->second.replicas) all.erase(found);
        return all;
    }

    /// The policy of the run policy takes precedence.
    void convert_cleaning() {
        auto const& own = from_.clean_pod_policy;
        if (!own) return;
        if (from_.run_policy.clean_pod_policy)
            draft_.changes.changed("spec.cleanPodPolicy", json_text(*own), "",
                                   "If both policies are set, the one of the run policy applies.");
        else
            draft_.clean_by("spec.cleanPodPolicy", *own);
    }

    void convert_launcher() {
        mpi::task_pass launcher(draft_, mpi::launcher);
        auto& pod = launcher.pod();
        if (auto const& account = pod.service_account_name; !account.empty()) {
            std::string const field = ".template.spec.serviceAccountName";
            draft_.changes.approximated(
                launcher.path() + field, json_text(account), launcher.result_path() + field,
                "The operator of v1 creates the service account. Volcano expects that it exists.");
        }
        auto const limit = mpi::find_gpu_limit(pod);
        if (limit && workers_ > 0)
            draft_.changes.approximated(
                limit->path, limit->value, launcher.result_path() + limit->path.substr(launcher.path().size()),
                "In v1 a launcher with a GPU is the first host. The hostfile of Volcano lists only the workers.");
        launcher.rename_files(workers_ > 0);
        // Variables that the operator of v1 does not set keep the values of the template.
        auto const unless_set = [&](std::string const& name, std::string const& value) {
            if (!launcher.has_variable(name)) launcher.add(name, value);
        };
        if (workers_ > 0) {
            unless_set("OMPI_MCA_orte_keep_fqdn_hostnames", "true");
            launcher.add("OMPI_MCA_orte_default_hostfile", std::string(mpi::worker_hosts));
            unless_set("OMPI_MCA_plm_rsh_args", "-o ConnectionAttempts=10");
            launcher.wait_for_workers();
        }
        launcher.add_slots(from_.slots_per_worker);
        if (limit) return;
        launcher.add("NVIDIA_VISIBLE_DEVICES", "");
        launcher.add("NVIDIA_DRIVER_CAPABILITIES", "");
    }

    std::size_t main_container() const {
        auto const& containers = from_.mpi_replica_specs.find(mpi::worker)->second.template_.spec.containers;
        auto const found = std::ranges::find(containers, from_.main_container, &core::container::name);
        return found == containers.end() ? 0 : static_cast<std::size_t>(found - containers.begin());
    }

    void report_main_container() {
        auto const& name = from_.main_container;
        if (name.empty()) return;
        auto const main = workers_ > 0 ? main_container() : 0;
        std::string const path = "spec.mainContainer";
        if (workers_ == 0)
            draft_.changes.changed(path, json_text(name), "", "The job has no workers.");
        else if (mpi::task_pass workers(draft_, mpi::worker); workers.container(main).name == name)
            draft_.changes.changed(path, json_text(name), workers.result_container_path(main) + ".command",
                                   "Processes start in the container that runs sshd.");
        else
            draft_.changes.dropped(path, json_text(name), "The workers have no container with this name.");
    }

    void convert_workers() {
        mpi::task_pass workers(draft_, mpi::worker);
        auto const main = main_container();
        auto& first = workers.container();
        if (first.command.empty()) drop_arguments(workers);
        if (main != 0 && first.command.empty()) { // so does the operator of v1
            first.command = {"sleep", "365d"};
            draft_.changes.changed(workers.container_path(0) + ".command", absent,
                                   workers.result_container_path(0) + ".command",
                                   "The operator of v1 makes the first container sleep.");
        }
        start_sshd(workers, main);
        workers.rename_files(true);
    }

    void drop_arguments(mpi::task_pass& workers) {
        auto& args = workers.container().args;
        if (args.empty()) return;
        draft_.changes.changed(workers.container_path(0) + ".args", json_text(args), "",
                               "v1 ignores these args: a worker without a command sleeps.");
        args.clear();
    }

    void start_sshd(mpi::task_pass& workers, std::size_t main) {
        auto& c = workers.container(main);
        constexpr std::string_view why = "Processes start in this container by ssh, so it runs sshd.";
        bool const waits = mpi::only_waits(c);
        if (waits && !c.args.empty()) {
            draft_.changes.dropped(workers.container_path(main) + ".args", json_text(c.args),
                                   "These args make the container wait for kubectl exec.");
            c.args.clear();
        }
        if (waits || (c.command.empty() && c.args.empty())) return workers.run_sshd(main, fate::approximated, why);
        std::string const field = c.command.empty() ? ".args" : ".command";
        draft_.changes.approximated(workers.container_path(main) + field,
                                    json_text(c.command.empty() ? c.args : c.command),
                                    workers.result_container_path(main) + field,
                                    "The command must start sshd, because processes start in this container by ssh.");
    }

    kubeflow_v1::mpi_job_spec const& from_;
    std::int32_t workers_;
    kubeflow_v1::replica_spec_map replicas_;
    volcano_draft draft_;
};

} // namespace

result<converted<volcano_job>> to_volcano(kubeflow_v1::mpi_job const& job) {
    if (auto fault = source_fault(job)) return *std::move(fault);
    auto const& name = job.metadata.name; // of which v1 asks nothing but its length
    if (auto const why = dns_1035_label_faults(name); !name.empty() && !why.empty())
        return refused_field(
            "metadata.name",
            "is " + json_text(name) +
                ", expected the name of a service, because the plugin svc creates one: " + why.front());
    return mpi_v1_pass(job).run();
}

} // namespace kftrain::convert
