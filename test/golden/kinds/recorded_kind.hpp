#ifndef KFTRAIN_TEST_GOLDEN_KINDS_RECORDED_KIND_HPP
#define KFTRAIN_TEST_GOLDEN_KINDS_RECORDED_KIND_HPP

#include "golden/checks/checks.hpp"
#include "golden/compare.hpp"
#include "golden/kinds/own_writes.hpp"

#include <kftrain/apiserver/resource_definition.hpp>
#include <kftrain/job/controller_rules.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace golden {

/// An object that an operator would create, as kftrain renders it.
struct rendered_body {
    rendered_body(std::string p, json::value b) : path(std::move(p)), body(std::move(b)) {}

    std::string path; ///< of its collection
    json::value body;
};

/// Path of the collection of a type in the namespace of the recordings.
std::string collection_path(kftrain::resource_info const&);

/// The implementation for the kind of a recorded job, for an operator of the recorded release with the recorded flags.
struct recorded_kind {
    recorded_kind() = default;

    std::shared_ptr<kftrain::rules::controller_rules const> rules;         ///< of its operator
    kftrain::apiserver::resource_definition served;                        ///< the kind itself
    std::vector<kftrain::apiserver::resource_definition> others;           ///< further types that a server must serve
    std::function<std::vector<rendered_body>(json::object const&)> render; ///< for a job as it is stored
    own_writes own;                                                        ///< how its operator writes the job
    std::vector<json::object> standing; ///< the objects in the cluster of the recordings before each case
    /// Controllers of a second operator, whose requests are recorded, too.
    std::vector<std::shared_ptr<kftrain::rules::controller_rules const>> partners;
    void (*comparable)(json::value&) = nullptr; ///< rewrites what both have in different forms; null: nothing is
    bool waits_for_scheduler = false;           ///< pods are created only after a scheduler allows it
    /// Rewrites texts that vary to the form of the recordings; empty: none. Takes the name of the job.
    std::string (*spelled)(std::string text, std::string const& job) = nullptr;
};

/// Throws std::runtime_error if there is no such kind, or no such release.
recorded_kind kind_of(recorded_case const&, allowances const&);

/// Whether the controllers of Kubernetes itself ran beside the operator, and its garbage collector.
bool has_kubernetes(recorded_case const&);

/// The kinds of `kubeflow.org/v1alpha1`, whose operators write the whole job; null for others.
std::optional<recorded_kind> kind_of_v1alpha1(recorded_case const&);
/// Jobs of `batch.volcano.sh/v1alpha1`: recordings of several releases, random names, queues that are there.
recorded_kind volcano_job(recorded_case const&, allowances const&);

/// TrainJobs and runtimes of `trainer.kubeflow.org/v1alpha1`: two operators, server-side apply.
recorded_kind train_job_kind(recorded_case const&);
/// Writes parts of objects of Kubeflow Trainer in the form in which they are compared; idempotent.
void write_comparably(json::value&);
/// Rewrites a recording of Kubeflow Trainer: a server-side apply becomes a creation, as in operator_record. An apply
/// without effect need not be repeated. Leaves other recordings unchanged.
void write_applies_as_creations(recorded_case&);

/// MPIJobs of `kubeflow.org/v2beta1`: recordings of several releases, keys that are described instead of recorded.
recorded_kind mpi_job_v2beta1(recorded_case const&, allowances const&);

} // namespace golden

#endif
