// expect: begin with pytorch_job_builder
#include <kftrain/kinds/pytorch_job_builder.hpp>

auto job() { return kftrain::basic_pytorch_job_builder<kftrain::detail::pytorch_image>("mnist"); }
