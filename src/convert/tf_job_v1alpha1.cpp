#include "convert/old_tf_job.hpp"
#include "convert/read_source.hpp"
#include "convert/replica_sets.hpp"

#include <algorithm>
#include <array>

namespace kftrain::convert {
namespace {

constexpr std::string_view unknown_in_first_tf = "A TFJob of kubeflow.org/v1alpha1 has no such field.";

constexpr set_types first_tf_types{{{"MASTER", "Master"}, {"PS", "PS"}, {"WORKER", "Worker"}}};

/** One conversion; refers to the source.
    @par Upstream tf-operator v0.3.0 `pkg/trainer/{training,replicas}.go` */
class first_tf_pass {
public:
    explicit first_tf_pass(first_tf_job const& job) : from_(job.spec), job_(job) {}

    result<converted<tf_job>> run() {
        changes_.changed("apiVersion", json_text(job_.api_version), "apiVersion",
                         "The current version is different. Pods and services have other names and labels.");
        result_.metadata = carried_head(job_, unknown_in_first_tf, changes_);
        if (!from_.runtime_id.empty())
            changes_.dropped("spec.RuntimeId", json_text(from_.runtime_id), unused_runtime_id);
        if (!from_.tf_image.empty())
            changes_.dropped("spec.tfImage", json_text(from_.tf_image),
                             "Every set has a template, so no pod uses this image.");
        convert_cleaning(from_.cleanup_pod_policy, result_.spec.run_policy, changes_);
        if (auto fault = convert_sets()) return *std::move(fault);
        convert_end();
        drop_status(job_, changes_);
        return accepted(std::move(result_), std::move(changes_), moved_);
    }

private:
    static std::string entry_path(std::string_view type) {
        return std::string("spec.tfReplicaSpecs[").append(type).append("]");
    }
    static std::string_view type_of(first_tf_set const& set) {
        return set.tf_replica_type.empty() ? std::string_view("MASTER") : std::string_view(set.tf_replica_type);
    }
    static set_port replica_port() {
        set_port p;
        p.field = "tfPort";
        p.container = "tensorflow";
        p.name = "tfjob-port";
        p.owner = "the set";
        p.standard = 2222;
        return p;
    }

    std::optional<failure> convert_sets() {
        auto const& sets = from_.replica_specs;
        for (std::size_t i = 0; i < sets.size(); ++i) {
            auto const type = type_of_set(first_tf_types, i, "tfReplicaType", type_of(sets[i]), sets[i].replicas,
                                          result_.spec.tf_replica_specs);
            if (!type) return type.error();
            convert_set(sets[i], set_path(i), *type);
        }
        if (std::ranges::find(sets, chief_type(), &first_tf_pass::type_of) != sets.end()) return std::nullopt;
        return refused_field("spec.terminationPolicy", "names " + std::string(chief_type()) +
                                                           ", expected the type of a set; absent means MASTER");
    }

    void convert_set(first_tf_set const& set, std::string const& path, std::string_view type) {
        changes_.dropped(set.unknown, path, unknown_in_first_tf);
        auto const to = entry_path(type);
        moved_.emplace_back(to, path);
        if (set.tf_replica_type.empty())
            changes_.changed(path + ".tfReplicaType", absent, to, "The default is MASTER.");
        else
            changes_.changed(path + ".tfReplicaType", json_text(set.tf_replica_type), to, named_sets);
        auto& made = result_.spec.tf_replica_specs[std::string(type)];
        made.replicas = set.replicas;
        made.template_ = set.template_;
        auto& pod = made.template_.spec;
        convert_scheduler(from_.scheduler_name, pod, path + ".template.spec.schedulerName",
                          to + ".template.spec.schedulerName", changes_);
        convert_restarts(made, path + ".template.spec.restartPolicy", to + ".restartPolicy",
                         type_of(set) == chief_type());
        convert_port(replica_port(), set.tf_port, pod, path, to, changes_);
    }

    std::string_view chief_type() const {
        auto const& policy = from_.termination_policy;
        return policy && policy->chief ? std::string_view(policy->chief->replica_name) : "MASTER";
    }
    std::int32_t chief_index() const {
        auto const& policy = from_.termination_policy;
        return policy && policy->chief ? policy->chief->replica_index : 0;
    }

    /// A pod that failed was created again whatever its policy; only for the chief the exit code decided.
    void convert_restarts(kubeflow_v1::replica_spec& made, std::string const& path, std::string const& to,
                          bool is_chief) {
        auto& given = made.template_.spec.restart_policy;
        auto const value = given.empty() ? std::string(absent) : json_text(given);
        bool const always = given.empty() || given == "Always";
        if (is_chief) {
            made.restart_policy = given == "Never" ? "Never" : "OnFailure";
            changes_.approximated(path, value, to,
                                  given == "Never"
                                      ? "A chief that a signal ended was replaced. Now it fails the job."
                                      : "The job ended when its chief succeeded or failed with a code of the program. "
                                        "Now a chief that fails restarts.");
        } else if (given == "Never") {
            made.restart_policy = "OnFailure";
            changes_.changed(path, value, to, "The operator replaced a failed replica. Now Never would fail the job.");
        } else {
            made.restart_policy = always ? "Always" : given;
            changes_.changed(path, value, to,
                             given.empty() ? "The default was Always and is now Never."
                                           : "The field is now in the replica type.");
        }
        given.clear();
    }

    /// The current job ends with its master, or with its first worker if it has none.
    void convert_end() {
        auto const& policy = from_.termination_policy;
        if (!policy) return;
        auto const todays = result_.spec.tf_replica_specs.contains("Master") ? "MASTER" : "WORKER";
        std::string const path = "spec.terminationPolicy";
        if (chief_type() == todays && chief_index() == 0)
            changes_.changed(path, to_json(*policy), "", "The job ends in this way by default.");
        else
            changes_.approximated(path, to_json(*policy), "",
                                  "The job ended with this replica. Now it ends with its master, or with its first "
                                  "worker if it has no master.");
    }

    first_tf_spec const& from_;
    first_tf_job const& job_;
    tf_job result_;
    change_list changes_;
    moved_parts moved_;
};

} // namespace

result<converted<tf_job>> read_first_tf_job(document& text) {
    auto const job = read_source<first_tf_job>(text);
    if (!job) return job.error();
    return first_tf_pass(*job).run();
}

} // namespace kftrain::convert
