// expect: call workers\(\) before build\(\)
#include <kftrain/kinds/mpi_job_v1_builder.hpp>

auto job() { return kftrain::kubeflow_v1::mpi_job_builder("pi").image("example.com/pi:1").build(); }
