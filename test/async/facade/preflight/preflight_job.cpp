#include "async/facade/facade_cluster.hpp"

#include <kftrain/objects/authorization/self_subject_access_review.hpp>
#include <kftrain/objects/core/namespace.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>

BOOST_AUTO_TEST_SUITE(async_facade_preflight)

using namespace facade_tests;

namespace {

preflight_check const& check_of(preflight_report const& r, std::string_view name) {
    auto const found = std::ranges::find(r.checks, name, &preflight_check::name);
    BOOST_REQUIRE_MESSAGE(found != r.checks.end(), name << " is not in " << r.to_string());
    return *found;
}

void expect(preflight_report const& r, std::string_view name, verdict v, std::string const& words = "") {
    auto const& c = check_of(r, name);
    BOOST_TEST((c.verdict == v), name << ": " << c.message);
    BOOST_TEST(contains(c.message, words), c.message);
}

std::string const reviews = "/selfsubjectaccessreviews";

} // namespace

BOOST_AUTO_TEST_CASE(a_job_that_can_be_submitted_passes) {
    facade_cluster w;
    auto const r = good(w.client.preflight(sample()));
    BOOST_TEST(r.passed, r.to_string());
    BOOST_TEST(r.missing_rules == "");
    BOOST_TEST(r.served_versions.front() == "kubeflow.org/v1");
    for (auto const* name : {"rules", "served", "namespace", "name", "may-create", "may-read", "may-watch",
                             "may-read-logs", "may-read-events", "may-change", "may-delete", "quota"})
        expect(r, name, verdict::passed);
    expect(r, "admission", verdict::passed);
    BOOST_TEST(w.count("POST", "/pytorchjobs") == 1U);
    BOOST_TEST(is_not_found(w.client.get(job_reference::to<pytorch_job>("", "j")).error().code));
}

BOOST_AUTO_TEST_CASE(a_job_with_a_generated_name_passes) {
    facade_cluster w;
    auto job = sample("");
    job.metadata.generate_name = "train-";
    auto const r = good(w.client.preflight(job));
    BOOST_TEST(r.passed, r.to_string());
    expect(r, "name", verdict::passed, "the server generates the name");
    BOOST_TEST(w.count("GET", "/pytorchjobs/") == 0U);
}

BOOST_AUTO_TEST_CASE(missing_rights_are_reported_by_verb) {
    facade_cluster w;
    w.judge = [](kube::http_request const& r) -> std::optional<fault> {
        if (!contains(r.target, reviews)) return std::nullopt;
        auto review = from_json<authorization::self_subject_access_review>(r.body).value();
        auto const& of = *review.spec.resource_attributes;
        BOOST_TEST(of.namespace_ == "default");
        review.status.allowed = of.verb != "create" && of.subresource != "log";
        fault f;
        f.status = 201;
        f.text = to_json(review);
        return f;
    };
    auto const r = good(w.client.preflight(sample()));
    BOOST_TEST(!r.passed);
    expect(r, "may-create", verdict::failed, "the caller may not create pytorchjobs.kubeflow.org in namespace default");
    expect(r, "may-read-logs", verdict::failed, "get pods/log");
    expect(r, "may-watch", verdict::passed);
    BOOST_TEST(contains(r.missing_rules, "pods/log"), r.missing_rules);
    BOOST_TEST(w.count("POST", "/pytorchjobs") == 0U); // without the right to create, no dry run is sent
}

BOOST_AUTO_TEST_CASE(quotas_of_the_namespace_are_checked) {
    facade_cluster w;
    core::resource_quota q;
    q.metadata.name = "small";
    q.metadata.namespace_ = "default";
    q.spec.hard["pods"] = quantity("1");
    q.status.hard = q.spec.hard;
    q.status.used["pods"] = quantity("0");
    w.server.add_object(any_object(q)).value();
    auto const r = good(w.client.preflight(sample()));
    expect(r, "quota", verdict::failed, "quota small does not allow the job: pods: requested 2, used 0, allowed 1");
}

BOOST_AUTO_TEST_CASE(names_namespaces_queues_and_classes_are_looked_up) {
    facade_cluster w;
    good(w.client.submit(sample()));
    auto job = sample();
    expect(good(w.client.preflight(job)), "name", verdict::failed, "already exists");
    job.metadata.namespace_ = "nowhere";
    job.spec.run_policy.scheduling_policy.emplace().queue = "night";
    job.spec.pytorch_replica_specs.at("Worker").template_.spec.priority_class_name = "high";
    auto const r = good(w.client.preflight(job));
    expect(r, "namespace", verdict::failed, "namespace nowhere does not exist");
    expect(r, "queue", verdict::warned, "the Volcano queue night that");
    expect(r, "priority-class", verdict::failed, "PriorityClass high does not exist");
}

BOOST_AUTO_TEST_CASE(forbidden_objects_are_unknown) {
    facade_cluster w;
    w.judge = [](kube::http_request const& r) -> std::optional<fault> {
        if (contains(r.target, "/pytorchjobs")) return std::nullopt;
        return fault::answer(403, "Forbidden", "not yours");
    };
    auto const r = good(w.client.preflight(sample()));
    BOOST_TEST(r.passed, r.to_string());
    for (auto const* name : {"served", "namespace", "may-create", "quota"}) expect(r, name, verdict::unknown);
}

BOOST_AUTO_TEST_CASE(a_silent_server_or_an_unauthenticated_caller_is_an_error) {
    facade_cluster w;
    w.judge = [](kube::http_request const&) { return fault::error(errc::unreachable); };
    preflight_options once;
    once.retry = false;
    auto r = w.client.preflight(sample(), once);
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST(is_unreached(r.error().code), text_of(r.error()));
    w.judge = [](kube::http_request const& q) -> std::optional<fault> {
        if (!contains(q.target, reviews)) return std::nullopt;
        return fault::answer(401, "Unauthorized", "who are you");
    };
    r = w.client.preflight(sample());
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST(is_unauthorized(r.error().code), text_of(r.error()));
    BOOST_TEST(contains(r.error().detail.message, "who are you"));
}

BOOST_AUTO_TEST_CASE(preflight_can_be_cancelled_or_destroyed_at_any_step) {
    for (int turns = 0; turns < 60; ++turns) {
        facade_cluster w;
        asio::cancellation_signal stop;
        std::optional<error_code> ended;
        auto note = [&](error_code ec, preflight_report const&) { ended = ec; };
        bool const cancels = turns % 2 != 0;
        if (cancels)
            w.client.async_preflight(any_job(sample()), preflight_options(),
                                     asio::bind_cancellation_slot(stop.slot(), note));
        else
            w.client.async_preflight(any_job(sample()), preflight_options(), note);
        w.io.restart();
        for (int i = 0; i < turns; ++i) w.io.poll_one();
        if (!cancels) continue;
        stop.emit(asio::cancellation_type::terminal);
        BOOST_TEST_REQUIRE(w.until([&] { return ended.has_value(); }));
        BOOST_TEST((!*ended || is_cancelled(*ended)), ended->message());
    }
}

BOOST_AUTO_TEST_SUITE_END()
