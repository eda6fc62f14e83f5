#include "fuzz/documents.hpp"
#include "fuzz/drawn_manifests.hpp"
#include "support/drawn_jobs.hpp"

#include <kftrain/kinds/registry.hpp>

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <set>

BOOST_AUTO_TEST_SUITE(fuzz_replay)

using namespace kftrain;

namespace {

namespace fs = std::filesystem;

fs::path corpus_of(std::string const& target) { return fs::path(KFTRAIN_SOURCE_DIR) / "test/fuzz/corpus" / target; }

/// Whether all that must hold for the text does.
void holds(void (*run)(std::string_view), std::string const& text) {
    try {
        run(text);
    } catch (std::exception const& e) {
        BOOST_ERROR(e.what());
    }
}

void replay(std::string const& target, void (*run)(std::string_view)) {
    std::size_t count = 0;
    for (auto const& entry : fs::directory_iterator(corpus_of(target))) {
        BOOST_TEST_CONTEXT(entry.path().string()) { holds(run, test::read_file(entry.path())); }
        ++count;
    }
    BOOST_TEST(count > 0U, "no corpus of " << target);
}

} // namespace

BOOST_AUTO_TEST_CASE(json_inputs_pass) { replay("json", fuzz::try_json); }
BOOST_AUTO_TEST_CASE(yaml_inputs_pass) { replay("yaml", fuzz::try_yaml); }
BOOST_AUTO_TEST_CASE(quantity_inputs_pass) { replay("quantity", fuzz::try_quantity); }
BOOST_AUTO_TEST_CASE(selector_inputs_pass) { replay("selector", fuzz::try_selector); }
BOOST_AUTO_TEST_CASE(manifest_inputs_pass) { replay("manifest", fuzz::try_manifest); }

BOOST_AUTO_TEST_CASE(every_registered_kind_has_an_admitted_manifest_in_the_corpus) {
    std::set<rules::job_rules const*> admitted;
    for (auto const& entry : fs::directory_iterator(corpus_of("manifest")))
        if (auto const jobs = parse_jobs(test::read_file(entry.path())))
            for (auto const& job : *jobs)
                if (test::admitted(job.to_json())) admitted.insert(&job.rules());
    for (auto const* kind : known_job_rules())
        BOOST_TEST(admitted.contains(kind),
                   "test/fuzz/corpus/manifest has no " << test::kind_of(*kind) << " that is admitted");
}

BOOST_AUTO_TEST_CASE(generated_manifests_of_every_registered_kind_pass) {
    for (auto const* kind : known_job_rules()) {
        std::size_t admitted = 0, changed = 0;
        for (std::uint64_t seed = 1; seed <= 25; ++seed) {
            auto const drawn = fuzz::draw_manifest(*kind, seed);
            BOOST_TEST_CONTEXT(drawn) { holds(fuzz::try_manifest, drawn); }
            if (test::admitted(drawn)) ++admitted;
            auto const other = fuzz::redraw_manifest(drawn, seed);
            if (!other) continue;
            BOOST_TEST_CONTEXT(*other) { holds(fuzz::try_manifest, *other); }
            if (*other != drawn) ++changed;
        }
        BOOST_TEST(admitted > 0U, "of " << test::kind_of(*kind) << " none is admitted");
        BOOST_TEST(changed >= 10U, "of " << test::kind_of(*kind) << " only " << changed << " are redrawn");
    }
}

BOOST_AUTO_TEST_SUITE_END()
