#ifndef KFTRAIN_CONVERT_VOLCANO_JOB_HPP
#define KFTRAIN_CONVERT_VOLCANO_JOB_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/convert/change.hpp>
#include <kftrain/kinds/jax_job.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kinds/tf_job.hpp>
#include <kftrain/kinds/volcano_job.hpp>
#include <kftrain/kinds/xgboost_job.hpp>

namespace kftrain::convert {

/** The Job of Volcano that trains as this PyTorchJob does, as a manifest: its status and what servers wrote into its metadata stay
    behind. Each replica type is a task by its name in lower case, so pods keep their names; the plugins `pytorch` and `svc` tell pods
    their ranks, which are the same. The pods start as a gang, and by policies the job ends when its master does.
    @par Errors `errc::invalid_job` for a job that its own kind refuses, that has no master, and for one that has no valid
    counterpart; the path names the field of the source.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/pytorch/`, volcano v1.9.0 `pkg/controllers/job/plugins/` */
result<converted<volcano_job>> to_volcano(pytorch_job const&);

/** The same of a TFJob, with plugin `tensorflow`. It ends with its chief or master, or else with all of its workers. Errors as above;
    a master is not asked for. */
result<converted<volcano_job>> to_volcano(tf_job const&);

/** The same of an XGBoostJob, with plugin `pytorch`, which tells ranks as XGBoost reads them. Variables in the templates name all workers
    and their port. Errors as above; a job with workers and a name that is to be generated is refused. */
result<converted<volcano_job>> to_volcano(xgboost_job const&);

/** The same of a JAXJob, by variables in its template. It ends when all workers have. Errors as above; a name that is to be generated is
    refused. */
result<converted<volcano_job>> to_volcano(jax_job const&);

} // namespace kftrain::convert

#endif
