// The objects of TrainJobs and the children of their JobSets, compared with the recordings.
#include "base/sha1.hpp"
#include "golden/trainer_cases.hpp"

BOOST_AUTO_TEST_SUITE(golden_trainer_objects)

namespace {

using namespace golden::trainer_cases;
using namespace golden;

} // namespace

BOOST_AUTO_TEST_CASE(the_objects_of_a_job_equal_those_of_the_operator) {
    std::size_t equal = 0;
    for (auto const* c : rendered_cases()) {
        auto const job = stored_job(*c);
        auto const ours = trainer::render(job, runtime_for(*c, job));
        if (!ours) {
            BOOST_TEST(differs_on_purpose(*c), title(*c) + ": " + ours.error().to_string());
            continue;
        }
        auto recorded = applied(*c);
        for (auto const& object : *ours) {
            auto const body = json::parse(object.to_json()).as_object();
            auto const key = text(body, "kind") + " " + name_of(body);
            auto const at = recorded.find(key);
            BOOST_TEST((at != recorded.end()), title(*c) + ": " + key + " is not recorded");
            if (at == recorded.end()) continue;
            auto const d = first_difference(key, pruned(comparable(at->second)), pruned(comparable(body)));
            if (d && !differs_on_purpose(*c)) BOOST_ERROR(title(*c) + ": " + *d);
            if (d) BOOST_TEST(d->find("ports") != d->npos, title(*c) + ": " + *d);
            recorded.erase(at);
        }
        for (auto const& [key, body] : recorded) BOOST_ERROR(title(*c) + ": " + key + " is not rendered");
        ++equal;
    }
    BOOST_TEST(equal == rendered_cases().size() - 2);
}

namespace {

void describe_hashes(json::value& v, std::map<std::string, std::string> const& hashes) {
    if (v.is_string())
        if (auto const at = hashes.find(std::string(v.get_string())); at != hashes.end()) v = at->second;
    if (v.is_object())
        for (auto& [key, member] : v.get_object()) describe_hashes(member, hashes);
}

std::map<std::string, json::value> children_of(jobset::job_set const& set) {
    std::map<std::string, json::value> all;
    std::map<std::string, std::string> hashes;
    auto const add = [&](any_object const& object) {
        auto const name = object.metadata().name;
        auto const path = "corpus/" + name;
        hashes.emplace(sha1_hex(path), "<sha1:" + path + ">");
        json::value body = json::parse(object.to_json());
        describe_hashes(body, hashes);
        all.emplace(std::string(object.resource().kind) + " " + name, std::move(body));
    };
    add(controllers::job_sets::new_service(set));
    for (auto const& claim : controllers::job_sets::new_claims(set)) add(claim);
    for (auto const& j : set.spec.replicated_jobs)
        for (std::int32_t i = 0; i < j.replicas.value_or(1); ++i) add(controllers::job_sets::new_job(set, j, i));
    return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_children_of_a_job_set_equal_those_of_its_controller) {
    std::size_t compared = 0;
    for (auto const* c : rendered_cases()) {
        auto const set = job_set_of(*c);
        if (!set) continue;
        auto ours = children_of(*set);
        // In the first step only: later the Jobs have the state of then.
        for (auto const& entry : list_of(c->steps.at(0).as_object(), "requests")) {
            auto const& r = entry.as_object();
            if (text(r, "operator") != "jobset" || text(r, "method") != "POST") continue;
            auto const& body = child_of(r, "body");
            auto const key = text(body, "kind") + " " + name_of(body);
            BOOST_TEST(ours.contains(key), title(*c) + ": " + key);
            if (!ours.contains(key)) continue;
            compare(*c, key, comparable(body), comparable(ours[key].as_object()));
            ++compared;
        }
    }
    BOOST_TEST(compared > 130u, compared);
}

BOOST_AUTO_TEST_CASE(the_built_in_runtimes_equal_those_of_an_installation) {
    std::size_t compared = 0;
    for (auto const& ours : trainer::installed_runtimes())
        for (auto const& recorded : standing_runtimes()) {
            if (name_of(recorded.as_object()) != ours.metadata().name) continue;
            auto const theirs = from_json<trainer::cluster_training_runtime>(json::serialize(recorded)).value();
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
