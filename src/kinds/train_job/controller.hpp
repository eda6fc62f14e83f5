#ifndef KFTRAIN_SRC_KINDS_TRAIN_JOB_CONTROLLER_HPP
#define KFTRAIN_SRC_KINDS_TRAIN_JOB_CONTROLLER_HPP

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/train_job.hpp>

#include <span>
#include <vector>

namespace kftrain::trainer {

/// Names of what is watched.
namespace row {
inline constexpr std::string_view job_sets = "job sets";
inline constexpr std::string_view config_maps = "config maps";
inline constexpr std::string_view secrets = "secrets";
inline constexpr std::string_view gangs = "pod groups";
inline constexpr std::string_view runtimes = "runtimes";
} // namespace row

/** The rules of the controller of TrainJobs, for rules::job_rules_of.
    @par Upstream kubeflow/trainer v2.3.0 `pkg/controller/trainjob_controller.go` */
class job_controller {
public:
    using object = train_job;
    static constexpr std::string_view name = "trainjob-controller";
    static constexpr rules::status_form status = rules::status_form::merge_patch;

    job_controller();

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    rules::plan make_plan(rules::job_look<train_job> const&) const;

private:
    std::vector<rules::watched> rows_;
};

} // namespace kftrain::trainer

#endif
