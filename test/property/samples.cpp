#include "property/samples.hpp"

#include "golden/flags.hpp"
#include "property/made_jobs.hpp"
#include "support/drawn_jobs.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>

namespace property {

using namespace kftrain;

namespace {

std::string text_of_file(std::filesystem::path const& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

constexpr std::uint64_t drawn_of_each_kind = 150;

/// Jobs drawn of every kind, after the recorded ones and those of the examples: appended if they are admitted.
std::map<std::string, std::size_t> draw_jobs(std::vector<sample>& found) {
    std::map<std::string, std::vector<boost::json::value>> known;
    auto const name_of = [](any_job const& job) {
        return job.resource().api_version() + " " + std::string(job.resource().kind);
    };
    for (auto const& s : found) known[name_of(s.job)].push_back(boost::json::parse(s.job.to_json()));
    std::set<std::filesystem::path> manifests; // in one order everywhere, or other jobs are drawn
    for (auto const& file : std::filesystem::directory_iterator(KFTRAIN_SOURCE_DIR "/examples/manifests"))
        if (file.is_regular_file()) manifests.insert(file.path());
    for (auto const& file : manifests)
        if (auto const job = parse_job(text_of_file(file)))
            known[name_of(*job)].push_back(boost::json::parse(job->to_json()));
    std::map<std::string, std::size_t> admitted_of;
    for (auto const* rules : known_job_rules()) {
        auto const kind = name_of(any_job(*rules));
        test::job_drawer const drawer(*rules, known[kind]);
        for (std::uint64_t seed = 1; seed <= drawn_of_each_kind; ++seed) {
            auto job = test::admitted(drawer.draw(seed));
            if (!job) continue;
            ++admitted_of[kind];
            found.push_back({"seed " + std::to_string(seed) + " of " + kind, *std::move(job)});
        }
        std::cout << kind << ": " << admitted_of[kind] << " of " << drawn_of_each_kind << " drawn jobs are admitted\n";
    }
    return admitted_of;
}

std::map<std::string, std::size_t> admitted_of_kinds;

} // namespace

std::vector<sample> const& samples() {
    static std::vector<sample> const all = [] {
        std::vector<sample> found;
        for (auto const& c : golden::read_recordings(KFTRAIN_SOURCE_DIR "/test/golden")) {
            if (!c.admission.at("accepted").as_bool()) continue;
            // Refused by kftrain on purpose: docs/upstream-differences.md, `#empty-map` and the row of `null` entries.
            if (c.name == "map-empty" || c.name == "empty-map" || c.name == "null-replica-spec") continue;
            // Kinds without a subresource `scale` take a negative number, and pods are told of a sum that says nothing.
            if (c.name == "schema-replicas-negative") continue;
            for (auto const* object : {&c.job, &c.admission.at("stored").as_object()})
                if (auto job = parse_job(boost::json::serialize(*object))) {
                    // Without a webhook bad jobs are stored, too.
                    if (job->rules().form().admission_name.empty() && has_errors(job->validate())) continue;
                    found.push_back({c.path(), *std::move(job), golden::read_flags(c.about)});
                }
        }
        admitted_of_kinds = draw_jobs(found);
        for (std::uint64_t seed = 1; seed <= 500; ++seed)
            found.push_back({"seed " + std::to_string(seed), property::make_job(seed)});
        return found;
    }();
    return all;
}

double admitted_share(std::string const& kind) {
    (void)samples();
    return static_cast<double>(admitted_of_kinds[kind]) / static_cast<double>(drawn_of_each_kind);
}

} // namespace property
