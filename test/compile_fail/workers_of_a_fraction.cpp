// expect: no matching (member )?function for call to .*workers
#include <kftrain/kinds/pytorch_job_builder.hpp>

auto job() { return kftrain::pytorch_job_builder("mnist").workers(2.5); }
