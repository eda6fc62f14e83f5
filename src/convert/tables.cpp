#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include "convert/old_mpi_job.hpp"
#include "convert/old_mx_job.hpp"
#include "convert/old_paddle_job.hpp"
#include "convert/old_pytorch_job.hpp"
#include "convert/old_tf_job.hpp"

#include <kftrain/model/reflect.hpp>

namespace kftrain::convert {

KFTRAIN_TABLE(old_pytorch_spec)
KFTRAIN_TABLE(old_pytorch_job)
KFTRAIN_TABLE(spec_fields)
KFTRAIN_TABLE(job_fields)
KFTRAIN_TABLE(old_mx_replicas)
KFTRAIN_TABLE(old_mx_spec)
KFTRAIN_TABLE(old_mx_job)
KFTRAIN_TABLE(mx_spec_fields)
KFTRAIN_TABLE(mx_job_fields)
KFTRAIN_TABLE(first_mx_set)
KFTRAIN_TABLE(first_chief)
KFTRAIN_TABLE(first_policy)
KFTRAIN_TABLE(first_mx_spec)
KFTRAIN_TABLE(first_mx_job)
KFTRAIN_TABLE(tf_policy_fields)
KFTRAIN_TABLE(tf_job_fields)
KFTRAIN_TABLE(old_tf_spec)
KFTRAIN_TABLE(old_tf_job)
KFTRAIN_TABLE(first_tf_set)
KFTRAIN_TABLE(first_tf_spec)
KFTRAIN_TABLE(first_tf_job)
KFTRAIN_TABLE(old_mpi_spec)
KFTRAIN_TABLE(old_mpi_job)
KFTRAIN_TABLE(first_mpi_spec)
KFTRAIN_TABLE(first_mpi_job)
KFTRAIN_TABLE(old_paddle_set)
KFTRAIN_TABLE(old_paddle_spec)
KFTRAIN_TABLE(old_paddle_job)
KFTRAIN_TABLE(old_xgboost_spec)
KFTRAIN_TABLE(old_xgboost_job)

} // namespace kftrain::convert
