#include "kinds/mpi_job_v1/kind.hpp"

#include "job/contract/field_error.hpp"
#include "job/v1/built_job.hpp"
#include "job/v1/replica_outcome.hpp"
#include "job/v1/replica_plan.hpp"
#include "job/v1/replica_rules.hpp"

#include <kftrain/job/observed_types.hpp>
#include <kftrain/kinds/mpi_job_v1_builder.hpp>
#include <kftrain/objects/core/config_map.hpp>
#include <kftrain/objects/rbac/role.hpp>

#include <algorithm>
#include <array>

namespace kftrain::embedded {
extern std::string_view const mpi_job_v1_schema; // schema.json
} // namespace kftrain::embedded

namespace kftrain::kubeflow_v1 {
namespace {

void fill(replica_spec_map& specs, std::string_view type, std::int32_t count) {
    auto const entry = specs.find(type);
    if (entry == specs.end()) return;
    auto& spec = entry->second;
    if (!spec.replicas) spec.replicas = count;
    if (spec.restart_policy.empty()) spec.restart_policy = mpi_kind::constants.default_restart_policy;
}

result<void> read_image(operator_options& options, std::string_view value) {
    auto own = options.get<mpi_operator_options>();
    own.kubectl_delivery_image = value;
    options.set(std::move(own));
    return {};
}

constexpr std::array<operator_flag, 1> own_flags{{{"mpi-kubectl-delivery-image", &read_image}}};

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

using names = std::vector<rules::object_name>;

/// Names do not depend on options of the operator.
mpi_kind kind_of(mpi_job const& job) {
    static mpi_operator_options const nothing;
    return {job, nothing};
}

names launcher_of(mpi_job const& job) { return {{"", kind_of(job).launcher_name()}}; }
names config_of(mpi_job const& job) { return {{"", kind_of(job).config_name()}}; }
names account_of(mpi_job const& job) { return {{"", kind_of(job).account_name()}}; }

names pods_of(mpi_job const& job) {
    mpi_kind const kind = kind_of(job);
    names members = launcher_of(job);
    // The job may be stored and invalid: there is no webhook.
    auto const count = std::min<std::int64_t>(kind.workers(), mpi_kind::constants.max_replicas);
    for (std::int32_t i = 0; i < count; ++i) members.emplace_back("", kind.name_of(mpi::worker, i));
    return members;
}

template <names (*Names)(mpi_job const&)> rules::by_name_of_primary called() {
    return rules::named_by<mpi_job>([](mpi_job const& job) { return Names(job); });
}

} // namespace

/** Differs from the family: types keep their spelling, and no port is added. If there are two policies for cleaning up,
    that of the run policy applies. Upstream: training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/mpi_defaults.go`,
    `pkg/controller.v1/mpi/mpijob_controller.go`. */
void mpi_kind::set_defaults(mpi_job& job) {
    auto& spec = job.spec;
    auto& policy = spec.run_policy.clean_pod_policy;
    if (!policy) policy = spec.clean_pod_policy.value_or("None");
    if (!spec.clean_pod_policy) spec.clean_pod_policy = policy;
    fill(spec.mpi_replica_specs, mpi::launcher, 1);
    fill(spec.mpi_replica_specs, mpi::worker, 0);
}

std::string_view mpi_kind::schema() noexcept { return embedded::mpi_job_v1_schema; }

std::span<operator_flag const> mpi_kind::flags() noexcept { return own_flags; }

void mpi_kind::add_own_rows(std::vector<rules::watched>& rows) {
    add_rows(rows, object_type_of<core::service_account>, called<&account_of>());
    add_rows(rows, object_type_of<core::config_map>, called<&config_of>());
    add_rows(rows, object_type_of<rbac::role>, called<&launcher_of>());
    add_rows(rows, object_type_of<rbac::role_binding>, called<&launcher_of>());
    add_named(rows, observed_pod_type(), called<&pods_of>()); // those that it controls have a row already
}

std::int32_t mpi_kind::workers() const noexcept {
    auto const* const found = spec_of(mpi::worker);
    return found == nullptr ? 0 : std::max(found->replicas.value_or(0), 0);
}

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/mpi/mpijob.go`, `isGPULauncher`.
bool mpi_kind::launcher_works() const noexcept {
    auto const* const found = spec_of(mpi::launcher);
    return found != nullptr && std::ranges::any_of(found->template_.spec.containers, [](core::container const& c) {
               return std::ranges::any_of(
                   c.resources.limits, [](auto const& entry) { return entry.first.find("gpu") != std::string::npos; });
           });
}

std::string mpi_kind::account_name() const {
    auto const* const found = spec_of(mpi::launcher);
    bool const named = found != nullptr && !found->template_.spec.service_account_name.empty();
    return named ? found->template_.spec.service_account_name : launcher_name();
}

/** Upstream: training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/mpi_validation.go`, which stops at the first fault and
    visits the types in Go map order. It runs before defaults are set. It does not check the name, restart policies,
    managers or the number of workers. */
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
    // Upstream finds no pods by such a label, reports nothing, and retries forever.
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

std::optional<rules::scale_place> mpi_kind::elastic_place() const {
    rules::scale_place place;
    place.least = 1; // without workers the launcher may start processes in every pod of its namespace
    place.most = static_cast<std::int32_t>(constants.max_replicas);
    place.effect =
        "The launcher keeps running and sees the change in the hostfile and in discover_hosts.sh. Elastic programs use "
        "the new hosts, which get new ranks. Other programs do not notice the change, or fail if a host is removed.";
    return place;
}

/// A rank is that of a host, in the order of the hostfile.
void mpi_kind::assign_ranks(membership& layout) const {
    std::int32_t hosts = 0;
    for (auto& r : layout.members)
        if (r.role == mpi::worker || launcher_works()) r.rank = hosts++;
    layout.world_size = hosts;
    if (slots() >= 1) layout.processes_per_member = slots();
    layout.rank_note = "mpirun assigns ranks when it starts, host by host in the order of the hostfile unless its "
                       "options set another order";
}

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/mpi/mpijob_controller.go`, `UpdateJobStatus`. The reason of a
/// failure has the name of the kind twice.
void mpi_kind::judge(status_editor& e) const {
    for (auto type : types()) {
        auto const& spec = *spec_of(type);
        replica_status const counts = e.status().replica_statuses[std::string(type)];
        if (type == mpi::launcher) {
            if (counts.active > 0) e.set("Running", sentence(e, e.job_name(), " is running."));
            if (spec.replicas.value_or(1) == counts.succeeded)
                return e.finish("Succeeded", sentence(e, e.job_name(), " is successfully completed."));
        }
        if (counts.failed == 0) continue;
        std::string const why =
            " because " + std::to_string(counts.failed) + " " + std::string(type) + " replica(s) failed.";
        if (spec.restart_policy == "ExitCode") {
            auto const message = sentence(e, e.job_name(), " is restarting" + why);
            e.raise("Warning", "Restarting", message);
            e.set("Restarting", message);
        } else {
            auto const message = sentence(e, e.job_name(), " is failed" + why);
            e.raise("Normal", "Failed", message);
            if (!e.status().completion_time) e.status().completion_time = e.now();
            e.set("Failed", "True", "MPIJobFailed", message);
        }
    }
}

rules::job_rules const& kftrain_job_rules(type_tag<mpi_job>) noexcept {
    static replica_rules_of<mpi_kind> const instance;
    return instance;
}

result<mpi_job> mpi_job_choices::build(job_choices const& chosen, pod_choices const& pod) const {
    mpi_job made;
    made.spec.slots_per_worker = slots;
    made.spec.main_container = main_container;
    auto& specs = made.spec.mpi_replica_specs;
    kftrain::detail::add_replicas<mpi_kind>(
        specs, mpi::launcher, launcher_works ? pod : kftrain::detail::without_devices(pod), replica_choices(launcher));
    kftrain::detail::add_replicas<mpi_kind>(specs, mpi::worker, kftrain::detail::without_command(pod), workers);
    return kftrain::detail::checked<mpi_kind>(std::move(made), chosen, *this);
}

} // namespace kftrain::kubeflow_v1
