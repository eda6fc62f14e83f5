#include "async/facade/follow/job_watch_cluster.hpp"

BOOST_AUTO_TEST_SUITE(async_job_waits_refused)

using namespace job_watch_tests;

BOOST_AUTO_TEST_CASE(a_not_found_for_a_kind_that_was_served_is_retried) {
    job_watch_cluster w;
    bool served = false;
    w.judge = [&](kube::http_request const& r) -> std::optional<fault> {
        if (served || !job_watch_cluster::what(r).ends_with(" pytorchjobs")) return std::nullopt;
        return fault::answer(404, "NotFound", "the server could not find the requested resource");
    };
    auto watch = w.client.watch(pytorch_jobs());
    BOOST_TEST(w.until([&] { return w.requests["list pytorchjobs"] > 0; }));
    w.run(50ms);
    served = true;
    auto const job = w.submit("a");
    waiting x(w, job, until::finished()), ready(w, job, until::all_ranks_ready());
    w.run(100ms);
    for (auto* one : {&x, &ready}) BOOST_TEST(!one->ended.has_value());
    w.set_condition("a", "Succeeded");
    finish(w, x);
    BOOST_TEST(!*x.ended, x.why.message);
    finish(w, ready);
    BOOST_TEST((*ready.ended == make_error_code(errc::incomplete)), ready.ended->message());
}

BOOST_AUTO_TEST_CASE(without_permission_to_list_jobs_only_the_job_is_watched) {
    job_watch_cluster w;
    w.judge = [](kube::http_request const& r) -> std::optional<fault> {
        bool const one = r.target.find("fieldSelector=metadata.name%3Da") != std::string::npos;
        if (one || job_watch_cluster::what(r) == "get pytorchjobs") return std::nullopt;
        return fault::answer(403, "Forbidden", "no rights to " + job_watch_cluster::what(r));
    };
    auto const job = w.submit("a");
    waiting x(w, job, until::finished()), pods(w, job, until::all_ranks_ready());
    finish(w, pods);
    BOOST_TEST((*pods.ended == make_error_code(reason::forbidden)));
    BOOST_TEST(pods.why.message == "no rights to list pytorchjobs");
    w.run(50ms);
    BOOST_TEST(!x.ended.has_value());
    w.set_condition("a", "Succeeded");
    finish(w, x);
    BOOST_TEST(!*x.ended, x.why.message);
    waiting gone(w, job, until::deleted());
    w.run(50ms);
    w.remove("a");
    finish(w, gone);
    BOOST_TEST(!*gone.ended, gone.why.message);
}

BOOST_AUTO_TEST_CASE(a_role_that_the_job_does_not_have_is_refused) {
    job_watch_cluster w;
    waiting early(w, job_reference::to<pytorch_job>("", "a"), until::ranks_ready("Chief", 1));
    w.run(50ms);
    BOOST_TEST(!early.ended.has_value());
    auto const job = w.submit("a");
    finish(w, early);
    BOOST_TEST((*early.ended == make_error_code(errc::invalid_argument)), early.ended->message());
    using namespace until;
    for (auto const& condition : {ranks_ready("worker", 1), !ranks_ready("worker", 1),
                                  finished() || ranks_ready("worker", 1), ranks_ready("worker", 1) && deleted()}) {
        waiting x(w, job, condition);
        finish(w, x);
        BOOST_TEST((*x.ended == make_error_code(errc::invalid_argument)), condition.what());
        BOOST_TEST(x.why.path == "role");
        BOOST_TEST(x.why.message == "\"worker\", expected one of \"Master\", \"Worker\"; did you mean \"Worker\"?");
    }
}

BOOST_AUTO_TEST_CASE(without_permission_for_pods_other_conditions_can_be_awaited) {
    job_watch_cluster w;
    w.judge = [](kube::http_request const& r) -> std::optional<fault> {
        if (r.target.find("/pods") == std::string::npos) return std::nullopt;
        return fault::answer(403, "Forbidden", "no pods");
    };
    auto const job = w.submit("a");
    waiting x(w, job, until::finished()), pods(w, job, until::suspended());
    finish(w, pods);
    BOOST_TEST((*pods.ended == make_error_code(reason::forbidden)));
    w.set_condition("a", "Succeeded");
    finish(w, x);
    BOOST_TEST(!*x.ended);
}

BOOST_AUTO_TEST_CASE(permanent_refusals_end_the_wait) {
    for (auto const& [status, wanted, code] : {std::tuple(401U, "Unauthorized", make_error_code(reason::unauthorized)),
                                               std::tuple(404U, "NotFound", make_error_code(reason::not_found))}) {
        job_watch_cluster w;
        w.judge = [&, status = status, wanted = wanted](kube::http_request const&) -> std::optional<fault> {
            return fault::answer(status, wanted, "no");
        };
        waiting x(w, job_reference::to<pytorch_job>("default", "a"), until::finished());
        finish(w, x);
        BOOST_TEST((*x.ended == code), x.ended->message());
        BOOST_TEST(x.why.message == "no");
    }
    job_watch_cluster w;
    waiting x(w, job_reference::to<pytorch_job>("default", "a/b"), until::finished());
    finish(w, x);
    BOOST_TEST((*x.ended == make_error_code(errc::invalid_argument)));
    waiting y(w, w.submit("a"), until::finished());
    w.run(50ms);
    w.server.close(errc::helper_failed);
    finish(w, y);
    BOOST_TEST((*y.ended == make_error_code(errc::helper_failed)), y.ended->message());
}

BOOST_AUTO_TEST_SUITE_END()
