// expect: elastic\(\) was called already
#include <kftrain/kinds/pytorch_job_builder.hpp>

auto job() { return kftrain::pytorch_job_builder("mnist").elastic(1, 4).elastic(2, 4); }
