#include "support/long_documents.hpp"
#include "support/sanitized.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(model_long_documents)

// Checks the results; bench_growth measures how the times grow.
BOOST_AUTO_TEST_CASE(long_documents_are_validated_pruned_and_patched,
                     *boost::unit_test::enable_if<!kftrain::test::sanitized>()) {
    for (auto const& d : kftrain::test::long_documents()) BOOST_TEST(d.run(50'000), d.what);
}

BOOST_AUTO_TEST_SUITE_END()
