// expect: with dynamic_workers\(\) a chief\(\) or an evaluator\(\) would not know the other tasks
#include <kftrain/kinds/tf_job_builder.hpp>

auto job() { return kftrain::tf_job_builder("mnist").image("example.com/mnist:1").chief().dynamic_workers().build(); }
