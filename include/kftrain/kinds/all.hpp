#ifndef KFTRAIN_KINDS_ALL_HPP
#define KFTRAIN_KINDS_ALL_HPP

/** @file The list of job kinds, the only place that names them all. A new kind adds its header and its type here. */

#include <kftrain/job/training_job.hpp>
#include <kftrain/kinds/chainer_job.hpp>
#include <kftrain/kinds/jax_job.hpp>
#include <kftrain/kinds/mpi_job_v1.hpp>
#include <kftrain/kinds/mpi_job_v2beta1.hpp>
#include <kftrain/kinds/mx_job.hpp>
#include <kftrain/kinds/paddle_job.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kinds/pytorch_job_v1alpha1.hpp>
#include <kftrain/kinds/tf_job.hpp>
#include <kftrain/kinds/train_job.hpp>
#include <kftrain/kinds/volcano_job.hpp>
#include <kftrain/kinds/xgboost_job.hpp>

namespace kftrain {

/// Job types, in the order in which they are listed.
template <training_job... Kinds> struct job_list {};

/// Every kind of this library.
using known_jobs = job_list<pytorch_job, tf_job, jax_job, xgboost_job, paddle_job, mx_job, kubeflow_v1::mpi_job,
                            mpi_job, chainer_job, kubeflow_v1alpha1::pytorch_job, volcano_job, train_job>;

} // namespace kftrain

#endif
