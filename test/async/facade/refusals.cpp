#include "async/facade/facade_cluster.hpp"

#include <kftrain/job/job_rules.hpp>

#include <boost/asio/use_future.hpp>

BOOST_AUTO_TEST_SUITE(async_facade_refusals)

using namespace facade_tests;

namespace {

template <class T> failure refusal_of(result<T> const& r) {
    BOOST_REQUIRE(r.has_error());
    BOOST_TEST(r.error().code == make_error_code(errc::invalid_argument), r.error().to_string());
    return r.error();
}

/// The result of each operation on an existing job for this reference.
std::vector<std::pair<std::string, failure>> refusals_of(training_client const& c, job_reference const& job) {
    auto const sink = [](log_line const&) {};
    auto watch = c.watch(job_watch_options().with_job(job));
    auto stream = c.open_logs(job);
    auto const soon = kube::next_options().with_timeout(20s);
    return {{"get", refusal_of(c.get(job))},
            {"wait", refusal_of(c.wait(job))},
            {"wait for absence", refusal_of(c.wait(job, until::deleted()))},
            {"scale", refusal_of(c.scale(job, "Worker", 1))},
            {"suspend", refusal_of(c.suspend(job))},
            {"resume", refusal_of(c.resume(job))},
            {"remove", refusal_of(c.delete_job(job))},
            {"logs", refusal_of(c.logs(job, sink))},
            {"open_logs", refusal_of(stream.next(soon))},
            {"events", refusal_of(c.events(job))},
            {"explain", refusal_of(c.explain(job))},
            {"watch", refusal_of(watch.next(soon))}};
}

} // namespace

BOOST_FIXTURE_TEST_CASE(an_empty_reference_is_refused_by_each_operation, facade_cluster) {
    for (auto const& [operation, f] : refusals_of(client, job_reference()))
        BOOST_TEST(f.detail.path == "job", operation << ": " << f.to_string());
    for (auto const& [operation, f] : refusals_of(client, job_reference(any_job())))
        BOOST_TEST(f.detail.path == "job", operation << ": " << f.to_string());
    BOOST_TEST(requests.empty());
}

BOOST_FIXTURE_TEST_CASE(a_reference_without_a_name_is_refused_by_each_operation, facade_cluster) {
    for (auto const& [operation, f] : refusals_of(client, job_reference::to<pytorch_job>("", "")))
        BOOST_TEST(f.detail.path == "job.name", operation << ": " << f.to_string());
    BOOST_TEST(requests.empty());
}

BOOST_FIXTURE_TEST_CASE(an_empty_job_is_refused, facade_cluster) {
    any_job moved_from = sample();
    any_job const taken = std::move(moved_from);
    for (any_job const& job : {any_job(), std::move(moved_from)}) {
        BOOST_TEST(refusal_of(client.submit(job)).detail.path == "job");
        BOOST_TEST(refusal_of(client.plan(job)).detail.path == "job");
        BOOST_TEST(refusal_of(client.preflight(job)).detail.path == "job");
    }
    BOOST_TEST(requests.empty());
}

BOOST_FIXTURE_TEST_CASE(kinds_that_are_null_are_refused, facade_cluster) {
    job_list_options list;
    list.kinds.push_back(nullptr);
    BOOST_TEST(refusal_of(client.list(list)).detail.path == "kinds");
    job_watch_options followed;
    followed.kinds.push_back(nullptr);
    auto watch = client.watch(followed);
    BOOST_TEST(refusal_of(watch.next(kube::next_options().with_timeout(20s))).detail.path == "kinds");
}

BOOST_FIXTURE_TEST_CASE(logs_without_a_sink_are_refused, facade_cluster) {
    auto const job = good(client.submit(sample()));
    BOOST_TEST(refusal_of(client.logs(job, nullptr)).detail.path == "sink");
}

BOOST_FIXTURE_TEST_CASE(the_result_of_a_wait_for_an_absent_job_can_be_read, facade_cluster) {
    auto const absent = job_reference::to<pytorch_job>("", "nobody");
    any_job const none = good(client.wait(absent, kftrain::until::deleted()));
    BOOST_TEST(none.empty());
    BOOST_TEST(none.metadata().name.empty());
    BOOST_TEST(none.conditions().empty());
    BOOST_TEST((none.phase() == job_phase::created));
    BOOST_TEST(none.to_json() == "null");
}

BOOST_FIXTURE_TEST_CASE(options_are_optional_in_each_operation, facade_cluster) {
    training_client const& c = client;
    auto const job = good(c.submit(sample()));
    auto const get = [&](auto future) {
        BOOST_REQUIRE(until([&] { return future.wait_for(0s) == std::future_status::ready; }));
        return future.get();
    };
    BOOST_TEST(get(c.async_get(job, asio::use_future)).metadata().name == "j");
    BOOST_TEST(get(c.async_events(job, asio::use_future)).items.empty());
    BOOST_TEST(get(c.async_explain(job, asio::use_future)).state.job.name == "j");
    BOOST_TEST(get(c.async_plan(job, asio::use_future)).exists);
    BOOST_TEST(!get(c.async_preflight(sample("k"), asio::use_future)).checks.empty());
}

BOOST_FIXTURE_TEST_CASE(an_invalid_job_has_a_cause_for_each_broken_rule, facade_cluster) {
    auto job = sample();
    job.spec.pytorch_replica_specs["Master"].template_.spec.containers.clear();
    job.spec.pytorch_replica_specs["Worker"].template_.spec.containers.clear();
    auto const found = any_job(job).validate();
    BOOST_TEST(found.size() > 1U);
    for (failure const& f : {client.submit(job).error(), client.plan(job).error()}) {
        BOOST_TEST(is_invalid(f.code));
        BOOST_REQUIRE(f.detail.causes.size() == found.size());
        for (std::size_t i = 0; i != found.size(); ++i) {
            auto const& cause = f.detail.causes[i];
            BOOST_TEST(cause.field == found[i].path);
            BOOST_TEST(cause.field + ": " + cause.message == found[i].message);
            BOOST_TEST(cause.reason.starts_with("FieldValue"));
        }
    }
}

BOOST_FIXTURE_TEST_CASE(a_role_that_the_job_does_not_have_cannot_be_scaled, facade_cluster) {
    auto const job = good(client.submit(elastic(2, 8)));
    auto const near = refusal_of(client.scale(job, "worker", 3));
    BOOST_TEST(near.detail.path == "role");
    BOOST_TEST(near.detail.message == "\"worker\", expected \"Worker\"");
    auto const two = good(client.submit(sample("two")));
    BOOST_TEST(refusal_of(client.scale(two, "worker", 3)).detail.message ==
               "\"worker\", expected one of \"Master\", \"Worker\"; did you mean \"Worker\"?");
}

BOOST_FIXTURE_TEST_CASE(a_role_without_members_can_be_scaled_and_waited_for, facade_cluster) {
    any_job const job = parse_job(R"({"apiVersion":"kubeflow.org/v1alpha1","kind":"ChainerJob","metadata":{"name":"c"},
        "spec":{"backend":"mpi","master":{"template":{"spec":{"containers":[{"name":"chainer","image":"i:1"}]}}},
        "workerSets":{"one":{"replicas":1,"template":{"spec":{"containers":[{"name":"chainer","image":"i:1"}]}}},
                      "none":{"replicas":0,"template":{"spec":{"containers":[{"name":"chainer","image":"i:1"}]}}}}}})")
                            .value();
    auto const stored = good(client.submit(job));
    good(client.scale(stored, "none", 0));
    auto const late = kube::wait_options().with_timeout(50ms);
    auto const waited = client.wait(stored, kftrain::until::ranks_ready("none", 1), late);
    BOOST_TEST((waited.error().code == errc::timeout), text_of(waited.error()));
}

BOOST_AUTO_TEST_SUITE_END()
