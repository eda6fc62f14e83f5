#include "cli/cluster/output/print_jobs.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(cli_explanation_key)

using namespace kftrain;
using kftrain::cli::key_of;

namespace {

std::string key_with(std::string summary) {
    explanation e;
    e.causes.emplace_back().summary = std::move(summary);
    return key_of(e);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_changed_summary_changes_the_key) {
    BOOST_TEST(key_with("quota gpus: requested 4, used 8, limited 8") !=
               key_with("quota gpus: requested 4, used 6, limited 8"));
    BOOST_TEST(key_with("2 hosts have no GPU") != key_with("3 hosts have no GPU"));
    BOOST_TEST(key_with("0/5 nodes are available") != key_with("0/6 nodes are available"));
}

BOOST_AUTO_TEST_CASE(changed_evidence_keeps_the_key) {
    explanation before, after;
    before.causes.emplace_back();
    after.causes.emplace_back().evidence = {"event: 3 times"};
    BOOST_TEST(key_of(before) == key_of(after));
}

BOOST_AUTO_TEST_SUITE_END()
