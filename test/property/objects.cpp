#include "golden/compare.hpp"
#include "golden/recordings.hpp"
#include "property/samples.hpp"
#include "support/drawn_jobs.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/kinds/types.hpp>
#include <kftrain/model/codec.hpp>

#include <boost/test/unit_test.hpp>

#include <set>

BOOST_AUTO_TEST_SUITE(property_objects)

using namespace kftrain;
namespace json = boost::json;

namespace {

struct recorded_object {
    std::string place;
    object_type const* type;
    json::value document;
};

/// Recordings replace times by the number of their step: `<t2>`. Any time serves.
json::value with_times(json::value const& v) {
    if (v.is_string()) return v.get_string().starts_with("<t") ? json::value("2026-01-02T03:04:05Z") : v;
    if (v.is_array()) {
        json::array items;
        for (auto const& item : v.get_array()) items.push_back(with_times(item));
        return items;
    }
    if (!v.is_object()) return v;
    json::object members;
    for (auto const& [key, value] : v.get_object()) members[key] = with_times(value);
    return members;
}

/// Recordings replace the values of a Secret by their form; any bytes serve.
json::value with_values(json::value v) {
    auto& object = v.as_object();
    if (auto* data = object.if_contains("data"); data != nullptr && golden::text(object, "kind") == "Secret")
        for (auto& [key, value] : data->as_object()) value = "Ynl0ZXM=";
    return v;
}

/// Templates of claims are recorded without their type, which kftrain writes as for every object.
json::value with_claim_types(json::value v) {
    auto& object = v.as_object();
    auto* const spec = golden::text(object, "kind") == "JobSet" ? object.if_contains("spec") : nullptr;
    auto* const policies = spec != nullptr ? spec->as_object().if_contains("volumeClaimPolicies") : nullptr;
    if (policies == nullptr) return v;
    for (auto& policy : policies->as_array())
        for (auto& claim : policy.at("templates").as_array()) {
            claim.as_object()["apiVersion"] = "v1";
            claim.as_object()["kind"] = "PersistentVolumeClaim";
        }
    return v;
}

/// Whatever names an apiVersion and kind that kftrain models, at any depth.
void collect(json::value const& v, std::string const& place, std::vector<recorded_object>& found) {
    if (v.is_array())
        for (auto const& item : v.get_array()) collect(item, place, found);
    if (!v.is_object()) return;
    auto const& object = v.get_object();
    auto const version = golden::text(object, "apiVersion"), kind = golden::text(object, "kind");
    if (auto const* type = find_type(version, kind); type != nullptr && object.contains("metadata")) {
        found.push_back({place + ", " + kind, type, with_claim_types(with_values(with_times(v)))});
        return;
    }
    for (auto const& [key, value] : object) collect(value, place, found);
}

std::string encoded(object_type const& type, void const* object) {
    std::string text;
    encode_json(*type.model, object, text);
    return text;
}

} // namespace

BOOST_AUTO_TEST_CASE(every_recorded_object_survives_a_round_trip) {
    std::map<std::string, std::size_t> counts;
    for (auto const& c : golden::read_recordings(KFTRAIN_SOURCE_DIR "/test/golden")) {
        bool const accepted = c.admission.at("accepted").as_bool();
        std::vector<recorded_object> objects;
        collect(c.job, c.path() + ", job", objects);
        collect(c.admission, c.path() + ", admission", objects);
        collect(c.steps, c.path() + ", steps", objects);
        for (auto const& o : objects) {
            std::string const text = json::serialize(o.document);
            auto const object = o.type->make();
            auto const read = decode_json(text, *o.type->model, object.get());
            // A struct has no place for values of a type that the API server rejects.
            if (!read && !accepted) continue;
            BOOST_TEST_REQUIRE(read.has_value(), o.place << ": " << read.error().to_string());
            ++counts[o.type->info->api_version() + " " + o.type->kind()];

            std::string const again = encoded(*o.type, object.get());
            auto const differs =
                golden::first_difference(o.place, golden::pruned(o.document), golden::pruned(json::parse(again)));
            BOOST_TEST(differs.value_or("") == "");

            std::string yaml;
            encode_yaml(*o.type->model, object.get(), yaml);
            auto const from_text = o.type->make();
            auto const reread = decode_yaml(yaml, *o.type->model, from_text.get());
            BOOST_TEST_REQUIRE(reread.has_value(), o.place << ": " << reread.error().to_string());
            BOOST_TEST(encoded(*o.type, from_text.get()) == again, o.place);
            BOOST_TEST(equal(*o.type->model, object.get(), from_text.get()), o.place);
        }
    }
    std::set<std::string> expected{"v1 Pod",
                                   "v1 Service",
                                   "v1 ConfigMap",
                                   "v1 Secret",
                                   "batch/v1 Job",
                                   "autoscaling/v2 HorizontalPodAutoscaler",
                                   "scheduling.volcano.sh/v1beta1 PodGroup"};
    for (auto const* rules : known_job_rules()) expected.insert(test::kind_of(*rules));
    for (auto const& kind : expected) BOOST_TEST(counts[kind] >= 5U, "only " << counts[kind] << " of " << kind);
}

BOOST_AUTO_TEST_CASE(every_generated_job_survives_a_round_trip) {
    for (auto const* rules : known_job_rules()) {
        std::size_t read = 0;
        auto const& model = *rules->primary().model;
        for (auto const& document : property::drawn_documents(*rules)) {
            auto const job = parse_job(document);
            if (!job) continue; // the drawer does not check the rules
            ++read;
            for (auto const& text : {job->to_json(), job->to_yaml()}) {
                auto const again = parse_job(text);
                BOOST_TEST(again.has_value(), text);
                if (again) BOOST_TEST(equal(model, again->get(), job->get()), text);
            }
        }
        BOOST_TEST(2 * read >= property::drawn_documents(*rules).size(), test::kind_of(*rules) << ": " << read);
    }
}

BOOST_AUTO_TEST_SUITE_END()
