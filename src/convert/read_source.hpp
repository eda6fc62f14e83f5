#ifndef KFTRAIN_SRC_CONVERT_READ_SOURCE_HPP
#define KFTRAIN_SRC_CONVERT_READ_SOURCE_HPP

#include <kftrain/convert/change.hpp>
#include <kftrain/kinds/mpi_job_v1.hpp>
#include <kftrain/kinds/paddle_job.hpp>
#include <kftrain/kinds/tf_job.hpp>
#include <kftrain/kinds/xgboost_job.hpp>
#include <kftrain/model/document.hpp>

namespace kftrain::convert {

/// Decodes a document. Fields that the type does not have are kept, so that the conversion can report them.
template <class Source> result<Source> read_source(document& text) {
    Source source;
    if (auto r = text.decode_losslessly(descriptor_of<Source>(), &source); !r) return r.error();
    return source;
}

/// Whether a document is a TFJob of tf-operator: of `v1alpha2`, `v1beta1` or `v1beta2`, or of `v1` with fields of the
/// run policy in the spec itself.
result<bool> is_old_tf_job(document&);
/// Reads such a document as today's TFJob.
result<converted<tf_job>> read_old_tf_job(document&);

/// Reads a TFJob of `kubeflow.org/v1alpha1` as one of `kubeflow.org/v1`.
result<converted<tf_job>> read_first_tf_job(document&);
/// Reads an MPIJob of `kubeflow.org/v1alpha1` as one of `kubeflow.org/v1`.
result<converted<kubeflow_v1::mpi_job>> read_first_mpi_job(document&);
/// Reads an MPIJob of `kubeflow.org/v1alpha2` as one of `kubeflow.org/v1`.
result<converted<kubeflow_v1::mpi_job>> read_old_mpi_job(document&);
/// Reads a PaddleJob of `batch.paddlepaddle.org` as one of `kubeflow.org/v1`.
result<converted<paddle_job>> read_old_paddle_job(document&);
/// Reads an XGBoostJob of `xgboostjob.kubeflow.org` as one of `kubeflow.org/v1`.
result<converted<xgboost_job>> read_old_xgboost_job(document&);

} // namespace kftrain::convert

#endif
