// expect: no matching (member )?function for call to .*gpus
#include <kftrain/kinds/pytorch_job_builder.hpp>

auto job() { return kftrain::pytorch_job_builder("mnist").gpus("8"); }
