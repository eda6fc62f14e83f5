// expect: a PyTorchJob has at most one master
#include <kftrain/kinds/pytorch_job_builder.hpp>

auto job() { return kftrain::pytorch_job_builder("mnist").master().master(); }
