#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V1_KIND_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V1_KIND_HPP

#include "job/v1/replica_job.hpp"

#include <kftrain/kinds/mpi_job_v1.hpp>

#include <array>

namespace kftrain::kubeflow_v1 {
namespace mpi {

inline constexpr std::string_view launcher = "Launcher";
inline constexpr std::string_view worker = "Worker";
inline constexpr std::array<std::string_view, 2> types{launcher, worker};

inline constexpr std::string_view config_path = "/etc/mpi";
inline constexpr std::string_view config_volume = "mpi-job-config";
inline constexpr std::string_view kubectl_path = "/opt/kube";
inline constexpr std::string_view kubectl_volume = "mpi-job-kubectl";
inline constexpr std::string_view kubexec_key = "kubexec.sh";
inline constexpr std::string_view hostfile_key = "hostfile";
inline constexpr std::string_view discovery_key = "discover_hosts.sh";

/// The columns of `kubectl get`.
inline constexpr std::array<rules::printed_column, 2> columns{
    {{"Age", "date", ".metadata.creationTimestamp"}, {"State", "string", ".status.conditions[-1:].type"}}};

} // namespace mpi

/** MPIJobs as a kind of the family: see replica_rules_of. Their members are pods without services, which find each
    other by `kubectl exec`. */
class mpi_kind final : public replica_job {
public:
    using object = mpi_job;
    using options = mpi_operator_options;
    /// The name of the container is not required.
    static constexpr replica_constants constants = {.controller = "mpijob-controller",
                                                    .container = "mpi",
                                                    .trains_in_first = true,
                                                    .default_restart_policy = "Never",
                                                    .specs_field = "mpiReplicaSpecs",
                                                    .types = mpi::types,
                                                    .launcher = mpi::launcher,
                                                    .columns = mpi::columns,
                                                    .deleted_reason = "SuccessfulDeleteJob",
                                                    .own_members = true,
                                                    .keeps_finalizers = false,
                                                    .dates_all_ends = true};

    mpi_kind(mpi_job const& job, mpi_operator_options const& given)
        : replica_job(job, job.spec.mpi_replica_specs, constants), job_(job), options_(given) {}

    static void set_defaults(mpi_job&);
    static std::string_view schema() noexcept;
    static std::span<lint_rule const> lint_rules() noexcept;
    static std::span<operator_flag const> flags() noexcept;
    static void add_own_rows(std::vector<rules::watched>&);

    mpi_job_spec const& spec() const noexcept { return job_.spec; }
    std::int32_t slots() const noexcept { return job_.spec.slots_per_worker.value_or(1); }
    std::int32_t workers() const noexcept; ///< 0 without workers, never negative
    /// Whether the launcher is the first host: it is if any of its containers has a limit for a resource with gpu in
    /// its name.
    bool launcher_works() const noexcept;
    std::string launcher_name() const { return name_of(mpi::launcher, 0); }
    std::string config_name() const { return metadata.name + "-config"; }
    /// The service account of the launcher.
    std::string account_name() const;

    void find_faults(replica_job const* before, issues&) const override;
    rules::plan plan_of_invalid(issues const&) const override;
    void lint(issues&) const override;
    std::optional<rules::scale_place> elastic_place() const override;
    void assign_ranks(membership&) const override;
    bool has_index(std::string_view type) const noexcept override { return type != mpi::launcher; }
    bool is_master(member const& r) const override { return r.role == mpi::launcher; }
    std::vector<core::env_var> environment(membership const&, member const&, core::container const&) const override;
    std::vector<core::container> init_containers(member const&) const override;
    void complete(pod&, member const&) const override;
    void render_members(membership const&, gang_scheduler const&, std::vector<any_object>&) const override;
    bool reconcile_members(prepared_job const&, observed const&, gang_scheduler const&, status_editor&,
                           rules::plan_writer&) const override;
    void judge(status_editor&) const override;

private:
    mpi_job const& job_;
    mpi_operator_options const& options_;
};

} // namespace kftrain::kubeflow_v1

#endif
