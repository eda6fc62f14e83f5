#ifndef KFTRAIN_TEST_PROPERTY_MADE_JOBS_HPP
#define KFTRAIN_TEST_PROPERTY_MADE_JOBS_HPP

#include <kftrain/kinds/pytorch_job.hpp>

#include <cstdint>

namespace property {

/// A job that admission accepts; another one for each seed.
kftrain::pytorch_job make_job(std::uint64_t seed);

} // namespace property

#endif
