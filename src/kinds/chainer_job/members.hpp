#ifndef KFTRAIN_SRC_KINDS_CHAINER_JOB_MEMBERS_HPP
#define KFTRAIN_SRC_KINDS_CHAINER_JOB_MEMBERS_HPP

#include "kinds/chainer_job/names.hpp"

#include <kftrain/job/injected_file.hpp>
#include <kftrain/job/job_phase.hpp>
#include <kftrain/job/membership.hpp>
#include <kftrain/job/plan.hpp>
#include <kftrain/job/scaling.hpp>

namespace kftrain::kubeflow_v1alpha1::chainer {

/** The master, whose pod has an unknown name, then the workers set by set. A rank is that of a host in the hostfile,
    where the master is last; pods have no services. Expects a valid job with defaults. */
membership lay_out(chainer_job const&);
/// The pod of a member, as a controller makes it of the template.
core::pod render_pod(chainer_job const&, member const&);
/// The hostfile of the master of a distributed job, as gen_hostfile.sh writes it once all workers run; the name of its
/// own pod ends in `-*`.
std::vector<injected_file> written_files(chainer_job const&, membership const&, member const&);

job_phase phase_of(chainer_job const&) noexcept;
bool has_ended(batch::job_status const&) noexcept;

/// The sets, while the job has not ended.
rules::scaling scaling_of(chainer_job const&);
/// Scales by a merge patch; expects the stored job. @par Errors `errc::invalid_argument`, see rules::job_rules
result<rules::job_write> scaled(chainer_job const&, std::string_view set, std::int32_t workers);

} // namespace kftrain::kubeflow_v1alpha1::chainer

#endif
