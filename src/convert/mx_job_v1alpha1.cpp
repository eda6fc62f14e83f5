#include "convert/carried.hpp"
#include "convert/old_mx_job.hpp"

#include <algorithm>
#include <array>

namespace kftrain::convert {
namespace {

constexpr std::string_view unknown_in_first_mx = "An MXJob of kubeflow.org/v1alpha1 has no such field.";
constexpr std::int32_t first_mx_port = 9091;

struct first_mx_type {
    std::string_view was;
    std::string_view is;
};
constexpr std::array<first_mx_type, 3> first_mx_types{
    {{"SCHEDULER", "Scheduler"}, {"SERVER", "Server"}, {"WORKER", "Worker"}}};

/// One conversion; refers to the source.
class first_mx_pass {
public:
    explicit first_mx_pass(first_mx_job const& job) : from_(job.spec), job_(job) {}

    result<converted<mx_job>> run() {
        changes_.approximated("apiVersion", R"("kubeflow.org/v1alpha1")", "apiVersion",
                              "Pods receive MX_CONFIG, and workers also receive DMLC_WORKER_ID. The operator's "
                              "variables follow those of the template and no longer replace its first six.");
        result_.metadata = carried_metadata(job_.metadata, changes_);
        changes_.dropped(job_.unknown, "", unknown_in_first_mx);
        changes_.dropped(from_.unknown, "spec", unknown_in_first_mx);
        drop_fields();
        tell_mode();
        convert_cleaning();
        if (auto fault = convert_sets()) return *std::move(fault);
        explain_end();
        drop_status_text(job_.status, changes_);
        return accepted(std::move(result_), std::move(changes_), moved_);
    }

private:
    static std::string set_path(std::size_t number) { return "spec.replicaSpecs[" + std::to_string(number) + "]"; }
    static std::string entry_path(std::string_view type) {
        return std::string("spec.mxReplicaSpecs[").append(type).append("]");
    }
    static std::string_view type_of(first_mx_set const& set) {
        return set.mx_replica_type.empty() ? std::string_view("WORKER") : std::string_view(set.mx_replica_type);
    }

    void drop_fields() {
        if (!from_.runtime_id.empty())
            changes_.dropped(
                "spec.RuntimeId", json_text(from_.runtime_id),
                "The operator now builds names of pods and services only from the job's name, replica type and index.");
        if (!from_.mx_image.empty())
            changes_.dropped("spec.mxImage", json_text(from_.mx_image), "No operator ever read this field.");
    }

    void tell_mode() {
        result_.spec.job_mode = "MXTrain";
        std::string const path = "spec.jobMode";
        if (!from_.job_mode.empty())
            changes_.changed(path, json_text(from_.job_mode), path,
                             "All jobs of v1alpha1 train, whatever the mode is.");
        else
            changes_.changed(path, absent, path, "Current jobs must set the mode.");
    }

    void convert_cleaning() {
        auto const& given = from_.cleanup_pod_policy;
        result_.spec.run_policy.clean_pod_policy = given.empty() ? "All" : given;
        changes_.changed("spec.cleanupPodPolicy", given.empty() ? std::string(absent) : json_text(given),
                         "spec.runPolicy.cleanPodPolicy",
                         given.empty() ? "The default was All and is now None." : "The field is now in runPolicy.");
    }

    std::optional<failure> convert_sets() {
        auto const& sets = from_.replica_specs;
        for (std::size_t i = 0; i < sets.size(); ++i) {
            auto const was = type_of(sets[i]);
            auto const known = std::ranges::find(first_mx_types, was, &first_mx_type::was);
            if (known == first_mx_types.end())
                return refused_field(set_path(i) + ".mxReplicaType",
                                     "is " + json_text(was) + ", expected SCHEDULER, SERVER or WORKER");
            if (result_.spec.mx_replica_specs.contains(known->is))
                return refused_field(set_path(i),
                                     "is a second set of type " + std::string(was) + ", expected one set of each type");
            if (known->is == "Scheduler" && sets[i].replicas.value_or(1) != 1)
                return refused_field(set_path(i) + ".replicas",
                                     "is " + std::to_string(*sets[i].replicas) +
                                         ", expected 1: the operator rejects more than one scheduler");
            convert_set(sets[i], set_path(i), known->is);
        }
        return std::nullopt;
    }

    void convert_set(first_mx_set const& set, std::string const& path, std::string_view type) {
        changes_.dropped(set.unknown, path, unknown_in_first_mx);
        std::string const to = entry_path(type);
        moved_.emplace_back(to, path);
        if (set.mx_replica_type.empty())
            changes_.changed(path + ".mxReplicaType", absent, to, "The default is WORKER.");
        else
            changes_.changed(path + ".mxReplicaType", json_text(set.mx_replica_type), to,
                             "Sets are now identified by the names of their entries.");
        auto& made = result_.spec.mx_replica_specs[std::string(type)];
        made.replicas = set.replicas;
        made.template_ = set.template_;
        auto& pod = made.template_.spec;
        convert_scheduler(pod, path + ".template.spec.schedulerName", to + ".template.spec.schedulerName");
        convert_restarts(made, path + ".template.spec.restartPolicy", to + ".restartPolicy", leads(type));
        if (type == "Scheduler")
            convert_port(set, pod, path, to);
        else if (set.ps_root_port)
            changes_.changed(path + ".PsRootPort", std::to_string(*set.ps_root_port), "",
                             "The operator passed this port to no pod; the port of the scheduler applies.");
    }

    void convert_scheduler(core::pod_spec& pod, std::string const& path, std::string const& to) {
        auto const& name = from_.scheduler_name;
        if (!pod.scheduler_name.empty() && pod.scheduler_name != name)
            changes_.changed(
                path, json_text(pod.scheduler_name), "",
                "The operator replaced this value by the schedulerName of the job, even if that was empty.");
        if (!name.empty())
            changes_.changed("spec.schedulerName", json_text(name), to, "Each template now names the scheduler.");
        pod.scheduler_name = name;
    }

    std::string_view chief_type() const {
        auto const& policy = from_.termination_policy;
        return policy && policy->chief ? std::string_view(policy->chief->replica_name) : "WORKER";
    }
    std::int32_t chief_index() const {
        auto const& policy = from_.termination_policy;
        return policy && policy->chief ? policy->chief->replica_index : 0;
    }

    /// Whether the first exit of a replica of this type decided.
    bool leads(std::string_view type) const {
        auto const known = std::ranges::find(first_mx_types, type, &first_mx_type::is);
        return known->was == chief_type();
    }

    /// A failed replica was created again whatever the policy; only for the chief the exit code decided.
    void convert_restarts(kubeflow_v1::replica_spec& made, std::string const& path, std::string const& to,
                          bool is_chief) {
        auto& given = made.template_.spec.restart_policy;
        auto const value = given.empty() ? std::string(absent) : json_text(given);
        made.restart_policy = given == "Never" && is_chief ? "Never" : "OnFailure";
        if (is_chief)
            changes_.approximated(path, value, to,
                                  given == "Never"
                                      ? "A chief that ended with a code of 128 or more was replaced. Now it "
                                        "fails the job like any other replica."
                                      : "The job ended when its chief succeeded or ended with a code "
                                        "below 128. Now every replica that fails restarts.");
        else if (given == "OnFailure")
            changes_.changed(path, value, to, "The field is now in the replica type.");
        else
            changes_.approximated(
                path, value, to,
                given == "Never" ? "The operator replaced a failed replica. Now its container restarts, because Never "
                                   "would fail the job."
                                 : "A replica that succeeded does not restart, so the job can end with its scheduler.");
        given.clear();
    }

    /// The port of the scheduler is the one of this name in its container `mxnet`.
    void convert_port(first_mx_set const& set, core::pod_spec& pod, std::string const& path, std::string const& to) {
        std::string const field = path + ".PsRootPort";
        auto const value = set.ps_root_port ? std::to_string(*set.ps_root_port) : std::string(absent);
        auto const port = set.ps_root_port.value_or(first_mx_port);
        auto const main = std::ranges::find(pod.containers, "mxnet", &core::container::name);
        if (main == pod.containers.end()) return; // refused
        auto& ports = main->ports;
        auto named = std::ranges::find(ports, "mxjob-port", &core::container_port::name);
        if (named == ports.end()) {
            named = std::ranges::find(ports, port, &core::container_port::container_port_);
            if (named == ports.end() && port == first_mx_port) {
                if (set.ps_root_port) changes_.changed(field, value, "", "This port is now the default.");
                return;
            }
            if (named == ports.end()) named = ports.emplace(ports.end());
        }
        std::string const place = ".template.spec.containers[" + std::to_string(main - pod.containers.begin()) +
                                  "].ports[" + std::to_string(named - ports.begin()) + "]";
        if (!named->name.empty() && named->name != "mxjob-port")
            changes_.approximated(path + place + ".name", json_text(named->name), to + place + ".name",
                                  "The port of the scheduler must now have this name.");
        if (named->name == "mxjob-port" && named->container_port_ != port)
            changes_.approximated(path + place + ".containerPort", std::to_string(named->container_port_),
                                  to + place + ".containerPort",
                                  "The port with this name is the port of the scheduler.");
        named->name = "mxjob-port";
        named->container_port_ = port;
        changes_.changed(field, value, to + place,
                         "The port of the scheduler is now the port with this name in its container.");
    }

    /// Today a job ends with its scheduler, or with its worker where that is alone.
    void explain_end() {
        auto const& made = result_.spec.mx_replica_specs;
        bool const alone = made.size() == 1 && made.contains("Worker") && made.at("Worker").replicas.value_or(1) == 1;
        bool const same = alone || (chief_type() == "SCHEDULER" && chief_index() == 0);
        auto const& policy = from_.termination_policy;
        auto const value = policy ? to_json(*policy) : std::string(absent);
        std::string const path = "spec.terminationPolicy";
        if (same && policy)
            changes_.changed(path, value, "", "The job ends in this way by default.");
        else if (!same)
            changes_.approximated(path, value, "",
                                  made.contains("Scheduler")
                                      ? "The job ended with this replica. Now it ends with its scheduler, which ends "
                                        "when all workers have ended."
                                      : "The job ended with this replica. Now a job without a scheduler runs forever.");
    }

    first_mx_spec const& from_;
    first_mx_job const& job_;
    mx_job result_;
    change_list changes_;
    moved_parts moved_;
};

} // namespace

result<converted<mx_job>> to_v1(first_mx_job const& job) { return first_mx_pass(job).run(); }

} // namespace kftrain::convert
