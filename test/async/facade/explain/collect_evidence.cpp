#include "async/control/running_job.hpp"
#include "support/faulty_transport.hpp"

#include "facade/explain/collect_evidence.hpp"
#include "kube/async/operation.hpp"

#include <kftrain/training_client.hpp>

BOOST_AUTO_TEST_SUITE(async_facade_collect_evidence)

using namespace operator_tests;
using test::fault;

namespace {

/// The test chooses requests of the client to refuse; those of the operator succeed.
struct evidence_reader {
    explicit evidence_reader(operator_cluster& w) : link(w.link), client(kube::client(link), "corpus") {}

    explanation explain() {
        auto e = client.explain(job_reference::to<pytorch_job>("corpus", "pt"));
        BOOST_REQUIRE_MESSAGE(e.has_value(), (e ? "" : e.error().to_string()));
        return *std::move(e);
    }
    void refuse(std::string part) {
        link->judge = [part = std::move(part)](kube::http_request const& r) -> std::optional<fault> {
            if (r.target.find(part) == std::string::npos) return std::nullopt;
            return fault::answer(403, "Forbidden", "it is forbidden");
        };
    }

    std::shared_ptr<test::faulty_transport> link;
    training_client client;
};

std::string kinds(explanation const& e) {
    std::string text;
    for (auto const& c : e.causes) text += (text.empty() ? "" : " ") + std::string(to_string(c.kind));
    return text;
}

bool has_line(names const& lines, std::string const& part) {
    return std::ranges::any_of(lines, [&](std::string const& l) { return l.find(part) != std::string::npos; });
}

} // namespace

BOOST_AUTO_TEST_CASE(a_job_with_running_members_is_healthy) {
    running_job w;
    evidence_reader a(w);
    auto const e = a.explain();
    BOOST_TEST(kinds(e) == "healthy", e.to_string());
}

BOOST_AUTO_TEST_CASE(the_member_that_failed_is_found_in_the_cluster) {
    running_job w;
    evidence_reader a(w);
    w.set("pt-worker-1", "Failed", 3);
    w.until([&] { return w.conditions().find("Failed=True") != std::string::npos; });
    w.calm();
    auto const e = a.explain();
    BOOST_TEST_REQUIRE(kinds(e) == "exited still-running", e.to_string());
    BOOST_TEST(e.causes[0].members.at(0).pod_name == "pt-worker-1");
    BOOST_TEST(e.causes[0].code.value() == 3);
    BOOST_TEST((e.state.phase == job_phase::failed));
}

BOOST_AUTO_TEST_CASE(a_quota_that_refuses_pods_is_found) {
    operator_cluster w;
    w.op.reset();
    auto const& link = w.link;
    link->judge = [](kube::http_request const& r) -> std::optional<fault> {
        if (!is_create_of(r, "/pods")) return std::nullopt;
        return fault::answer(
            403, "Forbidden",
            "pods is forbidden: exceeded quota: team, requested: pods=1, used: pods=4, limited: pods=4");
    };
    control::job_operator<pytorch_job> refused{kube::client(link)};
    refused.async_run([](error_code) {});
    w.submit(sample(1));
    w.until([&] { return !w.all(w.events).empty(); });
    evidence_reader a(w);
    std::string found;
    w.until([&] { return (found = kinds(a.explain())) == "quota"; });
    BOOST_TEST(found == "quota");
}

BOOST_AUTO_TEST_CASE(forbidden_objects_are_reported_as_missing) {
    running_job w;
    evidence_reader a(w);
    a.refuse("/events");
    auto e = a.explain();
    BOOST_TEST(kinds(e) == "healthy");
    BOOST_TEST(has_line(e.missing, "events of the job"), e.to_string());
    a.refuse("/pods?");
    e = a.explain();
    BOOST_TEST(has_line(e.missing, "pods: "), e.to_string());
    BOOST_TEST(e.causes.at(0).summary == "No problem was found");
    a.refuse("/log?");
    BOOST_TEST(has_line(a.explain().missing, "log of pod pt-master-0"));
    a.refuse("/podgroups/");
    BOOST_TEST(!has_line(a.explain().missing, "PodGroup")); // the job has none
}

BOOST_AUTO_TEST_CASE(a_forbidden_kueue_workload_is_listed_as_missing) {
    operator_cluster w;
    auto job = sample(1);
    job.spec.run_policy.suspend = true;
    job.metadata.labels.emplace("kueue.x-k8s.io/queue-name", "research");
    w.submit(job);
    w.until([&] { return w.conditions().find("Suspended=True") != std::string::npos; });
    evidence_reader a(w);
    auto const absent = a.explain();
    BOOST_TEST(kinds(absent) == "suspended", absent.to_string());
    BOOST_TEST(absent.causes[0].summary.find("which this cluster does not have") != std::string::npos,
               absent.to_string());
    BOOST_TEST(absent.to_string().find("not checked: Workload") == std::string::npos);
    a.refuse("/workloads");
    auto const refused = a.explain();
    BOOST_TEST(kinds(refused) == "suspended");
    BOOST_TEST(refused.causes[0].summary == "The job is suspended");
    BOOST_TEST(refused.to_string().find("not checked: Workload of Kueue: ") != std::string::npos, refused.to_string());
}

BOOST_AUTO_TEST_CASE(a_forbidden_job_is_an_error) {
    running_job w;
    evidence_reader a(w);
    auto const none = a.client.explain(job_reference::to<pytorch_job>("corpus", "none"));
    BOOST_TEST(is_not_found(none.error().code));
    a.refuse("/pytorchjobs/");
    auto const e = a.client.explain(job_reference::to<pytorch_job>("corpus", "pt"));
    BOOST_TEST(is_forbidden(e.error().code));
    BOOST_TEST(e.error().to_string().find("it is forbidden") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_job_without_an_operator_is_reported_after_some_time) {
    operator_cluster w;
    w.op.reset();
    w.submit(sample(1));
    evidence_reader a(w);
    BOOST_TEST(kinds(a.explain()) == "starting");
    std::optional<explaining::job_evidence> seen;
    asio::co_spawn(w.io,
                   explaining::collect_evidence(a.client.get_client(), job_reference::to<pytorch_job>("corpus", "pt"),
                                                explain_options()),
                   [&](std::exception_ptr, explaining::job_evidence e) { seen = std::move(e); });
    w.until([&] { return seen.has_value(); });
    auto const later = *seen->job->metadata().creation_timestamp + 60s;
    BOOST_TEST(kinds(explaining::explain(*seen, later)) == "no-operator");
}

BOOST_AUTO_TEST_CASE(the_number_of_requests_does_not_depend_on_the_number_of_members) {
    operator_cluster w;
    w.submit(sample(40));
    w.until([&] { return w.all(w.pods).size() == 41; });
    evidence_reader a(w);
    std::size_t requests = 0;
    a.link->judge = [&](kube::http_request const&) -> std::optional<fault> {
        ++requests;
        return std::nullopt;
    };
    a.explain();
    BOOST_TEST(requests < 12);
}

BOOST_AUTO_TEST_CASE(pod_groups_of_a_queue_are_read_until_enough_are_found) {
    running_job w;
    evidence_reader a(w);
    auto const answer = [](std::string text) {
        auto f = fault::answer(200, "", "");
        f.text = std::move(text);
        return f;
    };
    std::string const status = R"(,"spec":{"queue":"gpus"},"status":{"phase":)";
    std::string groups;
    for (std::string const name : {"g1", "g2", "g3", "g4", "g5"})
        groups += (groups.empty() ? "" : ",") + (R"({"metadata":{"namespace":"other","name":")" + name) + R"("})" +
                  status + R"("Running"}})";
    std::size_t pages = 0;
    a.link->judge = [&](kube::http_request const& r) -> std::optional<fault> {
        if (r.target.find("/scheduling.volcano.sh/") == std::string::npos) return std::nullopt;
        if (r.target.find("/podgroups/pt") != std::string::npos)
            return answer(R"({"metadata":{"namespace":"corpus","name":"pt"})" + status + R"("Pending"}})");
        if (r.target.find("/podgroups?") == std::string::npos) return std::nullopt;
        return answer(R"({"metadata":{"continue":"page-)" + std::to_string(++pages) + R"("},"items":[)" + groups +
                      "]}");
    };
    a.explain();
    BOOST_TEST(pages == 1U);
}

BOOST_AUTO_TEST_CASE(an_explanation_can_be_cancelled_at_any_step) {
    running_job w;
    evidence_reader a(w);
    for (int turns = 0; turns < 60; ++turns) {
        asio::cancellation_signal stop;
        std::optional<error_code> end;
        a.client.async_explain(
            job_reference::to<pytorch_job>("corpus", "pt"), explain_options(),
            asio::bind_cancellation_slot(stop.slot(), [&](error_code ec, explanation const&) { end = ec; }));
        w.io.restart();
        for (int i = 0; i < turns; ++i) w.io.poll_one();
        stop.emit(asio::cancellation_type::terminal);
        w.until([&] { return end.has_value(); });
        BOOST_TEST((!*end || is_cancelled(*end)), end->message());
    }
}

BOOST_AUTO_TEST_CASE(destroying_the_io_context_destroys_a_pending_explanation) {
    for (int turns = 0; turns < 60; turns += 3) {
        operator_cluster w;
        w.submit(sample(1));
        evidence_reader a(w);
        a.client.async_explain(job_reference::to<pytorch_job>("corpus", "pt"), explain_options(),
                               [](error_code, explanation const&) {});
        w.io.restart();
        for (int i = 0; i < turns; ++i) w.io.poll_one();
    }
}

BOOST_AUTO_TEST_SUITE_END()
