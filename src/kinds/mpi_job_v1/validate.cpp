#include "job/contract/field_error.hpp"
#include "job/v1/replica_plan.hpp"
#include "kinds/mpi_job_v1/kind.hpp"

#include <algorithm>

/** Upstream: training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/mpi_validation.go`, which stops at the first fault and
    visits the types in Go map order. It runs before defaults are set. It does not check the name, restart policies,
    managers or the number of workers. */

namespace kftrain::kubeflow_v1 {
namespace {

class faults {
public:
    explicit faults(issues& found) : found_(found) {}

    void add(std::string_view rule, std::string path, std::string_view text) {
        issue& i = found_.emplace_back();
        i.rule = rule;
        i.message = path + ": " + std::string(text);
        i.path = std::move(path);
    }

private:
    issues& found_;
};

void check_containers(std::string_view type, core::pod_spec const& pod, std::string const& path, faults& found) {
    std::string const of = " is undefined in the container of " + std::string(type);
    for (std::size_t i = 0; i < pod.containers.size(); ++i) {
        std::string const at = path + "[" + std::to_string(i) + "]";
        if (pod.containers[i].image.empty())
            found.add("mpi.image", at + ".image", "MPIReplicaSpec is not valid: Image" + of);
        if (pod.containers[i].name.empty())
            found.add("mpi.container-name", at + ".name", "MPIReplicaSpec is not valid: ImageName" + of);
    }
}

} // namespace

void mpi_kind::find_faults(replica_job const*, issues& issues_found) const {
    faults found(issues_found);
    std::string const map = std::string("spec.").append(mpi_kind::constants.specs_field);
    // Servers demand the map where there is anything of the specification. One that is empty as a whole may lack it.
    if (spec() == mpi_job_spec()) found.add("mpi.replica-specs", map, "MPIReplicaSpecs is not valid");
    for (auto type : types()) {
        auto const& entry = *spec_of(type);
        std::string const containers = path_of(type) + ".template.spec.containers";
        if (entry.template_.spec.containers.empty())
            found.add("mpi.containers", containers,
                      "MPIReplicaSpecs is not valid: containers definition expected in " + std::string(type));
        if (std::ranges::find(mpi::types, type) == mpi::types.end())
            found.add("mpi.replica-type", path_of(type),
                      "MPIReplicaType is " + std::string(type) + " but must be one of [Launcher Worker]");
        check_containers(type, entry.template_.spec, containers, found);
        if (type == mpi::launcher && entry.replicas.value_or(1) != 1)
            found.add("mpi.launcher.replicas", path_of(type) + ".replicas",
                      "MPIReplicaSpec is not valid: There must be only 1 launcher replica");
    }
    if (spec_of(mpi::launcher) == nullptr)
        found.add("mpi.launcher", path_of(mpi::launcher),
                  "MPIReplicaSpec is not valid: Master ReplicaSpec must be present");
    validate_bounds(*this, issues_found);
    // Upstream finds no pods by such a label, fails in silence, and tries again for ever.
    if (constexpr std::size_t limit = 63; metadata.name.size() > limit)
        issues_found.push_back(invalid("mpi.name", "metadata.name", metadata.name,
                                       "must be no more than " + std::to_string(limit) + " characters"));
}

/// The messages of upstream without their path.
rules::plan mpi_kind::plan_of_invalid(issues const& found) const {
    auto const first = std::ranges::find(found, issue::severity::error, &issue::level);
    std::string text = first->message;
    if (text.starts_with(first->path + ": MPIReplica")) text.erase(0, first->path.size() + 2);
    return invalid_plan("MPIJobFailedValidation", resource.kind, text);
}

} // namespace kftrain::kubeflow_v1
