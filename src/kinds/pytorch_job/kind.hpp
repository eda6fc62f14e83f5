#ifndef KFTRAIN_SRC_KINDS_PYTORCH_JOB_KIND_HPP
#define KFTRAIN_SRC_KINDS_PYTORCH_JOB_KIND_HPP

#include "job/v1/replica_job.hpp"

#include <kftrain/kinds/pytorch_job.hpp>

#include <array>

namespace kftrain::kubeflow_v1 {
namespace pytorch {

inline constexpr std::string_view master = "Master";
inline constexpr std::string_view worker = "Worker";
inline constexpr std::array<std::string_view, 2> types{master, worker};

/** The number in a text as the operator reads it with Go's `strconv.Atoi`: decimal digits after at most one sign,
    within 64 bits. Empty for anything else. torchrun's `int()` reads the same number from all of these.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/pytorch/envvar.go`, `getNprocPerNodeInt` */
std::optional<std::int64_t> process_count(std::string_view text) noexcept;

/// The number that `nprocPerNode` states; absent for the words auto, cpu and gpu, and when it states nothing.
std::optional<std::int64_t> stated_processes(pytorch_job const&) noexcept;

/// The containers in which workers wait for the master's name.
std::vector<core::container> init_containers(pytorch_operator_options const&, std::string_view master);

} // namespace pytorch

/// PyTorchJobs as a kind of the family: see replica_rules_of.
class pytorch_kind final : public replica_job {
public:
    using object = pytorch_job;
    using options = pytorch_operator_options;
    static constexpr replica_constants constants = {.controller = "pytorchjob-controller",
                                                    .container = "pytorch",
                                                    .port_name = "pytorchjob-port",
                                                    .port = 23456,
                                                    .default_restart_policy = "OnFailure",
                                                    .specs_field = "pytorchReplicaSpecs",
                                                    .types = pytorch::types,
                                                    .admission_name =
                                                        "validator.pytorchjob.training-operator.kubeflow.org"};

    pytorch_kind(pytorch_job const&, pytorch_operator_options const&);

    static void set_defaults(pytorch_job&);
    static std::string_view schema() noexcept;
    static std::span<lint_rule const> lint_rules() noexcept;
    static std::span<operator_flag const> flags() noexcept;
    static void add_own_rows(std::vector<rules::watched>&);

    void validate_spec(issues&) const override;
    void validate_replica(std::string_view type, replica_spec const&, issues&) const override;
    void lint(issues&) const override;
    bool is_elastic() const noexcept override { return job_.spec.elastic_policy.has_value(); }
    std::optional<rules::scale_place> elastic_place() const override;
    void assign_ranks(membership&) const override;
    bool is_master(member const&) const override;
    std::vector<core::env_var> environment(membership const&, member const&, core::container const&) const override;
    std::vector<core::container> init_containers(member const&) const override;
    std::vector<any_object> own_children() const override;
    void reconcile_own(observed const&, rules::plan_writer&) const override;
    void judge(status_editor&) const override;

private:
    void add_elastic_environment(std::vector<core::env_var>&) const;

    pytorch_job const& job_;
    pytorch_operator_options const& options_;
    /// The same for all workers, so made once.
    mutable std::optional<std::vector<core::container>> init_containers_;
};

} // namespace kftrain::kubeflow_v1

#endif
