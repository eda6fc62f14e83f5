// expect: call master\(\) or workers\(\) before build\(\)
#include <kftrain/kinds/pytorch_job_builder.hpp>

auto job() { return kftrain::pytorch_job_builder("mnist").image("example.com/mnist:1").build(); }
