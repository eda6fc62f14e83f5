// expect: could not convert|no viable conversion|cannot convert
#include <kftrain/kinds/pytorch_job_builder.hpp>

auto job() { return kftrain::pytorch_job_builder("mnist").deadline(3600); }
