#include "convert/before_v1/early_job.hpp"

#include <kftrain/convert/pytorch_job.hpp>

#include <algorithm>

namespace kftrain::convert {
namespace {

constexpr std::string_view unknown_in_v1alpha1 = "A PyTorchJob of kubeflow.org/v1alpha1 has no such field.";

/// One conversion; refers to the source.
class v1alpha1_pytorch_pass : public conversion_pass<kubeflow_v1alpha1::pytorch_job, pytorch_job> {
public:
    using source_set = kubeflow_v1alpha1::pytorch_replica_spec;

    explicit v1alpha1_pytorch_pass(source const& job) : conversion_pass(job, unknown_in_v1alpha1) {}

    result<converted<pytorch_job>> run() {
        changes_.approximated("apiVersion", R"("kubeflow.org/v1alpha1")", "apiVersion",
                              "Pods no longer receive TF_CONFIG, and all their containers receive the other variables. "
                              "Workers wait for their master in an init container that the operator adds.");
        carry_head();
        drop_fields();
        convert_end();
        if (auto fault = convert_sets()) return *std::move(fault);
        return finish();
    }

private:
    static std::string entry_path(std::string const& type) { return "spec.pytorchReplicaSpecs[" + type + "]"; }
    static std::string_view type_of(source_set const& set) {
        auto const& given = set.replica_type.empty() ? set.pytorch_replica_type : set.replica_type;
        return given.empty() ? std::string_view("MASTER") : std::string_view(given);
    }
    static std::int32_t port_of(source_set const& set) { return set.master_port.value_or(23456); }

    void drop_fields() {
        if (!from_.runtime_id.empty())
            changes_.dropped("spec.RuntimeId", json_text(from_.runtime_id), unused_runtime_id);
        if (!from_.pytorch_image.empty())
            changes_.dropped("spec.pytorchImage", json_text(from_.pytorch_image), unused_image);
        if (!from_.backend.empty())
            changes_.dropped("spec.backend", json_text(from_.backend),
                             "The program chooses its backend, as with pytorch-operator.");
        if (auto const& port = from_.master_port)
            changes_.dropped("spec.masterPort",
                             port->is_string() ? json_text(port->text()) : std::to_string(port->number()),
                             "The port of the MASTER's set applies, as with pytorch-operator.");
    }

    /// Today's job ends with its master.
    void convert_end() {
        if (!from_.termination_policy) return;
        std::string const path = "spec.terminationPolicy";
        auto const& policy = *from_.termination_policy;
        auto const text = to_json(policy);
        if (!policy.master || (policy.master->replica_name == "MASTER" && policy.master->replica_rank == 0))
            changes_.changed(path, text, "", "A job with a master ends with its master.");
        else
            changes_.dropped(path, text, "A job with a master ends only with its master.");
    }

    std::optional<failure> convert_sets() {
        auto const& sets = from_.replica_specs;
        auto const master = std::ranges::find(sets, "MASTER", &v1alpha1_pytorch_pass::type_of);
        if (master == sets.end())
            return refused_field("spec.replicaSpecs",
                                 "has no set of type MASTER, expected one: without it workers receive no ranks");
        port_ = port_of(*master);
        for (std::size_t i = 0; i < sets.size(); ++i) {
            std::string const type = type_of(sets[i]) == "MASTER" ? "Master" : "Worker";
            if (result_.spec.pytorch_replica_specs.contains(type))
                return refused_field(set_path(i), "is a second set of type " + std::string(type_of(sets[i])) +
                                                      ", expected one set of each type");
            convert_set(sets[i], set_path(i), type);
        }
        return std::nullopt;
    }

    void convert_set(source_set const& set, std::string const& path, std::string const& type) {
        changes_.dropped(set.unknown, path, unknown_in_v1alpha1);
        if (type == "Worker" && set.replicas == 0) {
            changes_.dropped(path, to_json(set), "The job has no workers, so the result has no entry for them.");
            return;
        }
        report_type(set, path, type);
        auto& made = result_.spec.pytorch_replica_specs[type];
        std::string const to = entry_path(type);
        moved_.emplace_back(to, path);
        made.replicas = set.replicas;
        if (type == "Master" && !made.replicas) {
            made.replicas = 1;
            changes_.changed(path + ".replicas", absent, to + ".replicas",
                             "The default was 1, and the field is now required.");
        }
        made.template_ = *set.template_;
        convert_template(made, path, to, type);
        convert_own_port(set, made.template_.spec, path, to, type);
    }

    void report_type(source_set const& set, std::string const& path, std::string const& type) {
        std::string const own = path + ".replicaType", proposed = path + ".pytorchReplicaType";
        if (!set.replica_type.empty())
            changes_.changed(own, json_text(set.replica_type), entry_path(type), named_sets);
        else if (set.pytorch_replica_type.empty())
            changes_.changed(own, absent, entry_path(type), "The default is MASTER.");
        if (set.pytorch_replica_type.empty()) return;
        if (set.replica_type.empty())
            changes_.changed(proposed, json_text(set.pytorch_replica_type), entry_path(type), named_sets);
        else
            changes_.changed(proposed, json_text(set.pytorch_replica_type), "",
                             "If both fields are set, replicaType applies.");
    }

    void convert_template(kubeflow_v1::replica_spec& made, std::string const& path, std::string const& to,
                          std::string const& type) {
        auto& given = made.template_;
        if (!(given.metadata == object_meta())) {
            changes_.changed(path + ".template.metadata", to_json(given.metadata), "",
                             "Pods of kubeflow.org/v1alpha1 receive nothing of this metadata.");
            given.metadata = object_meta();
        }
        convert_scheduler(from_.scheduler_name, given.spec, path + ".template.spec.schedulerName",
                          to + ".template.spec.schedulerName", changes_);
        convert_restarts(made, path + ".template.spec.restartPolicy", to + ".restartPolicy", type == "Master");
    }

    /// A failed worker was created again whatever the policy; the first exit of the master decided.
    void convert_restarts(kubeflow_v1::replica_spec& made, std::string const& path, std::string const& to,
                          bool is_master) {
        auto& given = made.template_.spec.restart_policy;
        std::string const value = given.empty() ? std::string(absent) : json_text(given);
        bool const always = given.empty() || given == "Always";
        if (is_master) {
            made.restart_policy = given == "Never" ? "Never" : "OnFailure";
            if (always)
                changes_.approximated(path, value, to,
                                      "The job ended with the first exit of the master. With Always it would now never "
                                      "end, so a failed master restarts.");
            else if (given == "OnFailure")
                changes_.approximated(
                    path, value, to,
                    "The job ended with the first exit of the master. Now the master restarts when it fails.");
            else
                changes_.changed(path, value, to, "The field is now in the replica type.");
        } else if (given == "Never") {
            made.restart_policy = "OnFailure";
            changes_.changed(path, value, to, "The operator replaced a failed worker. Now Never would fail the job.");
        } else {
            made.restart_policy = always ? "Always" : given;
            changes_.changed(path, value, to,
                             given.empty() ? "The default was Always and is now OnFailure."
                                           : "The field is now in the replica type.");
        }
        given.clear();
    }

    /// The port of the master is the one of this name in its container `pytorch`.
    void convert_own_port(source_set const& set, core::pod_spec& pod, std::string const& path, std::string const& to,
                          std::string const& type) {
        std::string const field = path + ".masterPort";
        auto const value = set.master_port ? std::to_string(*set.master_port) : std::string(absent);
        if (type != "Master") {
            if (port_of(set) == port_) {
                if (set.master_port)
                    changes_.changed(field, value, "", "All replicas now receive the port of the master.");
            } else {
                changes_.approximated(field, value, "",
                                      "Workers received this port. They now receive the port of the master.");
            }
            return;
        }
        set_port master;
        master.field = "masterPort";
        master.container = "pytorch";
        master.name = "pytorchjob-port";
        master.owner = "the master";
        master.standard = 23456;
        convert_port(master, set.master_port, pod, path, to, changes_);
    }

    std::int32_t port_ = 0; ///< of the master
};

} // namespace

result<converted<pytorch_job>> to_v1(kubeflow_v1alpha1::pytorch_job const& job) {
    if (auto fault = source_fault(job)) return *std::move(fault);
    return v1alpha1_pytorch_pass(job).run();
}

} // namespace kftrain::convert
