#include "async/control/running_job.hpp"

#include <boost/asio/error.hpp>

BOOST_AUTO_TEST_SUITE(async_job_operator_faults)

using namespace operator_tests;

// Faults between an operator and its server.

BOOST_AUTO_TEST_CASE(a_new_operator_continues_after_a_crash_without_duplicates) {
    for (int last = 1; last <= 7; ++last) {
        BOOST_TEST_CONTEXT("dead after " << last << " writes") {
            operator_cluster w;
            int writes = 0;
            w.op->link->before = [&](kube::http_request const& r) {
                bool const event = r.target.find("/events") != std::string::npos;
                if (r.method != "GET" && !event && ++writes > last) w.op->link->silent = true;
            };
            w.submit(sample(2));
            w.until([&] { return writes > last || w.conditions() == "Created=True"; });
            w.calm();
            auto const dead = std::move(w.op);
            w.start_operator();
            w.until_conditions("Created=True");
            expect(w.names_of(w.pods), three);
            expect(w.names_of(w.services), three);
            for (auto const& e : w.all(w.events)) {
                BOOST_TEST(e.type == "Normal", e.message);
                BOOST_TEST(e.count == 1, e.message);
            }
            for (auto const& p : three) w.set(p, "Running");
            w.until_conditions("Created=True Running=True");
        }
    }
}

BOOST_AUTO_TEST_CASE(a_status_conflict_causes_another_reconcile) {
    operator_cluster w;
    int meddled = 0;
    w.op->link->before = [&](kube::http_request const& r) {
        if (r.method != "PUT" || r.target.find("/pytorchjobs/pt/status") == std::string::npos || ++meddled > 2) return;
        auto note = sample(2);
        auto const kind = w.server.store().find("kubeflow.org", "v1", "pytorchjobs").value();
        note.metadata.resource_version = std::to_string(w.server.store().get(kind, "corpus", "pt").value()->version());
        note.metadata.annotations["meddled"] = std::to_string(meddled);
        w.jobs.async_replace(note, [](error_code ec, pytorch_job const&) { BOOST_TEST(!ec); });
    };
    w.submit(sample(2));
    w.until_conditions("Created=True");
    BOOST_TEST(meddled >= 3);
    BOOST_TEST(w.job().metadata.annotations.at("meddled") == "2");
    expect(w.creations(), created_three);
    expect(w.happenings(), {});
}

BOOST_AUTO_TEST_CASE(an_operator_with_a_lagging_cache_does_nothing_twice) {
    operator_cluster w;
    w.op.reset();
    w.start_operator(150ms);
    w.submit(sample(2));
    w.until_conditions("Created=True");
    for (auto const& p : three) w.set(p, "Running");
    w.until_conditions("Created=True Running=True");
    expect(w.creations(), created_three);
    expect(w.happenings(), {});
}

BOOST_AUTO_TEST_CASE(a_deleted_pod_is_created_again) {
    running_job w("OnFailure");
    kube::run_blocking(w.io.get_executor(), diagnostics(), [&](auto h) {
        w.pods.async_delete("pt-worker-0", std::move(h));
    }).value();
    w.until([&] { return w.names_of(w.pods) == three; });
    w.calm();
    auto created = created_three;
    created[1] += " x2";
    expect(w.creations(), created);
}

BOOST_AUTO_TEST_CASE(a_rejected_child_is_reported_and_retried) {
    operator_cluster w;
    pod rival; // the name is taken by somebody else's pod
    rival.metadata.name = "pt-worker-0";
    rival.metadata.namespace_ = "corpus";
    rival.spec.containers.emplace_back().name = "a";
    rival.spec.containers.back().image = "i";
    w.ask<pod>([&](auto h) { w.pods.async_create(rival, std::move(h)); });
    w.submit(sample(2));
    auto const refused = [&] {
        for (auto const& e : w.all(w.events))
            if (e.type == "Warning" && e.reason == "FailedCreatePod" && e.message.starts_with("Error creating: ") &&
                e.count >= 2)
                return true;
        return false;
    };
    w.until(refused);
    kube::run_blocking(w.io.get_executor(), diagnostics(), [&](auto h) {
        w.pods.async_delete("pt-worker-0", std::move(h));
    }).value();
    w.until_conditions("Created=True");
    expect(w.names_of(w.pods), three);
}

BOOST_AUTO_TEST_SUITE_END()
