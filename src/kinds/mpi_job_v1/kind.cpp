#include "kinds/mpi_job_v1/kind.hpp"

#include "job/contract/field_error.hpp"
#include "job/v1/built_job.hpp"
#include "job/v1/replica_outcome.hpp"
#include "job/v1/replica_plan.hpp"
#include "job/v1/replica_render.hpp"
#include "job/v1/replica_rules.hpp"
#include "kinds/mpi_commands.hpp"
#include "kinds/mpi_job_v1/children.hpp"
#include "kinds/open_mpi_image.hpp"
#include "model/rules/namespace_of.hpp"

#include <kftrain/job/lint.hpp>
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

core::key_to_path item(std::string_view key, std::int32_t mode) {
    core::key_to_path i;
    i.key = key;
    i.path = key;
    i.mode = mode;
    return i;
}

core::volume config_volume(mpi_kind const& job, bool of_launcher) {
    core::volume v;
    v.name = mpi::config_volume;
    auto& source = v.config_map.emplace();
    source.name = job.config_name();
    source.items.push_back(item(mpi::kubexec_key, 0555)); // Open MPI looks for it on every host
    if (of_launcher) {
        source.items.push_back(item(mpi::hostfile_key, 0444));
        source.items.push_back(item(mpi::discovery_key, 0555));
    }
    return v;
}

core::volume_mount mount(std::string_view volume, std::string_view path) {
    core::volume_mount m;
    m.name = volume;
    m.mount_path = path;
    return m;
}

std::vector<core::volume_mount> launcher_mounts() {
    return {mount(mpi::kubectl_volume, mpi::kubectl_path), mount(mpi::config_volume, mpi::config_path)};
}

using enum issue::severity;

constexpr lint_rule no_workers{"lint.mpi-v1.no-workers", warning,
                               "Without workers the hostfile is empty, and the Role of the launcher names no pods, so "
                               "it can start processes in every pod of the namespace."};
constexpr lint_rule slots{"lint.mpi-v1.slots", warning, "mpirun starts no process on a host without slots."};
constexpr lint_rule main_container{"lint.mpi-v1.main-container", error,
                                   "The launcher starts all processes in this container of the workers, and fails if "
                                   "no worker has a container of this name."};
constexpr lint_rule worker_args{
    "lint.mpi-v1.worker-args", warning,
    "The operator gives workers without a command a command that sleeps, and overwrites their args."};
constexpr lint_rule processes{
    "lint.mpi-v1.processes", warning,
    "Open MPI starts no more processes than the hosts have slots, and fails if mpirun asks for "
    "more."};
constexpr lint_rule idle_slots{
    "lint.mpi-v1.idle-slots", info,
    "With fewer processes than slots, slots or whole workers stay idle, and keep their resources."};
constexpr lint_rule clean_pod_policy{
    "lint.mpi-v1.clean-pod-policy", warning,
    "If both spec.cleanPodPolicy and spec.runPolicy.cleanPodPolicy are set, the one of the run policy applies."};
constexpr lint_rule restart_policy{
    "lint.mpi-v1.restart-policy", warning,
    "The operator replaces no failed pod. With ExitCode the job stays Restarting forever, whatever the exit code was."};
constexpr lint_rule open_mpi_5{
    "lint.mpi-v1.open-mpi-5", info,
    "Open MPI 5 does not read the operator's variables. Without PRTE_MCA_plm_ssh_agent and "
    "PRTE_MCA_prte_default_hostfile all processes run in the launcher, and the job succeeds."};

constexpr std::array all{no_workers,       slots,          main_container, worker_args, processes, idle_slots,
                         clean_pod_policy, restart_policy, open_mpi_5};

void lint_hosts(mpi_kind const& job, issues& found) {
    if (job.workers() == 0)
        report(found, no_workers, job.path_of(mpi::worker) + ".replicas",
               job.spec_of(mpi::worker) == nullptr ? "is absent, expected at least 1" : "0, expected at least 1");
    if (job.slots() < 1)
        report(found, slots, "spec.slotsPerWorker", std::to_string(job.slots()) + ", expected at least 1");
}

void lint_workers(mpi_kind const& job, issues& found) {
    auto const* const workers = job.spec_of(mpi::worker);
    if (workers == nullptr || workers->template_.spec.containers.empty()) return;
    auto const& containers = workers->template_.spec.containers;
    if (auto const& main = job.spec().main_container;
        !main.empty() && std::ranges::find(containers, main, &core::container::name) == containers.end())
        report(found, main_container, "spec.mainContainer",
               in_quotes(main) + " is not a container of the workers, expected a container such as " +
                   in_quotes(containers.front().name));
    if (containers.front().command.empty() && !containers.front().args.empty())
        report(found, worker_args, job.path_of(mpi::worker) + ".template.spec.containers[0].args",
               "is set without command, expected command and args, or neither");
}

void lint_processes(mpi_kind const& job, issues& found) {
    auto const* const launcher = job.spec_of(mpi::launcher);
    if (launcher == nullptr || launcher->template_.spec.containers.empty()) return;
    auto const& main = launcher->template_.spec.containers.front();
    std::int64_t const hosts = std::int64_t{job.workers()} + (job.launcher_works() ? 1 : 0);
    auto const all_slots = job.slots() * hosts;
    auto const path =
        job.path_of(mpi::launcher) + ".template.spec.containers[0]" + (main.command.empty() ? ".args" : ".command");
    if (auto const requested = excess_processes(main, all_slots))
        report(found, processes, path,
               "mpirun asks for " + std::to_string(*requested) + " processes, expected at most " +
                   std::to_string(all_slots));
    if (auto const requested = too_few_processes(main, all_slots))
        report(found, idle_slots, path, idle_slots_text(*requested, hosts, job.slots()));
}

void lint_open_mpi(mpi_kind const& job, issues& found) {
    auto const* const launcher = job.spec_of(mpi::launcher);
    if (launcher == nullptr || launcher->template_.spec.containers.empty()) return;
    auto const& main = launcher->template_.spec.containers.front();
    if (!has_open_mpi_5(main.image)) return;
    for (auto const* name : {"PRTE_MCA_plm_ssh_agent", "PRTE_MCA_prte_default_hostfile"})
        if (std::ranges::find(main.env, name, &core::env_var::name) == main.env.end())
            return report(found, open_mpi_5, job.path_of(mpi::launcher) + ".template.spec.containers[0].env",
                          std::string("has no ") + name + ", expected a variable for Open MPI 5");
}

void lint_cleaning(mpi_kind const& job, issues& found) {
    auto const& own = job.spec().clean_pod_policy;
    auto const& counts = job.policy.clean_pod_policy;
    if (own && counts && *own != *counts)
        report(found, clean_pod_policy, "spec.cleanPodPolicy",
               in_quotes(*own) + " has no effect because spec.runPolicy.cleanPodPolicy is " + in_quotes(*counts));
}

void lint_restarts(mpi_kind const& job, issues& found) {
    for (auto type : job.types())
        if (job.spec_of(type)->restart_policy == "ExitCode")
            report(found, restart_policy, job.path_of(type) + ".restartPolicy",
                   "\"ExitCode\" replaces no pod, expected Never or OnFailure");
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
    // Servers require the map in a specification that has other fields. An empty specification may lack it.
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

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/mpi/mpijob_controller.go`, `newLauncher`, in upstream's order.
std::vector<core::env_var> mpi_kind::environment(membership const&, member const& r, core::container const& c) const {
    auto const& containers = spec_of(r.role)->template_.spec.containers;
    if (r.role != mpi::launcher || c.name != containers.front().name) return {};
    std::string const folder = std::string(mpi::config_path) + "/";
    std::string const agent = folder + std::string(mpi::kubexec_key);
    std::vector<core::env_var> env;
    env.emplace_back("OMPI_MCA_plm_rsh_agent", agent);
    env.emplace_back("OMPI_MCA_orte_default_hostfile", folder + std::string(mpi::hostfile_key));
    if (!launcher_works()) {
        // A launcher that only waits should see no GPU, even if the image requests all of them.
        env.emplace_back("NVIDIA_VISIBLE_DEVICES", "");
        env.emplace_back("NVIDIA_DRIVER_CAPABILITIES", "");
    }
    auto const unless_set = [&](std::string name, std::string value) {
        if (std::ranges::find(c.env, name, &core::env_var::name) == c.env.end())
            env.emplace_back(std::move(name), std::move(value));
    };
    unless_set("I_MPI_HYDRA_BOOTSTRAP", "rsh");
    unless_set("I_MPI_HYDRA_BOOTSTRAP_EXEC", agent);
    return env;
}

/// It delivers kubectl, and waits for the workers of the hostfile.
std::vector<core::container> mpi_kind::init_containers(member const& r) const {
    if (r.role != mpi::launcher) return {};
    core::container deliver;
    deliver.name = "kubectl-delivery";
    deliver.image = options_.kubectl_delivery_image;
    deliver.image_pull_policy = "IfNotPresent";
    deliver.env.emplace_back("TARGET_DIR", std::string(mpi::kubectl_path));
    deliver.env.emplace_back("NAMESPACE", namespace_of(metadata));
    deliver.volume_mounts = launcher_mounts();
    for (auto* amounts : {&deliver.resources.limits, &deliver.resources.requests}) {
        amounts->emplace("cpu", "100m");
        amounts->emplace("memory", "512Mi");
        amounts->emplace("ephemeral-storage", "5Gi");
    }
    return {std::move(deliver)};
}

/// Upstream: the same file, `newLauncher` and `newWorker`.
void mpi_kind::complete(pod& p, member const& r) const {
    if (p.spec.containers.empty()) return; // no such job is valid
    auto& main = p.spec.containers.front();
    if (r.role == mpi::launcher) {
        p.spec.service_account_name = account_name();
        std::ranges::move(launcher_mounts(), std::back_inserter(main.volume_mounts));
        auto& tools = p.spec.volumes.emplace_back();
        tools.name = mpi::kubectl_volume;
        tools.empty_dir.emplace();
        p.spec.volumes.push_back(config_volume(*this, true));
        return;
    }
    if (main.command.empty()) {
        main.command = {"sleep"};
        main.args = {"365d"};
    }
    main.volume_mounts.push_back(mount(mpi::config_volume, mpi::config_path));
    p.spec.volumes.push_back(config_volume(*this, false));
}

bool mpi_kind::reconcile_members(prepared_job const& prepared, observed const& world, gang_scheduler const& gang,
                                 status_editor& editor, rules::plan_writer& todo) const {
    return mpi::reconcile_members(prepared, *this, world, gang, editor.status(), todo);
}

void mpi_kind::render_members(membership const& layout, gang_scheduler const& gang,
                              std::vector<any_object>& children) const {
    children.emplace_back(mpi::render_account(*this));
    children.emplace_back(mpi::render_config(*this, {}));
    children.emplace_back(mpi::render_role(*this));
    children.emplace_back(mpi::render_binding(*this));
    for (auto type : {mpi::worker, mpi::launcher})
        for (auto const& r : layout.of_role(type)) children.emplace_back(render_pod(*this, layout, r, gang));
}

std::span<lint_rule const> mpi_kind::lint_rules() noexcept { return all; }

void mpi_kind::lint(issues& found) const {
    lint_hosts(*this, found);
    lint_workers(*this, found);
    lint_cleaning(*this, found);
    lint_restarts(*this, found);
    lint_processes(*this, found);
    lint_open_mpi(*this, found);
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
