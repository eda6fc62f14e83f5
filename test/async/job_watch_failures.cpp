#include "async/job_watch_world.hpp"

#include "facade/follow/job_board.hpp"

BOOST_AUTO_TEST_SUITE(async_job_watch_failures)

using namespace job_watch_world;

BOOST_AUTO_TEST_CASE(kinds_that_may_not_be_watched_are_told_once) {
    world w;
    w.submit("a");
    w.judge = [](kube::http_request const& r) -> std::optional<fault> {
        if (r.target.find("tfjobs") == std::string::npos) return std::nullopt;
        return fault::answer(403, "Forbidden", "tfjobs are forbidden");
    };
    told t(w.client.watch());
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

BOOST_AUTO_TEST_CASE(kinds_that_come_to_be_served_later_are_found) {
    world w;
    auto const board = std::make_shared<job_board>(w.client.get_client());
    board->look_again = 20ms;
    bool served = false;
    w.judge = [&](kube::http_request const& r) -> std::optional<fault> {
        if (served || r.target.find("pytorchjobs") == std::string::npos) return std::nullopt;
        return fault::answer(404, "NotFound", "the server could not find the requested resource");
    };
    told t(begin_watch(board, pytorch_jobs().with_namespace("default")));
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

BOOST_AUTO_TEST_CASE(a_watch_of_nothing_has_ended) {
    world w;
    w.submit("a");
    w.judge = [](kube::http_request const&) -> std::optional<fault> {
        return fault::answer(403, "Forbidden", "nothing for you");
    };
    told t(w.client.watch(pytorch_jobs()));
    BOOST_TEST(!t.next().has_value());
    BOOST_TEST((t.error == make_error_code(reason::forbidden)));
    BOOST_TEST(t.why.message == "PyTorchJob: nothing for you");
    for (int i = 0; i != 2; ++i) {
        BOOST_TEST(!t.next().has_value());
        BOOST_TEST((t.error == make_error_code(errc::ended)));
    }
    told bad(w.client.watch(pytorch_jobs().with_label_selector("a in")));
    BOOST_TEST(!bad.next().has_value());
    BOOST_TEST((bad.error == make_error_code(errc::invalid_argument)));
    BOOST_TEST(!bad.next().has_value());
    BOOST_TEST((bad.error == make_error_code(errc::ended)));
}

BOOST_AUTO_TEST_CASE(pods_that_may_not_be_seen_are_done_without) {
    world w;
    w.submit("a");
    w.judge = [](kube::http_request const& r) -> std::optional<fault> {
        if (r.target.find("/pods") == std::string::npos) return std::nullopt;
        return fault::answer(403, "Forbidden", "no pods");
    };
    told t(w.client.watch(pytorch_jobs()));
    BOOST_TEST(!t.next().has_value());
    BOOST_TEST((t.error == make_error_code(reason::forbidden)));
    BOOST_TEST(t.why.message == "PyTorchJob, its pods: no pods");
    BOOST_TEST(t.text().starts_with("added a"));
    BOOST_TEST(t.last.at("default/a").ranks.empty());
    w.tell("a", "Running");
    BOOST_TEST(t.text() == "changed a Running");
}

/// A server that is starting may refuse what it allowed before.
BOOST_AUTO_TEST_CASE(one_refusal_after_all_went_well_is_told_and_gone_through) {
    for (auto const& [status, why] : {std::pair(403U, "Forbidden"), {401U, "Unauthorized"}}) {
        world w;
        auto const job = w.submit("a");
        told t(w.client.watch(pytorch_jobs()));
        t.all(100ms);
        std::optional<error_code> ended;
        w.client.async_wait(job, until::finished(), [&](error_code ec, any_job const&) { ended = ec; });
        w.run(50ms);
        int refusals = 0;
        w.judge = [&, status = status, why = why](kube::http_request const& r) -> std::optional<fault> {
            if (!world::what(r).ends_with(" pytorchjobs") || refusals == 2) return std::nullopt;
            ++refusals;
            return fault::answer(status, why, "not yet");
        };
        w.link->cut();
        BOOST_TEST(!t.next(20s).has_value());
        BOOST_TEST(t.why.message == "PyTorchJob: not yet");
        w.tell("a", "Succeeded");
        BOOST_TEST(t.text(20s) == "changed a Succeeded");
        BOOST_TEST_REQUIRE(w.until([&] { return ended.has_value(); }));
        BOOST_TEST(!*ended, ended->message());
    }
}

BOOST_AUTO_TEST_CASE(one_answer_that_the_kind_is_not_there_is_confirmed) {
    world w;
    w.submit("a");
    told t(w.client.watch(pytorch_jobs()));
    t.all(100ms);
    bool once = true;
    w.judge = [&](kube::http_request const& r) -> std::optional<fault> {
        if (!world::what(r).ends_with(" pytorchjobs") || !std::exchange(once, false)) return std::nullopt;
        return fault::answer(404, "NotFound", "the server could not find the requested resource");
    };
    w.link->cut();
    BOOST_TEST(w.until([&] { return !once; }));
    w.run(50ms);
    w.submit("b");
    BOOST_TEST(t.text(20s) == "added b Created");
    BOOST_TEST(t.last.contains("default/a"));
}

BOOST_AUTO_TEST_CASE(a_cluster_that_broke_is_told) {
    world w;
    told t(w.client.watch());
    w.submit("a");
    BOOST_TEST(t.text().starts_with("added a"));
    w.server.close(errc::helper_failed);
    for (int i = 0; i != 2; ++i) {
        BOOST_TEST(!t.next(20s).has_value());
        BOOST_TEST((t.error == make_error_code(errc::helper_failed)), t.error.message());
    }
}

BOOST_AUTO_TEST_SUITE_END()
