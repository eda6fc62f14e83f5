// expect: .*has no member named .workers
#include <kftrain/kinds/pytorch_job_builder.hpp>

auto pod() { return kftrain::pod_settings().image("a:1").workers(3); }
