#include "facade/job_events.hpp"
#include "support/sample_jobs.hpp"

#include "unit/facade/explain/explained_job.hpp"

#include <kftrain/kinds/mpi_job_v2beta1.hpp>
#include <kftrain/objects/events/event.hpp>

BOOST_AUTO_TEST_SUITE(facade_job_events)

using namespace explained;

namespace {

core::event about(std::string const& kind, std::string const& name, std::string const& reason,
                  std::string const& last) {
    core::event e;
    e.metadata.name = name + "." + reason + last;
    e.metadata.uid = e.metadata.name;
    e.involved_object.kind = kind;
    e.involved_object.name = name;
    e.type = "Warning";
    e.reason = reason;
    e.message = "m";
    e.source.component = "kubelet";
    e.first_timestamp = e.last_timestamp = at(last);
    e.count = 1;
    return e;
}

template <class K> std::string listed(std::vector<K> items, std::string next = "") {
    object_list<K> list;
    list.items = std::move(items);
    list.metadata.continue_ = std::move(next);
    std::string text;
    encode_json(descriptor_of<object_list<K>>(), &list, text);
    return text;
}

std::vector<std::string> selectors(event_collection& c) {
    std::vector<std::string> all;
    for (auto const& q : c.queries()) all.push_back(q.which.field_selector);
    return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(events_of_few_pods_are_read_by_name_and_of_many_by_kind) {
    event_collection few(event_subjects(prepared_job::stored(explained_job(1).job), true));
    auto const selected = selectors(few);
    BOOST_TEST(selected.front() == "involvedObject.uid=u-1");
    BOOST_TEST(has_line(selected, "involvedObject.kind=Pod,involvedObject.name=digits-master-0"));
    event_collection many(event_subjects(prepared_job::stored(explained_job(200).job), true));
    BOOST_TEST(std::ranges::count(selectors(many), "involvedObject.kind=Pod") == 1);
    BOOST_TEST(selectors(many).size() < 6);
    event_collection alone(event_subjects(prepared_job::stored(explained_job(200).job), false));
    BOOST_TEST(selectors(alone).size() == 1);
}

BOOST_AUTO_TEST_CASE(events_of_pods_of_other_jobs_are_ignored) {
    event_subjects const s(prepared_job::stored(explained_job().job), true);
    BOOST_TEST(s.includes("Pod", "digits-worker-1", at("11:10:00")));
    BOOST_TEST(!s.includes("Pod", "digits-worker-2", at("11:10:00")));
    BOOST_TEST(!s.includes("Pod", "digits-two-worker-0", at("11:10:00")));
    BOOST_TEST(!s.includes("Pod", "digits-worker-1", at("10:10:00"))); // of an earlier job of the name
    BOOST_TEST(s.includes("PodGroup", "digits", std::nullopt));
    BOOST_TEST(!s.includes("ConfigMap", "digits", std::nullopt));
}

BOOST_AUTO_TEST_CASE(pods_with_generated_names_are_recognized_by_prefix) {
    mpi_job job;
    job.metadata.name = "ring";
    for (auto const* type : {"Launcher", "Worker"}) {
        test::add_replicas(job.spec.mpi_replica_specs, type, 1, "mpi");
    }
    any_job const any(job);
    BOOST_TEST_REQUIRE(any.with_defaults().validate().empty());
    event_subjects const s(prepared_job::stored(any), true);
    BOOST_TEST(s.includes("Pod", "ring-launcher-x7k2p", std::nullopt));
    BOOST_TEST(!s.includes("Pod", "ring-launcher-extra-x7k2p", std::nullopt));
    BOOST_TEST(!s.includes("Pod", "ring-launcher-1", std::nullopt));
    BOOST_TEST(s.includes("Pod", "ring-worker-0", std::nullopt));
    BOOST_TEST(s.includes("Job", "ring-launcher", std::nullopt));
}

BOOST_AUTO_TEST_CASE(events_are_sorted_deduplicated_and_limited) {
    event_collection c(event_subjects(prepared_job::stored(explained_job().job), true));
    auto const queries = c.queries();
    auto second = about("Pod", "digits-worker-0", "BackOff", "11:30:00");
    second.count = 4;
    auto const next = queries.at(1).take(listed<core::event>(
        {second, about("Pod", "digits-worker-0", "Failed", "11:20:00"), about("Pod", "other", "Failed", "11:20:00")},
        "more"));
    BOOST_TEST(next.value() == "more");
    BOOST_TEST(queries.at(1)
                   .take(listed<core::event>({about("Pod", "digits-worker-0", "BackOff", "11:40:00"), second}))
                   .value() == "");
    auto const all = c.list(10);
    BOOST_TEST_REQUIRE(all.items.size() == 2);
    BOOST_TEST(all.items[0].reason == "Failed");
    BOOST_TEST(all.items[1].count == 5);
    BOOST_TEST((all.items[1].first == at("11:30:00") && all.items[1].last == at("11:40:00")));
    BOOST_TEST(all.items[1].to_string() == "Warning BackOff Pod/digits-worker-0: m (x5)");
    auto const one = c.list(1);
    BOOST_TEST(one.items.size() == 1);
    BOOST_TEST(one.items[0].reason == "BackOff");
    BOOST_TEST(one.left_out == 1);
}

BOOST_AUTO_TEST_CASE(events_of_events_k8s_io_are_equivalent) {
    event_collection c(event_subjects(prepared_job::stored(explained_job().job), true));
    auto const queries = c.queries();
    BOOST_TEST_REQUIRE(queries.at(0).instead != nullptr);
    BOOST_TEST(queries.at(0).instead->which.field_selector == "regarding.uid=u-1");
    BOOST_TEST(queries.at(0).instead->type->group == "events.k8s.io");
    events::event e;
    e.metadata.uid = "7";
    e.regarding.kind = "PyTorchJob";
    e.regarding.name = "digits";
    e.type = "Normal";
    e.reason = "Scheduled";
    e.note = "n";
    e.reporting_controller = "scheduler";
    e.event_time = std::chrono::time_point_cast<std::chrono::microseconds>(at("11:00:00")) + 5us;
    e.series.emplace().count = 3;
    e.series->last_observed_time = std::chrono::time_point_cast<std::chrono::microseconds>(at("11:01:00"));
    BOOST_TEST(queries.at(0).instead->take(listed<events::event>({e})).has_value());
    auto const all = c.list(10);
    BOOST_TEST_REQUIRE(all.items.size() == 1);
    auto const& got = all.items[0];
    BOOST_TEST(got.message == "n");
    BOOST_TEST(got.source == "scheduler");
    BOOST_TEST(got.count == 3);
    BOOST_TEST((got.first == at("11:00:00") && got.last == at("11:01:00")));
}

BOOST_AUTO_TEST_CASE(unreadable_input_is_reported) {
    event_collection c(event_subjects(prepared_job::stored(explained_job().job), true));
    auto const queries = c.queries();
    queries.at(1).on_missing(make_error_code(reason::forbidden), "no");
    BOOST_TEST(!c.job_error);
    BOOST_TEST(c.list(10).unread.size() == 1);
    queries.at(0).on_missing(make_error_code(reason::forbidden), "no");
    BOOST_TEST((c.job_error == reason::forbidden));
    BOOST_TEST(queries.at(0).take("{").has_error());
}

BOOST_AUTO_TEST_SUITE_END()
