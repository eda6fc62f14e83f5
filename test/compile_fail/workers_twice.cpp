// expect: workers\(\) was called already
#include <kftrain/kinds/pytorch_job_builder.hpp>

auto job() { return kftrain::pytorch_job_builder("mnist").workers(3).workers(4); }
