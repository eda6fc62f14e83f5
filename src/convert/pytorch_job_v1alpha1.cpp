#include "convert/carried.hpp"

#include <kftrain/convert/pytorch_job.hpp>

#include <algorithm>

namespace kftrain::convert {
namespace {

constexpr std::string_view unknown_in_v1alpha1 = "PyTorchJobs of kubeflow.org/v1alpha1 have no such field.";

/// One conversion; refers to the source.
class v1alpha1_pytorch_pass {
public:
    using source = kubeflow_v1alpha1::pytorch_job;
    using source_set = kubeflow_v1alpha1::pytorch_replica_spec;

    explicit v1alpha1_pytorch_pass(source const& job) : from_(job.spec), job_(job) {}

    result<converted<pytorch_job>> run() {
        changes_.approximated("apiVersion", R"("kubeflow.org/v1alpha1")", "apiVersion",
                              "Pods are told no TF_CONFIG any more, all of their containers are told the rest, and "
                              "workers wait for their master in a container that the operator adds.");
        result_.metadata = carried_metadata(job_.metadata, changes_);
        changes_.dropped(job_.unknown, "", unknown_in_v1alpha1);
        changes_.dropped(from_.unknown, "spec", unknown_in_v1alpha1);
        drop_fields();
        convert_end();
        if (auto fault = convert_sets()) return *std::move(fault);
        if (!(job_.status == decltype(job_.status)()))
            changes_.dropped("status", to_json(job_.status), "The job as converted has not run yet.");
        return accepted(std::move(result_), std::move(changes_), moved_);
    }

private:
    static std::string set_path(std::size_t number) { return "spec.replicaSpecs[" + std::to_string(number) + "]"; }
    static std::string entry_path(std::string const& type) { return "spec.pytorchReplicaSpecs[" + type + "]"; }
    static std::string_view type_of(source_set const& set) {
        auto const& given = set.replica_type.empty() ? set.pytorch_replica_type : set.replica_type;
        return given.empty() ? std::string_view("MASTER") : std::string_view(given);
    }
    static std::int32_t port_of(source_set const& set) { return set.master_port.value_or(23456); }

    void drop_fields() {
        if (!from_.runtime_id.empty())
            changes_.dropped("spec.RuntimeId", json_text(from_.runtime_id),
                             "Names of pods and services are made of the job's name, replica type and index alone.");
        if (!from_.pytorch_image.empty())
            changes_.dropped("spec.pytorchImage", json_text(from_.pytorch_image), "No operator ever read it.");
        if (!from_.backend.empty())
            changes_.dropped("spec.backend", json_text(from_.backend),
                             "The program chooses its backend, as it did under pytorch-operator.");
        if (auto const& port = from_.master_port)
            changes_.dropped("spec.masterPort",
                             port->is_string() ? json_text(port->text()) : std::to_string(port->number()),
                             "The port of the MASTER's set counts, as it did under pytorch-operator.");
    }

    /// Today's job ends with its master.
    void convert_end() {
        if (!from_.termination_policy) return;
        std::string const path = "spec.terminationPolicy";
        auto const& policy = *from_.termination_policy;
        auto const text = to_json(policy);
        if (!policy.master || (policy.master->replica_name == "MASTER" && policy.master->replica_rank == 0))
            changes_.changed(path, text, "", "A job with a master ends with it.");
        else
            changes_.dropped(path, text, "A job with a master ends with it, and with no other replica.");
    }

    std::optional<failure> convert_sets() {
        auto const& sets = from_.replica_specs;
        auto const master = std::ranges::find(sets, "MASTER", &v1alpha1_pytorch_pass::type_of);
        if (master == sets.end())
            return refused_field("spec.replicaSpecs",
                                 "has no set of type MASTER, expected one: workers without it are told no ranks");
        port_ = port_of(*master);
        for (std::size_t i = 0; i < sets.size(); ++i) {
            std::string const type = type_of(sets[i]) == "MASTER" ? "Master" : "Worker";
            if (result_.spec.pytorch_replica_specs.contains(type))
                return refused_field(set_path(i), "is another set of type " + std::string(type_of(sets[i])) +
                                                      ", expected one of each type");
            convert_set(sets[i], set_path(i), type);
        }
        return std::nullopt;
    }

    void convert_set(source_set const& set, std::string const& path, std::string const& type) {
        changes_.dropped(set.unknown, path, unknown_in_v1alpha1);
        if (type == "Worker" && set.replicas == 0) {
            changes_.dropped(path, to_json(set), "There are none, which is said by leaving out the entry today.");
            return;
        }
        tell_type(set, path, type);
        auto& made = result_.spec.pytorch_replica_specs[type];
        std::string const to = entry_path(type);
        moved_.emplace_back(to, path);
        made.replicas = set.replicas;
        if (type == "Master" && !made.replicas) {
            made.replicas = 1;
            changes_.changed(path + ".replicas", absent, to + ".replicas",
                             "Left out it means 1, which has to be written today.");
        }
        made.template_ = *set.template_;
        convert_template(made, path, to, type);
        convert_port(set, made.template_.spec, path, to, type);
    }

    void tell_type(source_set const& set, std::string const& path, std::string const& type) {
        std::string const own = path + ".replicaType", proposed = path + ".pytorchReplicaType";
        constexpr std::string_view why = "Sets are told apart by the names of their entries today.";
        if (!set.replica_type.empty())
            changes_.changed(own, json_text(set.replica_type), entry_path(type), why);
        else if (set.pytorch_replica_type.empty())
            changes_.changed(own, absent, entry_path(type), "Left out it means MASTER.");
        if (set.pytorch_replica_type.empty()) return;
        if (set.replica_type.empty())
            changes_.changed(proposed, json_text(set.pytorch_replica_type), entry_path(type), why);
        else
            changes_.changed(proposed, json_text(set.pytorch_replica_type), "",
                             "replicaType counts where both are given.");
    }

    void convert_template(kubeflow_v1::replica_spec& made, std::string const& path, std::string const& to,
                          std::string const& type) {
        auto& given = made.template_;
        if (!(given.metadata == object_meta())) {
            changes_.changed(path + ".template.metadata", to_json(given.metadata), "",
                             "Nothing of it reaches the pods of kubeflow.org/v1alpha1.");
            given.metadata = object_meta();
        }
        convert_scheduler(given.spec, path + ".template.spec.schedulerName", to + ".template.spec.schedulerName");
        convert_restarts(made, path + ".template.spec.restartPolicy", to + ".restartPolicy", type == "Master");
    }

    void convert_scheduler(core::pod_spec& pod, std::string const& path, std::string const& to) {
        auto const& name = from_.scheduler_name;
        if (!pod.scheduler_name.empty() && pod.scheduler_name != name)
            changes_.changed(path, json_text(pod.scheduler_name), "",
                             "The operator put the scheduler of the job into its place, be it none.");
        if (!name.empty()) changes_.changed("spec.schedulerName", json_text(name), to, "Each template names it today.");
        pod.scheduler_name = name;
    }

    /// A worker that failed was made anew whatever the policy; the first exit of the master decided.
    void convert_restarts(kubeflow_v1::replica_spec& made, std::string const& path, std::string const& to,
                          bool is_master) {
        auto& given = made.template_.spec.restart_policy;
        std::string const value = given.empty() ? std::string(absent) : json_text(given);
        bool const always = given.empty() || given == "Always";
        if (is_master) {
            made.restart_policy = given == "Never" ? "Never" : "OnFailure";
            if (always)
                changes_.approximated(path, value, to,
                                      "The job ended with the first exit of the master; under Always it would never "
                                      "end today, and a master that fails is started again now.");
            else if (given == "OnFailure")
                changes_.approximated(path, value, to,
                                      "The job ended with the first exit of the master, which is started again now "
                                      "when it fails.");
            else
                changes_.changed(path, value, to, "It belongs to the replica type.");
        } else if (given == "Never") {
            made.restart_policy = "OnFailure";
            changes_.changed(path, value, to,
                             "The operator made a worker that failed anew; Never would fail the job today.");
        } else {
            made.restart_policy = always ? "Always" : given;
            changes_.changed(path, value, to,
                             given.empty() ? "Left out it means Always, and OnFailure today."
                                           : "It belongs to the replica type.");
        }
        given.clear();
    }

    /// The port of the master is the one of this name in its container `pytorch`.
    void convert_port(source_set const& set, core::pod_spec& pod, std::string const& path, std::string const& to,
                      std::string const& type) {
        std::string const field = path + ".masterPort";
        auto const value = set.master_port ? std::to_string(*set.master_port) : std::string(absent);
        if (type != "Master") {
            if (port_of(set) == port_) {
                if (set.master_port) changes_.changed(field, value, "", "All are told the port of the master today.");
            } else {
                changes_.approximated(field, value, "",
                                      "Workers were told this one, and are told that of the master today.");
            }
            return;
        }
        auto const main = std::ranges::find(pod.containers, "pytorch", &core::container::name);
        auto const at = static_cast<std::size_t>(main - pod.containers.begin());
        auto& ports = main->ports;
        auto named = std::ranges::find(ports, "pytorchjob-port", &core::container_port::name);
        if (named == ports.end()) {
            named = std::ranges::find(ports, port_, &core::container_port::container_port_);
            if (named == ports.end() && port_ == 23456) {
                if (set.master_port) changes_.changed(field, value, "", "It is the port that is meant today.");
                return;
            }
            if (named == ports.end()) named = ports.emplace(ports.end());
        }
        if (!named->name.empty() && named->name != "pytorchjob-port")
            changes_.approximated(port_path(path, at, named - ports.begin()) + ".name", json_text(named->name),
                                  port_path(to, at, named - ports.begin()) + ".name",
                                  "The port of the master has to bear this name today.");
        named->name = "pytorchjob-port";
        named->container_port_ = port_;
        changes_.changed(field, value, port_path(to, at, named - ports.begin()),
                         "The port of the master is the one of this name in its container.");
    }

    static std::string port_path(std::string const& set, std::size_t container, std::ptrdiff_t port) {
        return set + ".template.spec.containers[" + std::to_string(container) + "].ports[" + std::to_string(port) + "]";
    }

    kubeflow_v1alpha1::pytorch_job_spec const& from_;
    source const& job_;
    std::int32_t port_ = 0; ///< of the master
    pytorch_job result_;
    change_list changes_;
    moved_parts moved_;
};

} // namespace

result<converted<pytorch_job>> to_v1(kubeflow_v1alpha1::pytorch_job const& job) {
    if (auto fault = source_fault(job)) return *std::move(fault);
    return v1alpha1_pytorch_pass(job).run();
}

} // namespace kftrain::convert
