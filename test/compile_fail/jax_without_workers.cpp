// expect: call workers\(\) before build
#include <kftrain/kinds/jax_job_builder.hpp>

auto job() { return kftrain::jax_job_builder("llm").image("a:1").build(); }
