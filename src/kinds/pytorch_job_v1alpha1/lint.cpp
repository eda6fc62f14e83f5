#include "kinds/pytorch_job_v1alpha1/kind.hpp"

#include "job/contract/field_error.hpp"
#include "model/rules/name_syntax.hpp"
#include "objects/pod_validation.hpp"

#include <kftrain/job/lint.hpp>

#include <array>
#include <map>

namespace kftrain::kubeflow_v1alpha1 {
namespace {

using namespace pytorch;

/// Rules of these PyTorchJobs alone.
namespace of {

using enum issue::severity;

constexpr lint_rule same_type{"lint.pytorch-v1alpha1.same-type", error,
                              "Sets of one type share the names of their replicas, but WORLD_SIZE counts each of them, "
                              "so training never starts."};
constexpr lint_rule termination{
    "lint.pytorch-v1alpha1.termination", error,
    "The job ends with the replica that the policy names. If this replica does not exist, the job never ends."};
constexpr lint_rule first_worker{"lint.pytorch-v1alpha1.first-worker", warning,
                                 "Ranks count the MASTER, so no worker has rank 0. The upstream operator waits for "
                                 "rank 0 forever; kftrain uses the first worker."};
constexpr lint_rule child_name{"lint.pytorch-v1alpha1.child-name", error,
                               "The server rejects services whose name is not a DNS label, and labels of more than 63 "
                               "characters. The operator then retries forever."};
constexpr lint_rule port{"lint.pytorch-v1alpha1.port", error,
                         "The server rejects services with such a port. A worker whose port differs from the MASTER's "
                         "connects to a port where nothing listens."};
constexpr lint_rule ignored{"lint.pytorch-v1alpha1.ignored-field", info,
                            "The operator ignores this field, which old manifests have: the program chooses its "
                            "backend, and each replica set has its own port."};
constexpr lint_rule spelling{"lint.pytorch-v1alpha1.type-spelling", warning,
                             "The first proposal spelled replicaType like this. The upstream operator does not read "
                             "this field and treats the set as a MASTER."};
constexpr lint_rule scheduler{"lint.pytorch-v1alpha1.template-scheduler", warning,
                              "The schedulerName of the spec always overwrites the template's, even when it is empty."};
constexpr lint_rule metadata{"lint.pytorch-v1alpha1.template-metadata", warning,
                             "Pods receive nothing of a template's metadata."};
constexpr lint_rule environment{
    "lint.pytorch-v1alpha1.reserved-environment", warning,
    "The operator appends its own variables after those of the template, and the last of equal names wins."};
constexpr lint_rule pod{"lint.pytorch-v1alpha1.pod", error,
                        "The server rejects pods that violate its validation rules, but it accepts the job. The "
                        "operator then retries forever."};

constexpr std::array all{same_type, termination, first_worker, child_name,  port, ignored,
                         spelling,  scheduler,   metadata,     environment, pod};

} // namespace of

void lint_policy(pytorch_job const& job, issues& found) {
    auto const& master = *job.spec.termination_policy->master;
    std::string const path = "spec.terminationPolicy.master.replicaRank";
    bool const workers = master.replica_name == worker_type;
    std::int32_t count = 0;
    for (auto const& set : job.spec.replica_specs)
        if (type_of(set) == master.replica_name) count = std::max(count, count_of(set));
    if (workers && master.replica_rank == 0 && count > 0) {
        report(found, of::first_worker, path, "0 is the rank of the MASTER, expected 1");
        return;
    }
    auto const index = std::int64_t{master.replica_rank} - rank_of(master.replica_name, 0);
    if (index < 0 || index >= count)
        report(found, of::termination, path,
               std::to_string(master.replica_rank) + ", expected the rank of one of the " + std::to_string(count) +
                   " replicas of type " + master.replica_name);
}

void lint_names(pytorch_job const& job, issues& found) {
    std::string const path = "metadata.name";
    if (job.metadata.name.size() > 63)
        report(found, of::child_name, path,
               in_quotes(job.metadata.name) + " is used as a label, expected at most 63 characters");
    for (auto const& set : job.spec.replica_specs) {
        if (count_of(set) == 0) continue;
        auto const name = child_name(job, type_of(set), count_of(set) - 1);
        auto const faults = dns_1035_label_faults(name);
        if (faults.empty()) continue;
        report(found, of::child_name, path, "creates the service name " + in_quotes(name) + ": " + faults.front());
        return;
    }
}

void lint_spec(pytorch_job const& job, pytorch_job const& submitted, issues& found) {
    auto const& spec = submitted.spec;
    if (!spec.backend.empty()) report(found, of::ignored, "spec.backend", in_quotes(spec.backend) + " has no effect");
    if (spec.master_port)
        report(found, of::ignored, "spec.masterPort", "has no effect, expected masterPort of each replica set");
    std::map<std::string_view, std::size_t> first;
    std::int32_t master_port = default_port;
    for (auto const& set : job.spec.replica_specs)
        if (type_of(set) == master_type) master_port = port_of(set);
    for (std::size_t i = 0; i < job.spec.replica_specs.size(); ++i) {
        auto const& set = job.spec.replica_specs[i];
        auto const path = path_of(i);
        if (auto const [it, added] = first.emplace(type_of(set), i); !added)
            report(found, of::same_type, path,
                   "is of type " + type_of(set) + " as " + path_of(it->second) + ", expected one set of each type");
        if (auto const p = port_of(set); p < 1 || p > 65535)
            report(found, of::port, path + ".masterPort", std::to_string(p) + ", expected 1 to 65535");
        else if (p != master_port)
            report(found, of::port, path + ".masterPort",
                   std::to_string(p) + ", expected " + std::to_string(master_port) + ", the port of the MASTER");
        if (!spec.replica_specs[i].pytorch_replica_type.empty())
            report(found, of::spelling, path + ".pytorchReplicaType", "expected replicaType");
    }
}

void lint_template(pytorch_job const& job, std::size_t i, pod_maker const& pods, issues& found) {
    auto const& set = job.spec.replica_specs[i];
    auto const& given = *set.template_;
    auto const path = path_of(i) + ".template";
    if (!(given.metadata == object_meta()))
        report(found, of::metadata, path + ".metadata", "is ignored by the operator");
    if (!given.spec.scheduler_name.empty() && given.spec.scheduler_name != job.spec.scheduler_name)
        report(found, of::scheduler, path + ".spec.schedulerName",
               in_quotes(given.spec.scheduler_name) + " is overwritten by " + in_quotes(job.spec.scheduler_name));
    if (count_of(set) == 0) return;
    auto made = pods.make(set, rank_of(type_of(set), 0));
    for (std::size_t c = 0; c < given.spec.containers.size(); ++c) {
        auto const& written = given.spec.containers[c].env;
        auto const& all = made.spec.containers[c].env;
        for (std::size_t v = 0; v < written.size(); ++v)
            for (std::size_t own = written.size(); own < all.size(); ++own)
                if (all[own].name == written[v].name)
                    report(found, of::environment,
                           path + ".spec.containers[" + std::to_string(c) + "].env[" + std::to_string(v) + "]",
                           written[v].name + " has no effect: the operator sets it to " + in_quotes(all[own].value));
    }
    for (auto const& f : created_pod_faults(made)) report(found, of::pod, path + "." + f.field, f.message);
}

} // namespace

std::span<lint_rule const> pytorch_lint_rules() noexcept { return of::all; }

void lint(pytorch_job const& written, pytorch_job const& complete, issues& found) {
    if (!validate(complete).empty()) return; // its operator creates nothing
    pytorch_job job = complete;
    // The operator draws the id; the findings are the same for every one.
    if (job.spec.runtime_id.empty()) job.spec.runtime_id = "xxxx";
    lint_spec(job, written, found);
    lint_policy(job, found);
    lint_names(job, found);
    pod_maker const pods(job, job.spec.replica_specs);
    for (std::size_t i = 0; i < job.spec.replica_specs.size(); ++i) lint_template(job, i, pods, found);
}

} // namespace kftrain::kubeflow_v1alpha1
