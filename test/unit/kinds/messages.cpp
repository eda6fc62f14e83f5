#include "support/annotated_documents.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/lint.hpp>
#include <kftrain/kinds/registry.hpp>

#include <boost/test/unit_test.hpp>

/// The messages of admission and lint about jobs of each kind, in full. The comments in front of each job of
/// test/data/job_faults are `RULE: MESSAGE` of each issue in order; if admission rejects the job, those of lint are
/// left out.
BOOST_AUTO_TEST_SUITE(kinds_messages)

using namespace kftrain;
using lines = std::vector<std::string>;

namespace {

lines faults_of(std::string const& text) {
    auto const job = parse_job(text);
    if (!job) return {job.error().to_string()};
    auto found = job->validate();
    if (!has_errors(found)) {
        auto const more = job->lint();
        found.insert(found.end(), more.begin(), more.end());
    }
    lines all;
    for (auto const& i : found) all.push_back(i.rule + ": " + i.message);
    return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(each_fault_has_its_message) {
    auto const documents = test::annotated_documents("job_faults");
    BOOST_TEST(documents.size() > 10U);
    for (auto const& document : documents) BOOST_TEST_CONTEXT(document.file << ": " << document.text)
    BOOST_TEST(faults_of(document.text) == document.comments, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
