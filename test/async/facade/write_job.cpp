#include "async/facade/facade_cluster.hpp"

#include <kftrain/kube/request.hpp>

#include <boost/asio/use_future.hpp>

BOOST_AUTO_TEST_SUITE(async_facade_write)

using namespace facade_tests;

// Expected: kubernetes apiserver pkg/registry/rest/update.go and validation/objectmeta.go, v1.31.

namespace {

struct cluster_with_submitted_job : facade_cluster {
    job_reference job = job_reference(good(client.submit(sample())));
};

std::int32_t workers(any_job const& job) {
    return job.get_if<pytorch_job>()->spec.pytorch_replica_specs.at("Worker").replicas.value();
}

any_job with_deadline(any_job job, std::int64_t seconds) {
    job.get_if<pytorch_job>()->spec.run_policy.active_deadline_seconds = seconds;
    return job;
}

std::optional<std::int64_t> deadline_of(any_job const& job) {
    return job.get_if<pytorch_job>()->spec.run_policy.active_deadline_seconds;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(an_update_replaces_the_version_that_was_read, cluster_with_submitted_job) {
    auto const read = good(client.get(job));
    auto const written = good(client.update(with_deadline(read, 60)));
    BOOST_TEST(deadline_of(written).value() == 60);
    BOOST_TEST(written.metadata().resource_version != read.metadata().resource_version);
    BOOST_TEST(deadline_of(good(client.get(job))).value() == 60);

    auto const late = client.update(with_deadline(read, 90)).error();
    BOOST_TEST(is_conflict(late.code), text_of(late));
    BOOST_TEST(deadline_of(good(client.get(job))).value() == 60);
}

BOOST_FIXTURE_TEST_CASE(an_update_without_a_version_is_refused_before_anything_is_sent, cluster_with_submitted_job) {
    requests.clear();
    auto const f = client.update(any_job(sample())).error();
    BOOST_TEST(f.code == make_error_code(errc::invalid_argument));
    BOOST_TEST(f.detail.path == "metadata.resourceVersion");
    auto const refused = make_error_code(errc::invalid_argument);
    BOOST_TEST(client.update(any_job()).error().code == refused);
    BOOST_TEST(client.patch(job_reference(), kube::patch_body(patch_type::merge, "{}")).error().code == refused);
    BOOST_TEST(client.apply(any_job(), kube::apply_options().with_field_manager("mine")).error().code == refused);
    BOOST_TEST(requests.empty());
}

BOOST_FIXTURE_TEST_CASE(options_of_writes_reach_the_server, cluster_with_submitted_job) {
    auto const read = good(client.get(job));
    std::vector<std::string> sent;
    judge = [&](kube::http_request const& r) {
        sent.push_back(r.method + " " + r.target);
        return fault::answer(409, "Conflict", "stop");
    };
    auto const how = kube::write_options().with_dry_run().with_field_manager("mine");
    BOOST_TEST(is_conflict(client.update(read, how).error().code));
    BOOST_TEST(is_conflict(client.patch(job, kube::patch_body(patch_type::merge, "{}"), how).error().code));
    std::string const path = "/apis/kubeflow.org/v1/namespaces/default/pytorchjobs/j?";
    BOOST_TEST(sent == (std::vector<std::string>{"PUT " + path + "dryRun=All&fieldManager=mine",
                                                 "PATCH " + path + "dryRun=All&fieldManager=mine"}),
               boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_patch_sets_and_removes_fields_and_leaves_the_others, cluster_with_submitted_job) {
    kube::patch_body const set(patch_type::merge, R"({"spec":{"runPolicy":{"activeDeadlineSeconds":70}}})");
    auto const written = good(client.patch(job, set));
    BOOST_TEST(deadline_of(written).value() == 70);
    BOOST_TEST(workers(written) == 1);
    kube::patch_body const removed(patch_type::merge, R"({"spec":{"runPolicy":{"activeDeadlineSeconds":null}}})");
    BOOST_TEST(!deadline_of(good(client.patch(job, removed))).has_value());
    kube::patch_body const operation(
        patch_type::json, R"([{"op":"replace","path":"/spec/pytorchReplicaSpecs/Worker/replicas","value":3}])");
    BOOST_TEST(workers(good(client.patch(job, operation))) == 3);
}

BOOST_FIXTURE_TEST_CASE(a_patch_that_breaks_rules_is_rejected_with_the_rules, cluster_with_submitted_job) {
    kube::patch_body const patch(patch_type::merge,
                                 R"({"spec":{"pytorchReplicaSpecs":{"Worker":{"replicas":"many"}}}})");
    auto const f = client.patch(job, patch).error();
    BOOST_TEST(is_invalid(f.code), text_of(f));
    BOOST_TEST_REQUIRE(!f.detail.causes.empty());
    BOOST_TEST(f.detail.causes.front().field == "spec.pytorchReplicaSpecs.Worker.replicas");
}

BOOST_FIXTURE_TEST_CASE(a_patch_with_a_uid_does_not_change_another_job, cluster_with_submitted_job) {
    good(client.delete_job(job));
    good(client.submit(sample()));
    for (auto const& patch :
         {kube::patch_body(patch_type::merge, R"({"spec":{"runPolicy":{"activeDeadlineSeconds":70}}})"),
          kube::patch_body(patch_type::json, R"([{"op":"add","path":"/metadata/labels","value":{"a":"b"}}])")}) {
        auto const f = client.patch(job, patch).error();
        if (patch.type == patch_type::merge)
            BOOST_TEST(f.code == make_error_code(errc::deleted), text_of(f));
        else
            BOOST_TEST(is_invalid(f.code), text_of(f));
    }
    error_code without_detail;
    client.async_patch(job, kube::patch_body(patch_type::merge, R"({"metadata":{"labels":{"a":"b"}}})"),
                       [&](error_code ec, any_job const&) { without_detail = ec; });
    BOOST_TEST(until([&] { return static_cast<bool>(without_detail); }));
    BOOST_TEST(without_detail == make_error_code(errc::deleted));
    auto const now = good(client.get(job_reference::to<pytorch_job>("", "j")));
    BOOST_TEST(!deadline_of(now).has_value());
    BOOST_TEST(now.metadata().labels.empty());
}

BOOST_FIXTURE_TEST_CASE(an_invalid_patch_is_rejected, cluster_with_submitted_job) {
    requests.clear();
    for (auto const& patch : {kube::patch_body(patch_type::merge, ""), kube::patch_body(patch_type::merge, "{"),
                              kube::patch_body(patch_type::merge, "[]"), kube::patch_body(patch_type::json, "{}"),
                              kube::patch_body(patch_type::merge, R"({"metadata":7})")})
        BOOST_TEST(client.patch(job, patch).error().code == make_error_code(errc::invalid_argument), patch.text);
    BOOST_TEST(requests.empty());
}

BOOST_FIXTURE_TEST_CASE(a_job_is_applied_with_its_field_manager, cluster_with_submitted_job) {
    auto const read = good(client.get(job));
    std::vector<kube::http_request> sent;
    judge = [&](kube::http_request const& r) {
        sent.push_back(r);
        return fault::answer(409, "Conflict", "a field of another manager",
                             R"(,"details":{"causes":[{"reason":"FieldManagerConflict","field":".spec.runPolicy"}]})");
    };
    auto const f = client.apply(read, kube::apply_options().with_field_manager("mine").with_force()).error();
    BOOST_TEST(is_conflict(f.code), text_of(f));
    BOOST_TEST_REQUIRE(f.detail.causes.size() == 1U);
    BOOST_TEST(f.detail.causes.front().field == ".spec.runPolicy");

    BOOST_TEST_REQUIRE(sent.size() == 1U);
    BOOST_TEST(sent.front().method == "PATCH");
    BOOST_TEST(sent.front().target ==
               "/apis/kubeflow.org/v1/namespaces/default/pytorchjobs/j?fieldManager=mine&force=true");
    auto const body = from_json<pytorch_job>(sent.front().body).value();
    BOOST_TEST(body.metadata.name == "j");
    BOOST_TEST(body.metadata.resource_version == ""); // a server would take it for a condition
    BOOST_TEST(workers(body) == 1);

    judge = {};
    auto const nameless = client.apply(read, kube::apply_options()).error();
    BOOST_TEST(nameless.code == make_error_code(errc::invalid_argument));
}

BOOST_FIXTURE_TEST_CASE(writes_accept_a_completion_token, cluster_with_submitted_job) {
    int done = 0;
    auto const count = [&](error_code ec, any_job const&) { done += !ec; };
    client.async_update(with_deadline(good(client.get(job)), 60), count);
    BOOST_TEST(until([&] { return done == 1; }));
    client.async_patch(job, kube::patch_body(patch_type::merge, R"({"metadata":{"labels":{"a":"b"}}})"), count);
    BOOST_TEST(until([&] { return done == 2; }));
}

BOOST_AUTO_TEST_SUITE_END()
