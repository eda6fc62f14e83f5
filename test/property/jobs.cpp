#include "property/samples.hpp"

#include <kftrain/job/prepared_job.hpp>
#include <kftrain/kinds/registry.hpp>

#include "support/drawn_jobs.hpp"
#include "support/job_plan.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

BOOST_AUTO_TEST_SUITE(property_jobs)

using namespace kftrain;

using property::samples;

namespace {

std::vector<std::string> texts_of(std::vector<any_object> const& children) {
    std::vector<std::string> texts;
    for (auto const& c : children) texts.push_back(c.to_json());
    return texts;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_sufficient_share_of_generated_jobs_of_every_kind_is_admitted) {
    for (auto const* rules : known_job_rules()) {
        auto const share = property::admitted_share(*rules);
        BOOST_TEST(share >= 0.1, test::kind_of(*rules) << ": " << share);
    }
}

BOOST_AUTO_TEST_CASE(every_job_is_valid) {
    std::size_t recorded = 0;
    for (auto const& s : samples()) {
        BOOST_TEST(join_errors(s.job.validate(), "; ") == "", s.name << ": " << join_errors(s.job.validate(), "; "));
        recorded += s.name.starts_with("seed ") ? 0U : 1U;
    }
    BOOST_TEST(recorded > 100U);
}

BOOST_AUTO_TEST_CASE(rendering_is_deterministic_and_survives_encoding) {
    for (auto const& s : samples()) {
        auto const rendered = texts_of(s.job.render(s.options));
        BOOST_TEST(rendered.empty() == s.job.members().members.empty(), s.name);
        BOOST_TEST(texts_of(s.job.render(s.options)) == rendered, s.name);
        BOOST_TEST(texts_of(s.job.with_defaults().render(s.options)) == rendered, s.name);
        for (auto const& text : {s.job.to_json(), s.job.to_yaml(), s.job.with_defaults().to_yaml()})
            BOOST_TEST(texts_of(parse_job(text).value().render(s.options)) == rendered, s.name);
    }
}

BOOST_AUTO_TEST_CASE(rendered_pods_agree_with_the_lookup_and_the_plan) {
    time_point const now{std::chrono::seconds(1'700'000'000)};
    for (auto const& s : samples()) {
        auto const job = prepared_job::admitted(s.job, s.options);
        auto const& layout = job.layout();
        std::set<std::string> rendered;
        for (auto const& c : s.job.render(s.options)) {
            rendered.insert(c.to_json());
            auto const* p = c.get_if<pod>();
            if (p == nullptr) continue;
            auto const* r = layout.of(p->metadata);
            BOOST_TEST_REQUIRE(r != nullptr, s.name);
            BOOST_TEST(to_json(job.pod_of(*r)) == to_json(*p), s.name);
        }
        for (auto const& step : plan_of(s.job, {}, now, s.options).steps)
            for (auto const& action : step.actions)
                if (auto const* create = std::get_if<rules::create>(&action))
                    BOOST_TEST(rendered.contains(create->object.to_json()), s.name);
    }
}

BOOST_AUTO_TEST_CASE(written_jobs_read_back_unchanged) {
    for (auto const& s : samples())
        for (auto const& text : {s.job.to_json(), s.job.to_yaml()}) {
            auto const again = parse_job(text).value();
            BOOST_TEST(equal(*s.job.type().model, again.get(), s.job.get()), s.name);
        }
}

BOOST_AUTO_TEST_CASE(defaults_are_idempotent_and_keep_the_job_valid) {
    for (auto const& s : samples()) {
        any_job job = s.job.with_defaults();
        auto const once = job.to_json();
        BOOST_TEST(join_errors(job.validate(), "; ") == "", s.name);
        job.set_defaults();
        BOOST_TEST(job.to_json() == once, s.name);
        any_job read = parse_job(once).value();
        read.set_defaults();
        BOOST_TEST(read.to_json() == once, s.name);
    }
}

BOOST_AUTO_TEST_SUITE_END()
