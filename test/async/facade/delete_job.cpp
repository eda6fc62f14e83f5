#include "async/facade/facade_cluster.hpp"

#include <kftrain/kube/api.hpp>

BOOST_AUTO_TEST_SUITE(async_facade_delete)

using namespace facade_tests;

namespace {

job_delete_options waiting(std::chrono::milliseconds t) { return job_delete_options().with_wait().with_timeout(t); }

/// A job that stays for its finalizer.
struct cluster_with_job : facade_cluster {
    cluster_with_job() {
        auto job = sample();
        job.metadata.finalizers = {"example.com/keep"};
        stored = good(client.submit(job));
    }
    void remove_finalizer() {
        auto job = *good(client.get(stored)).get_if<pytorch_job>();
        job.metadata.finalizers.clear();
        jobs.async_replace(job, [](error_code ec, pytorch_job const&) { BOOST_TEST(!ec, ec.message()); });
    }

    any_job stored;
    kube::api<pytorch_job> jobs{kube::client(server.transport()), "default"};
};

} // namespace

BOOST_AUTO_TEST_CASE(a_deleted_job_is_gone) {
    facade_cluster w;
    auto const job = good(w.client.submit(sample()));
    BOOST_TEST(w.client.delete_job(job, waiting(10s)).has_value());
    auto const again = w.client.delete_job(job);
    BOOST_TEST_REQUIRE(again.has_error());
    BOOST_TEST(is_not_found(again.error().code));
}

BOOST_AUTO_TEST_CASE(deletion_does_not_affect_another_job_with_the_same_name) {
    facade_cluster w;
    auto const job = good(w.client.submit(sample()));
    job_reference stale(job);
    stale.uid = "of-another-time";
    auto const r = w.client.delete_job(stale);
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST(is_conflict(r.error().code), text_of(r.error()));
    BOOST_TEST(w.client.get(job).has_value());
}

BOOST_AUTO_TEST_CASE(a_deletion_timeout_names_the_remaining_finalizers) {
    cluster_with_job w;
    auto const r = w.client.delete_job(w.stored, waiting(200ms));
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST((r.error().code == errc::timeout), text_of(r.error()));
    BOOST_TEST(contains(r.error().detail.message, "the deletion waits for its finalizers example.com/keep"),
               text_of(r.error()));
}

BOOST_AUTO_TEST_CASE(deletion_without_a_wait_completes_at_once) {
    cluster_with_job w;
    BOOST_TEST(w.client.delete_job(w.stored).has_value());
    BOOST_TEST(good(w.client.get(w.stored)).metadata().deletion_timestamp.has_value());
}

BOOST_AUTO_TEST_CASE(waiting_callers_receive_the_deletion) {
    cluster_with_job w;
    std::optional<error_code> ended;
    w.client.async_delete(w.stored, waiting(20s), [&](error_code ec) { ended = ec; });
    BOOST_TEST_REQUIRE(w.until([&] { return w.count("DELETE", "/pytorchjobs/j") == 1; }));
    w.time.advance(50ms);
    BOOST_TEST(!ended.has_value());
    w.remove_finalizer();
    BOOST_TEST_REQUIRE(w.until([&] { return ended.has_value(); }));
    BOOST_TEST(!*ended, ended->message());
}

/// The next job of the name is not the one that was waited for.
BOOST_AUTO_TEST_CASE(a_new_job_with_the_same_name_does_not_prolong_the_wait) {
    cluster_with_job w;
    std::optional<error_code> ended;
    w.client.async_delete(w.stored, waiting(20s), [&](error_code ec) { ended = ec; });
    BOOST_TEST_REQUIRE(w.until([&] { return w.count("DELETE", "/pytorchjobs/j") == 1; }));
    w.remove_finalizer();
    BOOST_TEST_REQUIRE(w.until([&] { return w.client.get(job_reference::to<pytorch_job>("", "j")).has_error(); }));
    good(w.client.submit(sample()));
    BOOST_TEST_REQUIRE(w.until([&] { return ended.has_value(); }));
    BOOST_TEST(!*ended, ended->message());
}

/// A caller that passes only the name waits for the job that the server deleted, as the answer identifies it.
BOOST_AUTO_TEST_CASE(a_new_job_of_the_name_does_not_prolong_a_wait) {
    facade_cluster w;
    good(w.client.submit(sample()));
    bool first = true;
    training_client others{kube::client(w.server.transport())};
    w.judge = [&](kube::http_request const& r) -> std::optional<fault> {
        if (r.method != "GET" || !std::exchange(first, false)) return std::nullopt;
        others.async_submit(any_job(sample()), submit_options(),
                            [](error_code ec, any_job const&) { BOOST_TEST(!ec, ec.message()); });
        return fault::error(errc::connection_lost); // at the next request the successor is there
    };
    auto const r = w.client.delete_job(job_reference::to<pytorch_job>("", "j"), waiting(5s));
    BOOST_TEST(r.has_value(), (r ? "" : text_of(r.error())));
    w.judge = {};
    BOOST_TEST(w.client.get(job_reference::to<pytorch_job>("", "j")).has_value());
}

namespace {

std::string undecodable(std::string const& uid) {
    return R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","spec":{"pytorchReplicaSpecs":7},"metadata":{)"
           R"("name":"odd","namespace":"default","finalizers":["example.com/keep"],"resourceVersion":"4","uid":")" +
           uid + "\"}}";
}

std::optional<fault> answered(std::string text) {
    fault f;
    f.status = 200;
    f.text = std::move(text);
    return f;
}

/// A server that stores a job which does not fit its struct and keeps it for its finalizer; `watch` is what its watch
/// sends.
struct cluster_with_undecodable_job : facade_cluster {
    explicit cluster_with_undecodable_job(std::string stored_uid, std::string watch = {}) {
        auto const list =
            R"({"kind":"PyTorchJobList","metadata":{"resourceVersion":"4"},"items":[)" + undecodable(stored_uid) + "]}";
        judge = [list, watch = std::move(watch)](kube::http_request const& r) -> std::optional<fault> {
            if (r.method == "DELETE") return answered(undecodable("u1"));
            return answered(contains(r.target, "watch=") ? watch : list);
        };
    }
    job_reference const job = job_reference::to<pytorch_job>("default", "odd");
};

} // namespace

BOOST_AUTO_TEST_CASE(the_wait_covers_a_job_that_does_not_fit_its_type) {
    cluster_with_undecodable_job w("u1", R"({"type":"DELETED","object":)" + undecodable("u1") + "}\n");
    auto const gone = w.client.delete_job(w.job, waiting(10s));
    BOOST_TEST(gone.has_value(), (gone ? "" : text_of(gone.error())));
    BOOST_TEST(w.count("GET", "/pytorchjobs") >= 2);
}

BOOST_AUTO_TEST_CASE(the_uid_distinguishes_an_undecodable_job_from_its_successor) {
    cluster_with_undecodable_job w("u2");
    auto const gone = w.client.delete_job(w.job, waiting(10s));
    BOOST_TEST(gone.has_value(), (gone ? "" : text_of(gone.error())));
}

BOOST_AUTO_TEST_CASE(a_timeout_names_the_finalizers_of_an_undecodable_job) {
    cluster_with_undecodable_job w("u1");
    auto const kept = w.client.delete_job(w.job, waiting(200ms));
    BOOST_TEST_REQUIRE(kept.has_error());
    BOOST_TEST((kept.error().code == errc::timeout), text_of(kept.error()));
    BOOST_TEST(contains(kept.error().detail.message, "the deletion waits for its finalizers example.com/keep"),
               text_of(kept.error()));
}

BOOST_AUTO_TEST_CASE(foreground_deletion_deletes_children_first) {
    facade_cluster w;
    auto const job = good(w.client.submit(sample()));
    std::string body;
    w.judge = [&](kube::http_request const& r) -> std::optional<fault> {
        if (r.method == "DELETE") body = r.body;
        return std::nullopt;
    };
    BOOST_TEST(w.client.delete_job(job, job_delete_options().with_foreground()).has_value());
    BOOST_TEST(contains(body, "Foreground"), body);
}

BOOST_AUTO_TEST_SUITE_END()
