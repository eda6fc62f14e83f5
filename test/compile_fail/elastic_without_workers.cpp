// expect: an elastic job needs workers
#include <kftrain/kinds/pytorch_job_builder.hpp>

auto job() { return kftrain::pytorch_job_builder("mnist").image("a:1").master().elastic(1, 4).build(); }
