#include "unit/job/sample.hpp"

#include <kftrain/kinds/registry.hpp>
#include <kftrain/kinds/tf_job.hpp>
#include <kftrain/model/dynamic_object.hpp>
#include <kftrain/objects/core/config_map.hpp>

#include <boost/test/unit_test.hpp>

#include <utility>

BOOST_AUTO_TEST_SUITE(job_any_job_fields)

using namespace sample;

namespace {

any_job labelled() {
    any_job made(job(1, 2));
    made.metadata().labels = {{"example.com/team", "a"}, {"app", "train"}};
    return made;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_field_is_read_by_its_path) {
    any_job const j = labelled();
    std::pair<char const*, char const*> const cases[] = {
        {"metadata.name", "\"pt\""},
        {"spec.pytorchReplicaSpecs.Worker.replicas", "2"},
        {"spec.pytorchReplicaSpecs[Worker].replicas", "2"},
        {"metadata.labels[example.com/team]", "\"a\""},
        {"metadata.labels[\"example.com/team\"]", "\"a\""},
        {"metadata.labels.app", "\"train\""},
        {"spec.pytorchReplicaSpecs.Worker.template.spec.containers[0].name", "\"pytorch\""},
        {"spec.pytorchReplicaSpecs.Worker.template.spec.containers[name=pytorch].name", "\"pytorch\""},
        {"spec.pytorchReplicaSpecs.Worker.template.spec.containers[1].name", "null"},
        {"spec.pytorchReplicaSpecs.Worker.template.spec.containers[name=other].name", "null"},
        {"spec.runPolicy.suspend", "null"},
        {"metadata.name.first", "null"},
    };
    for (auto const& [path, value] : cases) BOOST_TEST(j.field(path).value() == value, path);
    BOOST_TEST(any_job().field("metadata.name").value() == "null");
}

BOOST_AUTO_TEST_CASE(a_merge_patch_turns_one_job_into_the_other) {
    any_job const before = labelled();
    any_job after = before;
    BOOST_TEST(after.set_field("spec.runPolicy.suspend", "true").has_value());
    BOOST_TEST(after.set_field("metadata.labels.app", "null").has_value());
    auto const patch = merge_patch(before, after);
    BOOST_TEST(patch.value() == R"({"metadata":{"labels":{"app":null}},"spec":{"runPolicy":{"suspend":true}}})");
    BOOST_TEST(merge_patch(any_job(), any_job()).value() == "{}");
    BOOST_TEST((merge_patch(before, any_job(tf_job())).error().code == errc::wrong_kind));
}

BOOST_AUTO_TEST_CASE(a_field_is_set_and_removed) {
    any_job j = labelled();
    BOOST_TEST(j.set_field("spec.runPolicy.suspend", "true").has_value());
    BOOST_TEST(j.get_if<pytorch_job>()->spec.run_policy.suspend.value());
    BOOST_TEST(j.set_field("spec.pytorchReplicaSpecs.Worker.template.spec.containers[0].image", "\"i:2\"").has_value());
    BOOST_TEST(j.get_if<pytorch_job>()->spec.pytorch_replica_specs.at("Worker").template_.spec.containers[0].image ==
               "i:2");
    BOOST_TEST(j.set_field("metadata.annotations[a.b/c]", "\"d\"").has_value());
    BOOST_TEST(j.metadata().annotations.at("a.b/c") == "d");
    BOOST_TEST(j.set_field("metadata.labels", R"({"only":"this"})").has_value()); // replaced, not merged
    BOOST_TEST(j.metadata().labels.size() == 1U);
    BOOST_TEST(j.set_field("metadata.labels", "null").has_value());
    BOOST_TEST(j.metadata().labels.empty());
    BOOST_TEST(j.set_field("spec.runPolicy.schedulingPolicy.queue", "null").has_value());
    BOOST_TEST(j.set_field("spec.pytorchReplicaSpecs.Worker.template.spec.containers[0]", "null").has_value());
    BOOST_TEST(j.get_if<pytorch_job>()->spec.pytorch_replica_specs.at("Worker").template_.spec.containers.empty());
    BOOST_TEST(j.set_field("spec.notOurs.x", "[1]").has_value()); // kept, as decoding does
    BOOST_TEST(j.field("spec.notOurs.x[0]").value() == "1");
}

BOOST_AUTO_TEST_CASE(failed_setters_leave_the_job_unchanged) {
    any_job const before = labelled();
    std::tuple<char const*, char const*, errc, char const*> const cases[] = {
        {"", "1", errc::invalid_argument, "path"},
        {"spec..x", "1", errc::invalid_argument, "path"},
        {".spec", "1", errc::invalid_argument, "path"},
        {"spec[", "1", errc::invalid_argument, "path"},
        {"spec.x.", "1", errc::invalid_argument, "path"},
        {"metadata.name", "pt", errc::invalid_argument, "metadata.name"},
        {"metadata.name.first", "1", errc::invalid_argument, "metadata.name.first"},
        {"spec.pytorchReplicaSpecs.Worker.replicas", "\"two\"", errc::type_mismatch,
         "spec.pytorchReplicaSpecs.Worker.replicas"},
        {"spec.pytorchReplicaSpecs.Worker.template.spec.containers[1].image", "\"i\"", errc::invalid_argument,
         "spec.pytorchReplicaSpecs.Worker.template.spec.containers[1].image"},
        {"spec.pytorchReplicaSpecs.Worker.template.spec.containers[1]", "{}", errc::invalid_argument,
         "spec.pytorchReplicaSpecs.Worker.template.spec.containers[1]"},
    };
    for (auto const& [path, value, code, named] : cases) {
        any_job j = before;
        auto const refused = j.set_field(path, value);
        BOOST_TEST_REQUIRE(refused.has_error(), path);
        BOOST_TEST(refused.error().code == make_error_code(code), path);
        BOOST_TEST(refused.error().detail.path == named, path);
        BOOST_TEST((j == before), path);
    }
    BOOST_TEST(any_job().set_field("metadata.name", "\"a\"").error().code == make_error_code(errc::invalid_argument));
}

BOOST_AUTO_TEST_CASE(jobs_are_compared_field_by_field) {
    any_job const a = labelled();
    any_job b = a;
    BOOST_TEST((a == b));
    BOOST_TEST(diff(a, b).value().empty());
    BOOST_TEST(b.set_field("spec.pytorchReplicaSpecs.Worker.replicas", "3").has_value());
    BOOST_TEST((a != b));
    auto const found = diff(a, b).value();
    BOOST_TEST_REQUIRE(found.size() == 1U);
    BOOST_TEST(found[0].path == "spec.pytorchReplicaSpecs.Worker.replicas");
    BOOST_TEST(found[0].before == "2");
    BOOST_TEST(found[0].after == "3");
    BOOST_TEST(a.field(found[0].path).value() == found[0].before); // the path leads back

    b = a;
    b.metadata().finalizers = {"example.com/hold"};
    b.get_if<pytorch_job>()->spec.pytorch_replica_specs.at("Worker").template_.spec.containers[0].image = "other:1";
    auto const more = diff(a, b).value();
    BOOST_TEST(more.size() == 2U);
    for (auto const& d : more) {
        BOOST_TEST(b.field(d.path).value() == d.after, d.path);
        any_job c = b;
        BOOST_TEST(c.set_field(d.path, d.before.empty() ? "null" : d.before).has_value(), d.path);
        BOOST_TEST(diff(a, c).value().size() == 1U, d.path);
    }

    BOOST_TEST((any_job() == any_job()));
    BOOST_TEST((any_job() != a));
    BOOST_TEST((any_job(tf_job()) != any_job(pytorch_job())));
    BOOST_TEST(diff(a, any_job(tf_job())).error().code == make_error_code(errc::wrong_kind));
    BOOST_TEST(diff(any_job(), any_job()).value().empty());
}

BOOST_AUTO_TEST_CASE(jobs_become_objects_and_back) {
    any_job const a = labelled();
    auto const object = a.to_object();
    BOOST_TEST(object.is<pytorch_job>());
    BOOST_TEST((to_job(object).value() == a));

    dynamic_type const untyped("kubeflow.org", "v1", "PyTorchJob", "pytorchjobs");
    auto const read = untyped.from_json(a.to_json()).value();
    BOOST_TEST(!read.is<pytorch_job>());
    BOOST_TEST((to_job(read).value() == a));

    BOOST_TEST(any_job().to_object().empty());
    BOOST_TEST(to_job(any_object()).error().code == make_error_code(errc::invalid_argument));
    BOOST_TEST(to_job(any_object(core::config_map())).error().code == make_error_code(errc::unknown_kind));
}

BOOST_AUTO_TEST_SUITE_END()
