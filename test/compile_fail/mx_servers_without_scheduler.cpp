// expect: servers and workers meet at it
#include <kftrain/kinds/mx_job_builder.hpp>

auto job() { return kftrain::mx_job_builder("mnist").image("a:1").servers(1).workers(2).build(); }
