// The precompiled header of the tests: that of the library, and what nearly every test parses besides.
#include "../src/pch.hpp"

#include <kftrain/kinds/jax_job.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/objects/core.hpp>

#include <boost/test/unit_test.hpp>
