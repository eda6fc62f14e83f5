#include "convert/carried.hpp"
#include "convert/mpi/chainer_pod.hpp"
#include "convert/mpi/mpi_parts.hpp"
#include "convert/mpi/process_request.hpp"

#include <kftrain/convert/chainer_job.hpp>

#include <algorithm>
#include <limits>

namespace kftrain::convert {
namespace {

constexpr std::string_view unknown_to_chainer = "A ChainerJob has no such field.";

/// One conversion; refers to the source.
class chainer_pass : public conversion_pass<kubeflow_v1alpha1::chainer_job, kubeflow_v2beta1::mpi_job> {
public:
    explicit chainer_pass(source const& job) : conversion_pass(job, unknown_to_chainer), complete_(job) {}

    result<converted<target>> run() {
        changes_.approximated("apiVersion", R"("kubeflow.org/v1alpha1")", "apiVersion",
                              "Processes start in the workers by ssh instead of kubectl exec. The image of the workers "
                              "needs sshd, and the image of the master needs ssh. Pods have other names.");
        result_.metadata = carried_metadata(job_.metadata, changes_);
        changes_.dropped(job_.unknown, "", unknown_to_chainer);
        if (auto fault = read_proposal()) return *std::move(fault);
        set_defaults(complete_);
        for (auto const& [name, set] : complete_.spec.worker_sets)
            if (*set.replicas > 0) working_.push_back(&name);
        convert_backend();
        if (auto fault = convert_sets()) return *std::move(fault);
        convert_master();
        convert_hosts();
        return finish();
    }

private:
    using worker_set = kubeflow_v1alpha1::chainer_worker_set;
    using replicas = kubeflow_v2beta1::replica_spec;

    static std::string pod_path(std::string const& owner) { return owner + ".template.spec"; }

    bool is_distributed() const { return !complete_.spec.worker_sets.empty(); }
    std::string set_path(std::string const& name) const {
        return of_proposal_ ? std::string("spec.worker") : "spec.workerSets[" + name + "]";
    }
    worker_set const& complete_set(std::string const& name) const { return complete_.spec.worker_sets.at(name); }
    /// As submitted; that of the proposal is read from fields that the kind does not know.
    worker_set const& given_set(std::string const& name) const {
        return of_proposal_ ? proposed_ : from_.worker_sets.at(name);
    }

    /// One set of workers in the place of several, and a count of masters.
    std::optional<failure> read_proposal() {
        for (auto const& [name, value] : from_.unknown) {
            if (name != "worker" || !from_.worker_sets.empty() || value.text == "null") {
                changes_.dropped("spec." + name, value.text, unknown_to_chainer);
                continue;
            }
            auto const read = from_json<worker_set>(value.text);
            if (!read) {
                auto why = read.error();
                why.detail.line = why.detail.column = 0; // of a text that the caller never saw
                return refused_field("spec.worker", "is not a set of workers: " + why.to_string());
            }
            proposed_ = *read;
            of_proposal_ = true;
            complete_.spec.worker_sets.emplace(mpi::worker, *read);
            changes_.approximated("spec.worker", value.text,
                                  read->replicas.value_or(1) > 0 ? mpi::path_of(mpi::worker) : std::string(),
                                  "The field belongs to the proposal. It is converted as the proposal defines it; the "
                                  "operator never read it.");
        }
        for (auto const& [name, value] : from_.master.unknown)
            if (name == "replicas" && value.text == "1")
                changes_.changed("spec.master.replicas", value.text, "", "An MPIJob always has one launcher.");
            else
                changes_.dropped("spec.master." + name, value.text, unknown_to_chainer);
        if (of_proposal_ && !from_.backend.empty() && from_.backend != "mpi")
            return refused_field("spec.backend", "is " + from_.backend + ", expected mpi");
        return std::nullopt;
    }

    void convert_backend() {
        if (from_.backend.empty()) return;
        changes_.changed("spec.backend", json_text(from_.backend), "",
                         is_distributed() ? "An MPIJob has no other backend."
                                          : "The operator ignores the field if the job has no workers.");
    }

    /// All sets become one, whose hosts are alike.
    std::optional<failure> convert_sets() {
        for (auto const& [name, set] : complete_.spec.worker_sets)
            if (*set.replicas <= 0)
                changes_.dropped(set_path(name), to_json(given_set(name)),
                                 "The set has no replicas, so the result has no entry for it.");
        if (working_.empty()) return std::nullopt;
        auto const& first_name = *working_.front();
        auto const& first = complete_set(first_name);
        std::string const to = mpi::path_of(mpi::worker), from = set_path(first_name);
        std::int64_t count = 0;
        for (auto const* const name : working_) {
            auto const& set = complete_set(*name);
            auto const path = set_path(*name);
            auto const has_main = [](core::container const& c) { return c.name == chainer_container; };
            if (!of_proposal_ && std::ranges::none_of(set.template_.spec.containers, has_main))
                return refused_field(
                    pod_path(path) + ".containers",
                    "has no container named chainer, expected one: the operator starts no process in other containers");
            if (!(set.template_ == first.template_))
                return refused_field(path + ".template",
                                     "differs from that of " + from +
                                         ", expected equal templates: all workers of an MPIJob are alike");
            if (set.mpi_config->slots != first.mpi_config->slots)
                return refused_field(given_slots(given_set(*name).mpi_config) ? path + ".mpiConfig.slots" : path,
                                     "has " + std::to_string(*set.mpi_config->slots) + " slots, and " + from + " has " +
                                         std::to_string(*first.mpi_config->slots) +
                                         ", expected equal numbers: all workers of an MPIJob are alike");
            count += *set.replicas;
            report_set(*name, path, to);
        }
        auto& made = result_.spec.mpi_replica_specs[std::string(mpi::worker)];
        moved_.emplace_back(to, from);
        made.replicas = static_cast<std::int32_t>(std::min<std::int64_t>(count, std::numeric_limits<int>::max()));
        made.template_ = first.template_;
        convert_worker_restarts(made, from, to);
        chainer_pod pod(given_set(first_name).template_.spec, pod_path(from), pod_path(to), changes_);
        pod.convert(made.template_.spec, job_.metadata.name, true);
        pod.start_sshd(made.template_.spec);
        set_worker_lifetime();
        return std::nullopt;
    }

    static bool given_slots(boxed<kubeflow_v1alpha1::mpi_config> const& config) { return config && config->slots; }

    void report_set(std::string const& name, std::string const& path, std::string const& to) {
        auto const& given = given_set(name);
        changes_.dropped(given.unknown, path, unknown_to_chainer);
        if (given.mpi_config) changes_.dropped(given.mpi_config->unknown, path + ".mpiConfig", unknown_to_chainer);
        changes_.changed(path + ".replicas", given.replicas ? std::to_string(*given.replicas) : std::string(absent),
                         to + ".replicas", "The result has the sum of the replicas of all sets.");
        if (name != *working_.front())
            changes_.changed(path + ".template", to_json(given.template_), to + ".template",
                             "All workers of the result use the template of the first set.");
        report_slots(given.mpi_config, path, "All hosts have the same number of slots.");
    }

    void report_slots(boxed<kubeflow_v1alpha1::mpi_config> const& config, std::string const& path,
                      std::string_view why) {
        std::string const value = given_slots(config) ? std::to_string(*config->slots) : std::string(absent);
        changes_.changed(path + ".mpiConfig.slots", value, "spec.slotsPerWorker", why);
    }

    /// Upstream, the StatefulSet restarts them, and the server takes no other policy.
    void convert_worker_restarts(replicas& made, std::string const& from, std::string const& to) {
        auto& given = made.template_.spec.restart_policy;
        std::string const path = pod_path(from) + ".restartPolicy";
        if (given == "Never" || given == "OnFailure") {
            changes_.approximated(
                path, json_text(given), to + ".restartPolicy",
                "The server rejects this policy for workers of a ChainerJob, so the job had no workers.");
            made.restart_policy = given;
        } else if (given.empty() || given == "Always") {
            changes_.approximated(path, given.empty() ? std::string(absent) : json_text(given), to + ".restartPolicy",
                                  "Workers restarted whenever they ended. Now they restart only when they fail.");
            made.restart_policy = "OnFailure";
        } else {
            made.restart_policy = given;
            changes_.changed(path, json_text(given), to + ".restartPolicy", "The field is now in the replica type.");
        }
        given.clear();
    }

    void set_worker_lifetime() {
        auto& spec = result_.spec;
        spec.run_policy.clean_pod_policy = "All";
        changes_.changed("spec.runPolicy.cleanPodPolicy", absent, "spec.runPolicy.cleanPodPolicy",
                         "The operator scaled worker sets to zero when the master had ended.");
        spec.launcher_creation_policy = "WaitForWorkersReady";
        changes_.changed("spec.launcherCreationPolicy", absent, "spec.launcherCreationPolicy",
                         "The master waited for its workers in an init container that the operator added.");
    }

    void convert_master() {
        auto const& master = from_.master;
        std::string const from = "spec.master", to = mpi::path_of(mpi::launcher);
        moved_.emplace_back(to, from);
        auto& policy = result_.spec.run_policy;
        policy.backoff_limit = master.backoff_limit;
        if (auto const& limit = master.backoff_limit)
            changes_.changed(from + ".backoffLimit", std::to_string(*limit), "spec.runPolicy.backoffLimit",
                             "The field is now in runPolicy.");
        policy.active_deadline_seconds = master.active_deadline_seconds;
        if (auto const& deadline = master.active_deadline_seconds)
            changes_.changed(from + ".activeDeadlineSeconds", std::to_string(*deadline),
                             "spec.runPolicy.activeDeadlineSeconds", "The field is now in runPolicy.");
        auto& made = result_.spec.mpi_replica_specs[std::string(mpi::launcher)];
        made.template_ = complete_.spec.master.template_;
        made.restart_policy = made.template_.spec.restart_policy;
        made.template_.spec.restart_policy.clear();
        auto const& given = master.template_.spec.restart_policy;
        changes_.changed(pod_path(from) + ".restartPolicy", given.empty() ? std::string(absent) : json_text(given),
                         to + ".restartPolicy",
                         given.empty() ? "The default is Never for a ChainerJob and OnFailure for an MPIJob."
                                       : "The field is now in the replica type.");
        moved_.emplace_back(to + ".restartPolicy", pod_path(from) + ".restartPolicy");
        chainer_pod pod(master.template_.spec, pod_path(from), pod_path(to), changes_);
        pod.convert(made.template_.spec, job_.metadata.name, is_distributed());
        if (is_distributed()) pod.exclude_interfaces(made.template_.spec);
    }

    /// Whether the launcher is one of the hosts, and how many processes each has.
    void convert_hosts() {
        auto& spec = result_.spec;
        auto const& master = from_.master;
        if (master.mpi_config)
            changes_.dropped(master.mpi_config->unknown, "spec.master.mpiConfig", unknown_to_chainer);
        std::string const works = "spec.runLauncherAsWorker"; // of no ChainerJob
        bool const is_host = working_.empty() || needs_master();
        if (!working_.empty())
            spec.slots_per_worker = complete_set(*working_.front()).mpi_config->slots;
        else if (is_distributed())
            spec.slots_per_worker = complete_.spec.master.mpi_config->slots;
        if (is_host) spec.run_launcher_as_worker = true;
        if (working_.empty())
            changes_.changed(works, absent, works,
                             "The master works alone. A launcher that is not a host sees no GPU.");
        else if (is_host)
            changes_.changed(works, absent, works,
                             "The command starts processes in the master, too. It is the first host before and after.");
        else
            changes_.approximated(works, absent, "",
                                  "The workers take all processes of the command. In the ChainerJob, Open MPI started "
                                  "the first ones in the master.");
        report_master_slots(is_host);
    }

    /// Whether the workers do not suffice for the processes that the command starts.
    bool needs_master() const {
        auto const& containers = complete_.spec.master.template_.spec.containers;
        if (containers.empty()) return true; // refused
        auto const requested = requested_processes(containers[main_container(complete_.spec.master.template_.spec)]);
        if (!requested.processes) return true;
        std::int64_t hosts = 0;
        for (auto const* const name : working_) hosts += *complete_set(*name).replicas;
        auto const slots = complete_set(*working_.front()).mpi_config->slots.value_or(1);
        return *requested.processes > hosts * requested.per_host.value_or(slots);
    }

    void report_master_slots(bool is_host) {
        auto const& given = from_.master.mpi_config;
        std::string const path = "spec.master.mpiConfig.slots", to = "spec.slotsPerWorker";
        auto const value = given_slots(given) ? std::to_string(*given->slots) : std::string(absent);
        if (!is_distributed()) {
            if (given_slots(given))
                changes_.changed(path, value, "", "The operator ignores the field if the job has no workers.");
            return;
        }
        auto const& complete = complete_.spec.master.mpi_config->slots;
        if (!is_host)
            changes_.changed(path, value, "", "The launcher is not a host.");
        else if (complete == result_.spec.slots_per_worker)
            changes_.changed(path, value, to, "All hosts have the same number of slots.");
        else
            changes_.approximated(path, value, to,
                                  "The master had " + std::to_string(*complete) +
                                      " slots; the launcher has as many as each worker.");
    }

    source complete_; ///< with what the operator fills in, and the set of the proposal
    worker_set proposed_;
    bool of_proposal_ = false;
    std::vector<std::string const*> working_; ///< names of sets that have workers
};

} // namespace

result<converted<kubeflow_v2beta1::mpi_job>> to_v2beta1(kubeflow_v1alpha1::chainer_job const& job) {
    if (auto fault = source_fault(job)) return *std::move(fault);
    return chainer_pass(job).run();
}

} // namespace kftrain::convert
