#include "convert/carried.hpp"
#include "convert/mpi/mpi_parts.hpp"

#include <kftrain/convert/mpi_job.hpp>

#include <algorithm>
#include <limits>

namespace kftrain::convert {
namespace {

constexpr std::string_view unknown_in_v1 = "An MPIJob of kubeflow.org/v1 has no such field.";

/// One conversion; refers to the source.
class to_v2beta1_pass : public conversion_pass<kubeflow_v1::mpi_job, kubeflow_v2beta1::mpi_job> {
public:
    explicit to_v2beta1_pass(source const& job) : conversion_pass(job, unknown_in_v1) {}

    result<converted<target>> run() {
        changes_.approximated("apiVersion", R"("kubeflow.org/v1")", "apiVersion",
                              "Processes start in the workers by ssh instead of kubectl exec. The image of the workers "
                              "needs sshd, and the image of the launcher needs ssh.");
        carry_head();
        to_.slots_per_worker = from_.slots_per_worker;
        convert_policy();
        convert_launcher();
        convert_workers();
        return finish();
    }

private:
    using replicas = kubeflow_v2beta1::replica_spec;

    kubeflow_v1::replica_spec const* entry(std::string_view type) const {
        auto const found = from_.mpi_replica_specs.find(type);
        return found == from_.mpi_replica_specs.end() ? nullptr : &found->second;
    }

    /// Left out it means Never.
    std::string_view restart_policy_of(std::string_view type) const {
        auto const* const spec = entry(type);
        return spec == nullptr || spec->restart_policy.empty() ? "Never" : std::string_view(spec->restart_policy);
    }

    void convert_policy() {
        auto const& policy = from_.run_policy;
        to_.run_policy = mpi::carried_policy<kubeflow_v2beta1::run_policy>(policy, unknown_in_v1, changes_);
        to_.run_policy.managed_by =
            mpi::carried_manager(policy.managed_by, mpi::v1_manager, mpi::v2beta1_manager, changes_);
        convert_cleaning();
        if (auto const& ttl = policy.ttl_seconds_after_finished)
            changes_.approximated("spec.runPolicy.ttlSecondsAfterFinished", std::to_string(*ttl),
                                  "spec.runPolicy.ttlSecondsAfterFinished",
                                  "Only the launcher is deleted, and the job itself stays.");
        if (auto const& deadline = policy.active_deadline_seconds)
            changes_.approximated("spec.runPolicy.activeDeadlineSeconds", std::to_string(*deadline),
                                  "spec.runPolicy.activeDeadlineSeconds",
                                  "The deadline counts from the start of the launcher. When it expires, cleanPodPolicy "
                                  "decides about the workers.");
        convert_backoff();
        note_queue();
    }

    void note_queue() {
        auto const& gang = from_.run_policy.scheduling_policy;
        auto const named = job_.metadata.annotations.find(mpi::queue_annotation);
        if (named == job_.metadata.annotations.end() || (gang && !gang->queue.empty())) return;
        std::string const path = "metadata.annotations[" + std::string(mpi::queue_annotation) + "]";
        changes_.approximated(path, json_text(named->second), path,
                              "In v2beta1 the annotation sets the queue; v1 does not read it.");
    }

    /// The policy of the run policy takes precedence.
    void convert_cleaning() {
        std::string const own = "spec.cleanPodPolicy";
        std::string const other = "spec.runPolicy.cleanPodPolicy";
        auto& policy = to_.run_policy.clean_pod_policy;
        std::string const& from = policy ? other : own;
        if (auto const& given = from_.clean_pod_policy) {
            if (policy)
                changes_.changed(own, json_text(*given), "",
                                 "If both policies are set, the one of the run policy applies.");
            else
                policy = given;
        }
        if (policy == "All")
            changes_.approximated(from, json_text(*policy), other, "The launcher stays; only workers are deleted.");
        else if (policy && &from == &own)
            changes_.changed(from, json_text(*policy), other, "The field is now in runPolicy.");
    }

    /// A launcher is a batch Job there, which retries six times by default.
    void convert_backoff() {
        std::string const path = "spec.runPolicy.backoffLimit";
        auto& limit = to_.run_policy.backoff_limit;
        auto const launcher = restart_policy_of(mpi::launcher);
        if (limit && *limit < 0) return; // refused
        if (launcher != "OnFailure" && launcher != "Always") {
            if (limit != 0)
                changes_.changed(path, limit ? std::to_string(*limit) : std::string(absent), path,
                                 "A launcher that does not restart fails the job immediately.");
            limit = 0;
        } else if (!limit) {
            limit = std::numeric_limits<std::int32_t>::max();
            changes_.changed(path, absent, path, "The default is no limit in v1 and 6 in v2beta1.");
        } else if (restart_policy_of(mpi::worker) != "Never") {
            changes_.approximated(path, std::to_string(*limit), path,
                                  "Restarts of the launcher count, but restarts of workers do not count any more.");
        }
    }

    /// Replaces a policy that v2beta1 rejects. A value that neither version has stays, and is rejected.
    void convert_restarts(std::string_view type, replicas& spec) {
        std::string const path = mpi::path_of(type) + ".restartPolicy";
        if (spec.restart_policy.empty() && type == mpi::launcher) {
            spec.restart_policy = "Never";
            changes_.changed(path, absent, path, "The default is Never in v1 and OnFailure in v2beta1.");
        } else if (spec.restart_policy == "Always") {
            spec.restart_policy = "OnFailure";
            changes_.approximated(path, R"("Always")", path, "A container that succeeded does not restart.");
        } else if (spec.restart_policy == "ExitCode") {
            spec.restart_policy = "Never";
            changes_.approximated(path, R"("ExitCode")", path,
                                  "v2beta1 does not distinguish exit codes. Nothing restarts, as in v1, and the job "
                                  "fails instead of staying Restarting.");
        }
    }

    void convert_launcher() {
        auto spec = mpi::carried_replicas<replicas>(*entry(mpi::launcher), mpi::launcher, unknown_in_v1, changes_);
        convert_restarts(mpi::launcher, spec);
        auto& pod = spec.template_.spec;
        drop_mounts_without_volume(pod, mpi::path_of(mpi::launcher) + ".template.spec",
                                   {mpi::config_volume, mpi::ssh_volume}, changes_);
        if (auto const limit = mpi::find_gpu_limit(pod)) {
            to_.run_launcher_as_worker = true;
            changes_.changed(limit->path, limit->value, "spec.runLauncherAsWorker",
                             "In v1 a launcher with a GPU is the first host. In v2beta1 this field makes it a host.");
        }
        if (auto const& account = pod.service_account_name; !account.empty()) {
            std::string const path = mpi::path_of(mpi::launcher) + ".template.spec.serviceAccountName";
            changes_.approximated(
                path, json_text(account), path,
                "The operator of v1 creates the service account. The operator of v2beta1 expects that it exists.");
        }
        convert_waiting();
        find_intel_mpi(pod);
        convert_agents(mpi::launcher, pod);
        to_.mpi_replica_specs.emplace(mpi::launcher, std::move(spec));
    }

    /// With a gang that has the launcher in it, no worker starts before the launcher is there.
    void convert_waiting() {
        if (!has_workers()) return;
        std::string const path = "spec.launcherCreationPolicy"; // of no job of v1
        if (from_.run_policy.scheduling_policy) {
            changes_.dropped(path, absent,
                             "The operator of v1 adds an init container in which the launcher waits for its workers. A "
                             "gang starts as a whole, so the launcher must retry until the workers answer.");
            return;
        }
        to_.launcher_creation_policy = "WaitForWorkersReady";
        changes_.changed(path, absent, path,
                         "The operator of v1 adds an init container in which the launcher waits for its workers. The "
                         "operator of v2beta1 creates the launcher when the workers are ready.");
    }

    /// The operator of v1 serves two implementations at once.
    void find_intel_mpi(core::pod_spec const& pod) {
        auto const& env = pod.containers.front().env;
        auto const own = std::ranges::find_if(env, [](core::env_var const& v) { return v.name.starts_with("I_MPI_"); });
        if (own == env.end()) return;
        to_.mpi_implementation = "Intel";
        changes_.approximated(variable_path(mpi::launcher, 0, static_cast<std::size_t>(own - env.begin())),
                              to_json(*own), "spec.mpiImplementation",
                              "The launcher sets variables of Intel MPI, so the result selects this implementation and "
                              "its format of the host list.");
    }

    static std::string container_path(std::string_view type, std::size_t container) {
        return mpi::path_of(type) + ".template.spec.containers[" + std::to_string(container) + "]";
    }
    static std::string variable_path(std::string_view type, std::size_t container, std::size_t variable) {
        return container_path(type, container) + ".env[" + std::to_string(variable) + "]";
    }

    /// The script that runs kubectl exec is no longer there. Commands stay as they are.
    void convert_agents(std::string_view type, core::pod_spec& pod) {
        static constexpr std::string_view script = "/etc/mpi/kubexec.sh";
        for (std::size_t c = 0; c < pod.containers.size(); ++c) {
            auto& container = pod.containers[c];
            for (auto const* list : {&container.command, &container.args})
                for (std::size_t i = 0; i < list->size(); ++i) {
                    if ((*list)[i].find(script) == std::string::npos) continue;
                    std::string const path = container_path(type, c) +
                                             (list == &container.args ? ".args[" : ".command[") + std::to_string(i) +
                                             "]";
                    changes_.approximated(path, json_text((*list)[i]), path,
                                          "The text names a script that v2beta1 does not have.");
                }
            for (std::size_t i = 0; i < container.env.size(); ++i)
                if (container.env[i].value == script)
                    changes_.dropped(variable_path(type, c, i), to_json(container.env[i]),
                                     "The variable names a script that v2beta1 does not have.");
            std::erase_if(container.env, [](core::env_var const& v) { return v.value == script; });
        }
    }

    bool has_workers() const {
        auto const* const spec = entry(mpi::worker);
        return spec != nullptr && spec->replicas.value_or(0) != 0;
    }

    void convert_workers() {
        auto const* const given = entry(mpi::worker);
        if (given == nullptr) return;
        if (!has_workers()) {
            changes_.dropped(mpi::path_of(mpi::worker), to_json(*given),
                             "The job has no workers, so the result has no entry for them.");
            return;
        }
        auto spec = mpi::carried_replicas<replicas>(*given, mpi::worker, unknown_in_v1, changes_);
        convert_restarts(mpi::worker, spec);
        auto& pod = spec.template_.spec;
        drop_mounts_without_volume(pod, mpi::path_of(mpi::worker) + ".template.spec", {mpi::ssh_volume}, changes_);
        convert_agents(mpi::worker, pod);
        convert_main_container(pod);
        to_.mpi_replica_specs.emplace(mpi::worker, std::move(spec));
    }

    void convert_main_container(core::pod_spec& pod) {
        auto& containers = pod.containers;
        auto const& name = from_.main_container;
        std::string const path = "spec.mainContainer";
        auto const main =
            name.empty() ? containers.begin() : std::ranges::find(containers, name, &core::container::name);
        auto const index = static_cast<std::size_t>(main - containers.begin());
        if (main == containers.end())
            changes_.dropped(path, json_text(name), "The workers have no container with this name.");
        else if (!name.empty())
            changes_.changed(path, json_text(name), container_path(mpi::worker, 0),
                             "Processes start in the first container, which must run sshd.");
        auto& first = containers.front();
        if (index != 0 && main != containers.end()) {
            if (first.command.empty()) { // so does the operator of v1
                first.command = {"sleep"};
                first.args = {"365d"};
                changes_.changed(
                    container_path(mpi::worker, 0) + ".command", absent, container_path(mpi::worker, 1) + ".command",
                    "The operator of v1 makes the first container sleep, but the operator of v2beta1 does not.");
            }
            std::rotate(containers.begin(), main, main + 1);
            start_sshd(containers.front(), container_path(mpi::worker, index), false);
            return;
        }
        start_sshd(first, container_path(mpi::worker, 0), true);
    }

    /// The operator starts sshd in a worker with neither command nor args.
    void start_sshd(core::container& c, std::string const& path, bool sleeps_by_itself) {
        if (c.command.empty() && !c.args.empty() && sleeps_by_itself) {
            changes_.changed(path + ".args", json_text(c.args), "",
                             "v1 ignores these args: a worker without a command sleeps.");
            c.args.clear();
        } else {
            mpi::start_sshd(c, path, container_path(mpi::worker, 0), changes_);
        }
    }

    kubeflow_v2beta1::mpi_job_spec& to_ = result_.spec;
};

} // namespace

result<converted<kubeflow_v2beta1::mpi_job>> to_v2beta1(kubeflow_v1::mpi_job const& job) {
    if (auto fault = source_fault(job)) return *std::move(fault);
    return to_v2beta1_pass(job).run();
}

} // namespace kftrain::convert
