// expect: call workers\(\) or masters\(\)
#include <kftrain/kinds/paddle_job_builder.hpp>

auto job() { return kftrain::paddle_job_builder("resnet").image("a:1").build(); }
