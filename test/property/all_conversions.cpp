#include "property/samples.hpp"

#include <kftrain/convert/registry.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/model/schema.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(property_all_conversions)

using namespace kftrain;

namespace {

/// The errors of the command `lint`. Fields that the schema does not have are warnings: servers drop them.
std::string lint_errors(any_job const& job) {
    std::string text = join_errors(job.validate(), "; ") + join_errors(job.lint(), "; ");
    auto const pruned = prune(job.rules().schema(), job.to_json()).value();
    for (auto const& f : validate(job.rules().schema(), pruned.json).value()) text += " schema: " + f.text();
    return text;
}

bool is_from(convert::conversion const& c, any_job const& job) {
    return c.form.empty() && c.from.kind == job.resource().kind && c.from.api_version() == job.resource().api_version();
}

std::string name_of(resource_info const& info) { return std::string(info.kind).append(".").append(info.version); }

} // namespace

/// Of recorded and of drawn jobs, with each conversion of their kind.
BOOST_AUTO_TEST_CASE(no_conversion_produces_a_job_with_lint_errors) {
    std::map<std::string, std::size_t> converted;
    for (auto const& s : property::samples()) {
        if (!lint_errors(s.job).empty()) continue;
        std::string const text = s.job.to_json();
        for (auto const& c : convert::conversions()) {
            if (!is_from(c, s.job)) continue;
            auto const made = convert::convert_job(yaml_document(text, 1), convert::kind_name(name_of(c.to)));
            if (!made) continue; // with a reason
            ++converted[to_string(c)];
            BOOST_TEST(lint_errors(made->job) == "", s.name << ", " << to_string(c) << ": " << text);
        }
    }
    for (auto const& c : convert::conversions())
        if (c.form.empty() && find_job_rules(c.from.api_version(), c.from.kind) != nullptr)
            BOOST_TEST(converted[to_string(c)] > 3U, to_string(c) << ": " << converted[to_string(c)]);
}

BOOST_AUTO_TEST_SUITE_END()
