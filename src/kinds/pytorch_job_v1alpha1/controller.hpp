#ifndef KFTRAIN_SRC_KINDS_PYTORCH_JOB_V1ALPHA1_CONTROLLER_HPP
#define KFTRAIN_SRC_KINDS_PYTORCH_JOB_V1ALPHA1_CONTROLLER_HPP

#include <kftrain/kinds/pytorch_job_v1alpha1.hpp>

#include <kftrain/job/controller_rules.hpp>

namespace kftrain::kubeflow_v1alpha1::pytorch {

/** The rules of the controller of these PyTorchJobs, for rules::controller_of.
    @par Upstream pytorch-operator v0.3.0 `pkg/controller/controller.go` */
class pytorch_controller {
public:
    using object = pytorch_job;
    static constexpr std::string_view name = "kubeflow-pytorch-operator";
    static constexpr rules::status_form status = rules::status_form::whole_object; // there is no subresource

    explicit pytorch_controller(pytorch_operator_options = {});

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    rules::plan make_plan(rules::look<pytorch_job> const&) const;

protected:
    pytorch_operator_options const& options() const noexcept { return options_; }

private:
    pytorch_operator_options options_;
    std::vector<rules::watched> rows_;
};

} // namespace kftrain::kubeflow_v1alpha1::pytorch

#endif
