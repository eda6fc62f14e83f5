// expect: image\(\) was called already
#include <kftrain/kinds/pytorch_job_builder.hpp>

auto job() { return kftrain::pytorch_job_builder("mnist").image("a:1").image("b:1"); }
