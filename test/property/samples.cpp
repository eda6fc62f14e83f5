#include "property/samples.hpp"

#include "golden/kinds/flags.hpp"
#include "support/drawn_jobs.hpp"
#include "support/sanitized.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>

#include <iostream>
#include <map>

namespace property {

using namespace kftrain;

namespace {

constexpr std::size_t wanted_of_each_kind = test::draws(200);
constexpr std::size_t most_drawn = 1000;

struct drawn_kind {
    drawn_kind() = default;

    std::vector<std::string> documents;
    std::size_t admitted = 0;
};

/// The drawn jobs of every kind; they follow the recorded jobs and those of the examples.
std::map<std::string, drawn_kind> drawn_kinds;

/// Appends the drawn jobs that are admitted.
void draw_jobs(std::vector<sample>& found) {
    test::known_documents known;
    for (auto const& s : found) known.learn(s.job);
    known.learn_folder(KFTRAIN_SOURCE_DIR "/examples/manifests");
    for (auto const* rules : known_job_rules()) {
        auto const kind = test::kind_of(*rules);
        test::job_drawer const drawer(*rules, known.of(*rules));
        auto& drawn = drawn_kinds[kind];
        while (drawn.admitted < wanted_of_each_kind && drawn.documents.size() < most_drawn) {
            auto const seed = drawn.documents.size() + 1;
            drawn.documents.push_back(drawer.draw(seed));
            auto job = test::admitted(drawn.documents.back());
            if (!job) continue;
            ++drawn.admitted;
            found.push_back({"seed " + std::to_string(seed) + " of " + kind, *std::move(job)});
        }
        std::cout << kind << ": " << drawn.admitted << " of " << drawn.documents.size() << " drawn jobs are admitted\n";
    }
}

} // namespace

std::vector<sample> const& samples() {
    static std::vector<sample> const all = [] {
        std::vector<sample> found;
        for (auto const& c : golden::read_recordings(KFTRAIN_SOURCE_DIR "/test/golden")) {
            if (!c.admission.at("accepted").as_bool()) continue;
            // Refused by kftrain on purpose: docs/reference/upstream-differences.md, `#empty-map` and the row of `null`
            // entries.
            if (c.name == "map-empty" || c.name == "empty-map" || c.name == "null-replica-spec") continue;
            // Kinds without a subresource `scale` take a negative number, and the pods get a meaningless sum.
            if (c.name == "schema-replicas-negative") continue;
            for (auto const* object : {&c.job, &c.admission.at("stored").as_object()})
                if (auto job = parse_job(boost::json::serialize(*object))) {
                    // Without a webhook bad jobs are stored, too.
                    if (job->rules().form().admission_name.empty() && has_errors(job->validate())) continue;
                    found.push_back({c.path(), *std::move(job), golden::read_flags(c.about)});
                }
        }
        draw_jobs(found);
        return found;
    }();
    return all;
}

std::vector<std::string> const& drawn_documents(rules::job_rules const& rules) {
    (void)samples();
    return drawn_kinds[test::kind_of(rules)].documents;
}

double admitted_share(rules::job_rules const& rules) {
    (void)samples();
    auto const& drawn = drawn_kinds[test::kind_of(rules)];
    return static_cast<double>(drawn.admitted) / static_cast<double>(drawn.documents.size());
}

} // namespace property
