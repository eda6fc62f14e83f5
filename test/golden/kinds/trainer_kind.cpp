// The special features of recordings of Kubeflow Trainer, which kftrain-corpus replays.
#include "base/sha1.hpp"
#include "golden/compare.hpp"
#include "golden/recordings.hpp"

#include <kftrain/kinds/train_job.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/objects/trainer/training_runtime.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(golden_trainer)

using namespace kftrain;
using namespace golden;

BOOST_AUTO_TEST_CASE(defaults_of_a_job_equal_those_of_the_server) {
    std::size_t compared = 0;
    for (auto const& c : read_recordings(KFTRAIN_SOURCE_DIR "/test/golden/trainer/v2.3.0")) {
        if (text(c.job, "kind") != "TrainJob" || !c.admission.at("accepted").as_bool()) continue;
        auto stored = c.admission.at("stored").as_object();
        stored["metadata"].as_object().erase("generation");
        if (auto* patches = stored["spec"].as_object().if_contains("runtimePatches"))
            for (auto& p : patches->as_array()) p.as_object().erase("time"); // that of a clock
        auto job = from_json<train_job>(json::serialize(c.job)).value();
        trainer::set_defaults(job);
        auto const d = first_difference("job", pruned(stored), pruned(json::parse(to_json(job))));
        BOOST_TEST(!d, c.path() + ": " + d.value_or(""));
        ++compared;
    }
    BOOST_TEST(compared == 74U, compared);
}

BOOST_AUTO_TEST_CASE(the_built_in_runtimes_equal_those_of_an_installation) {
    std::size_t compared = 0;
    auto const standing = read_json(KFTRAIN_SOURCE_DIR "/test/golden/trainer/runtimes.json").as_array();
    for (auto const& ours : trainer::installed_runtimes())
        for (auto const& recorded : standing) {
            auto const theirs = from_json<trainer::cluster_training_runtime>(json::serialize(recorded)).value();
            if (theirs.metadata.name != ours.metadata().name) continue;
            auto stored = *ours.get_if<trainer::cluster_training_runtime>();
            trainer::set_defaults(stored.spec); // as the schema does
            auto const d =
                first_difference(stored.metadata.name, json::parse(to_json(theirs)), json::parse(to_json(stored)));
            BOOST_TEST(!d, d.value_or(""));
            ++compared;
        }
    BOOST_TEST(compared == trainer::installed_runtimes().size());
}

// From the worked example of the operator's specification.
BOOST_AUTO_TEST_CASE(the_key_of_a_job_is_the_hash_of_its_name) {
    BOOST_TEST(sha1_hex("team-a/bert-ft-node-0") == "51365ec911a06591f80fe89d493e3f6181b07e10");
    BOOST_TEST(sha1_hex("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709"); // FIPS 180-4
}

BOOST_AUTO_TEST_SUITE_END()
