#include "async/facade/follow/job_watch_cluster.hpp"

#include "facade/follow/job_board.hpp"

BOOST_AUTO_TEST_SUITE(async_job_watch_failures)

using namespace job_watch_tests;

BOOST_AUTO_TEST_CASE(forbidden_kinds_are_reported_once) {
    job_watch_cluster w;
    w.submit("a");
    w.judge = [](kube::http_request const& r) -> std::optional<fault> {
        if (r.target.find("tfjobs") == std::string::npos) return std::nullopt;
        return fault::answer(403, "Forbidden", "tfjobs are forbidden");
    };
    followed t(w.client.watch());
    int forbidden = 0, added = 0;
    for (int i = 0; i != 2; ++i) {
        if (t.next()) {
            ++added;
            continue;
        }
        BOOST_TEST((t.error == make_error_code(reason::forbidden)), t.error.message());
        BOOST_TEST(t.why.message == "TFJob: tfjobs are forbidden");
        ++forbidden;
    }
    BOOST_TEST(forbidden == 1);
    BOOST_TEST(added == 1);
    BOOST_TEST((t.next(50ms) == std::nullopt));
    BOOST_TEST((t.error == make_error_code(errc::timeout)));
    w.submit("b");
    BOOST_TEST(t.text() == "added b Created");
    BOOST_TEST(t.watch.has_synced());
}

BOOST_AUTO_TEST_CASE(a_timeout_has_the_last_failure) {
    job_watch_cluster w;
    bool away = true;
    w.judge = [&](kube::http_request const&) -> std::optional<fault> {
        if (!away) return std::nullopt;
        fault page;
        page.status = 200;
        page.text = "<html>not ready</html>";
        return page;
    };
    followed t(w.client.watch(pytorch_jobs()));
    BOOST_TEST((t.next(300ms) == std::nullopt));
    BOOST_TEST((t.error == make_error_code(errc::timeout)));
    BOOST_TEST(t.why.message.starts_with("no job changed within 300 ms; the last failure: "), t.why.message);
    away = false;
    w.submit("a");
    BOOST_TEST((t.next(20s) != std::nullopt));
    for (int i = 0; i != 400 && t.why.message != "no job changed within 50 ms"; ++i) (void)t.next(50ms);
    BOOST_TEST(t.why.message == "no job changed within 50 ms");
}

BOOST_AUTO_TEST_CASE(jobs_that_do_not_fit_their_type_are_reported_once) {
    job_watch_cluster w;
    w.submit("a");
    std::string odd = R"("metadata":{"name":"odd","namespace":"default","labels":{"team":"x"},"resourceVersion":"1"},)";
    odd = R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob",)" + odd + R"("spec":{"pytorchReplicaSpecs":7}})";
    auto const a = w.ask<pytorch_job>([&](auto h) { w.jobs().async_get("a", std::move(h)); });
    auto const list = R"({"kind":"PyTorchJobList","metadata":{"resourceVersion":")" + a.metadata.resource_version +
                      R"("},"items":[)" + odd + "," + to_json(a) + "]}";
    w.judge = [&](kube::http_request const& r) -> std::optional<fault> {
        if (job_watch_cluster::what(r) != "list pytorchjobs") return std::nullopt;
        fault f;
        f.status = 200;
        f.text = list;
        return f;
    };
    followed t(w.client.watch(pytorch_jobs().with_pods(false)));
    BOOST_TEST((t.next() == std::nullopt));
    BOOST_TEST((t.error == make_error_code(errc::type_mismatch)), t.error.message());
    BOOST_TEST(t.why.message.starts_with("PyTorchJob default/odd: spec.pytorchReplicaSpecs: expected "), t.why.message);
    BOOST_TEST(t.text() == "added a Created initial");
    followed late(w.client.watch(pytorch_jobs().with_pods(false))); // shares what the first one follows
    BOOST_TEST((late.next() == std::nullopt));
    BOOST_TEST((late.error == make_error_code(errc::type_mismatch)), late.error.message());
    followed others(w.client.watch(pytorch_jobs().with_pods(false).with_label_selector("team=y")));
    BOOST_TEST((others.next(50ms) == std::nullopt));
    BOOST_TEST((others.error == make_error_code(errc::timeout)), others.error.message());
}

namespace {

/// A world whose server lists PyTorchJobs with these metadata that do not fit their struct.
struct undecodable_jobs : job_watch_cluster {
    explicit undecodable_jobs(names const& metadata) {
        std::string items;
        for (auto const& m : metadata)
            items += (items.empty() ? "" : ",") + (R"({"metadata":)" + m + R"(,"spec":{"pytorchReplicaSpecs":7}})");
        auto const list = R"({"kind":"PyTorchJobList","metadata":{"resourceVersion":"1"},"items":[)" + items + "]}";
        judge = [list](kube::http_request const& r) -> std::optional<fault> {
            if (job_watch_cluster::what(r) != "list pytorchjobs") return std::nullopt;
            fault f;
            f.status = 200;
            f.text = list;
            return f;
        };
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_job_with_unreadable_labels_is_reported_to_a_watch_with_a_selector) {
    undecodable_jobs w({R"({"name":"odd","namespace":"default","labels":{"team":7},"resourceVersion":"1"})"});
    followed all(w.client.watch(pytorch_jobs().with_pods(false)));
    BOOST_TEST((all.next() == std::nullopt));
    BOOST_TEST((all.error == make_error_code(errc::type_mismatch)), all.error.message());
    // Shares the informer of the first watch.
    followed one_team(w.client.watch(pytorch_jobs().with_pods(false).with_label_selector("team=y")));
    BOOST_TEST((one_team.next() == std::nullopt));
    BOOST_TEST((one_team.error == make_error_code(errc::type_mismatch)), one_team.error.message());
    BOOST_TEST(one_team.why.message.starts_with("PyTorchJob default/odd: "), one_team.why.message);
}

/// Items of a list of one namespace may leave it out.
BOOST_AUTO_TEST_CASE(an_undecodable_job_without_a_namespace_ends_the_wait_for_it) {
    undecodable_jobs w({R"({"name":"odd","resourceVersion":"1"})"});
    waiting wait(w, job_reference::to<pytorch_job>("default", "odd"), until::finished());
    finish(w, wait);
    BOOST_TEST((*wait.ended == make_error_code(errc::type_mismatch)), wait.ended->message());
    BOOST_TEST(wait.why.message.starts_with("PyTorchJob default/odd: "), wait.why.message);
}

BOOST_AUTO_TEST_CASE(only_the_newest_unread_failures_are_kept) {
    undecodable_jobs w({R"({"name":"odd1"})", R"({"name":"odd2"})", R"({"name":"odd3"})"});
    auto const board = std::make_shared<kftrain::detail::job_board>(w.client.get_client());
    board->most_failures = 2;
    followed t(begin_watch(board, pytorch_jobs().with_namespace("default").with_pods(false)));
    w.run(100ms);
    for (auto const* name : {"odd2", "odd3"}) {
        BOOST_TEST((t.next() == std::nullopt));
        BOOST_TEST(t.why.message.starts_with(std::string("PyTorchJob default/") + name + ": "), t.why.message);
    }
    BOOST_TEST((t.next(50ms) == std::nullopt));
    BOOST_TEST((t.error == make_error_code(errc::timeout)), t.error.message());
}

BOOST_AUTO_TEST_CASE(kinds_that_are_served_later_are_found) {
    job_watch_cluster w;
    auto const board = std::make_shared<kftrain::detail::job_board>(w.client.get_client());
    board->unserved_retry = 20ms;
    bool served = false;
    w.judge = [&](kube::http_request const& r) -> std::optional<fault> {
        if (served || r.target.find("pytorchjobs") == std::string::npos) return std::nullopt;
        return fault::answer(404, "NotFound", "the server could not find the requested resource");
    };
    followed t(begin_watch(board, pytorch_jobs().with_namespace("default")));
    w.submit("a");
    w.make_pods("a");
    BOOST_TEST((t.next(50ms) == std::nullopt));
    BOOST_TEST((t.error == make_error_code(errc::timeout)));
    BOOST_TEST(t.watch.has_synced());
    served = true;
    BOOST_TEST(t.text() == "added a Created");
    t.all(100ms);
    BOOST_TEST((t.last == w.truth()));
    served = false; // its definition goes, and its jobs with it
    w.link->cut();
    w.judge = [](kube::http_request const&) { return std::optional(fault::answer(404, "NotFound", "gone")); };
    BOOST_TEST(t.text(20s) == "deleted a Created");
}

BOOST_AUTO_TEST_CASE(a_watch_without_kinds_ends_at_once) {
    job_watch_cluster w;
    w.submit("a");
    w.judge = [](kube::http_request const&) -> std::optional<fault> {
        return fault::answer(403, "Forbidden", "nothing for you");
    };
    followed t(w.client.watch(pytorch_jobs()));
    BOOST_TEST(!t.next().has_value());
    BOOST_TEST((t.error == make_error_code(reason::forbidden)));
    BOOST_TEST(t.why.message == "PyTorchJob: nothing for you");
    for (int i = 0; i != 2; ++i) {
        BOOST_TEST(!t.next().has_value());
        BOOST_TEST((t.error == make_error_code(errc::ended)));
    }
    followed bad(w.client.watch(pytorch_jobs().with_label_selector("a in")));
    BOOST_TEST(!bad.next().has_value());
    BOOST_TEST((bad.error == make_error_code(errc::invalid_argument)));
    BOOST_TEST(!bad.next().has_value());
    BOOST_TEST((bad.error == make_error_code(errc::ended)));
}

BOOST_AUTO_TEST_CASE(a_watch_works_without_permission_for_pods) {
    job_watch_cluster w;
    w.submit("a");
    w.judge = [](kube::http_request const& r) -> std::optional<fault> {
        if (r.target.find("/pods") == std::string::npos) return std::nullopt;
        return fault::answer(403, "Forbidden", "no pods");
    };
    followed t(w.client.watch(pytorch_jobs()));
    BOOST_TEST(!t.next().has_value());
    BOOST_TEST((t.error == make_error_code(reason::forbidden)));
    BOOST_TEST(t.why.message == "PyTorchJob, its pods: no pods");
    BOOST_TEST(t.text().starts_with("added a"));
    BOOST_TEST(t.last.at("default/a").ranks.empty());
    w.set_condition("a", "Running");
    BOOST_TEST(t.text() == "modified a Running");
}

/// A server that is starting may refuse what it allowed before.
BOOST_AUTO_TEST_CASE(one_refusal_after_success_is_reported_and_retried) {
    for (auto const& [status, why] : {std::pair(403U, "Forbidden"), {401U, "Unauthorized"}}) {
        job_watch_cluster w;
        auto const job = w.submit("a");
        followed t(w.client.watch(pytorch_jobs()));
        t.all(100ms);
        std::optional<error_code> ended;
        w.client.async_wait(job, until::finished(), [&](error_code ec, any_job const&) { ended = ec; });
        w.run(50ms);
        int refusals = 0;
        w.judge = [&, status = status, why = why](kube::http_request const& r) -> std::optional<fault> {
            if (!job_watch_cluster::what(r).ends_with(" pytorchjobs") || refusals == 2) return std::nullopt;
            ++refusals;
            return fault::answer(status, why, "not yet");
        };
        w.link->cut();
        BOOST_TEST(!t.next(20s).has_value());
        BOOST_TEST(t.why.message == "PyTorchJob: not yet");
        w.set_condition("a", "Succeeded");
        BOOST_TEST(t.text(20s) == "modified a Succeeded");
        BOOST_TEST_REQUIRE(w.until([&] { return ended.has_value(); }));
        BOOST_TEST(!*ended, ended->message());
    }
}

BOOST_AUTO_TEST_CASE(a_404_for_the_kind_is_confirmed_by_discovery) {
    job_watch_cluster w;
    w.submit("a");
    followed t(w.client.watch(pytorch_jobs()));
    t.all(100ms);
    bool once = true;
    w.judge = [&](kube::http_request const& r) -> std::optional<fault> {
        if (!job_watch_cluster::what(r).ends_with(" pytorchjobs") || !std::exchange(once, false)) return std::nullopt;
        return fault::answer(404, "NotFound", "the server could not find the requested resource");
    };
    w.link->cut();
    BOOST_TEST(w.until([&] { return !once; }));
    w.run(50ms);
    w.submit("b");
    BOOST_TEST(t.text(20s) == "added b Created");
    BOOST_TEST(t.last.contains("default/a"));
}

BOOST_AUTO_TEST_CASE(an_unreachable_cluster_is_reported) {
    job_watch_cluster w;
    followed t(w.client.watch());
    w.submit("a");
    BOOST_TEST(t.text().starts_with("added a"));
    w.server.close(errc::helper_failed);
    for (int i = 0; i != 2; ++i) {
        BOOST_TEST(!t.next(20s).has_value());
        BOOST_TEST((t.error == make_error_code(errc::helper_failed)), t.error.message());
    }
}

BOOST_AUTO_TEST_SUITE_END()
