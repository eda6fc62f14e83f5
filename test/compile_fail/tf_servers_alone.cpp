// expect: call chief\(\) or workers\(\) before build\(\)
#include <kftrain/kinds/tf_job_builder.hpp>

auto job() { return kftrain::tf_job_builder("mnist").image("example.com/mnist:1").parameter_servers(2).build(); }
