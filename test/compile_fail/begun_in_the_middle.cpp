// expect: begin with a builder without parts
#include <kftrain/kinds/pytorch_job_builder.hpp>

namespace v1 = kftrain::kubeflow_v1;
auto job() { return v1::basic_pytorch_job_builder<v1::detail::pytorch_master>("mnist"); }
