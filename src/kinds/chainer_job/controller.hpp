#ifndef KFTRAIN_SRC_KINDS_CHAINER_JOB_CONTROLLER_HPP
#define KFTRAIN_SRC_KINDS_CHAINER_JOB_CONTROLLER_HPP

#include <kftrain/kinds/chainer_job.hpp>

#include <kftrain/job/controller_rules.hpp>

namespace kftrain::kubeflow_v1alpha1::chainer {

/** The rules of the controller of ChainerJobs, for rules::controller_of.
    @par Upstream chainer-operator, its last state, `pkg/controllers/chainer_controller.go` */
class chainer_controller {
public:
    using object = chainer_job;
    static constexpr std::string_view name = "chainer-job-controller";
    static constexpr rules::status_form status = rules::status_form::whole_object; // there is no subresource

    chainer_controller();

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    rules::plan make_plan(rules::look<chainer_job> const&) const;

private:
    std::vector<rules::watched> rows_;
};

} // namespace kftrain::kubeflow_v1alpha1::chainer

#endif
