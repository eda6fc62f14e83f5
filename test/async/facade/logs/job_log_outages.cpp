#include "async/facade/logs/node_logs.hpp"
#include "support/faulty_transport.hpp"

// The API server goes away while logs are followed, and comes back.

namespace {

using namespace node_logs;
using test::fault;

struct log_outage : node_with_logs {
    log_outage() {
        client = training_client(kube::client(link));
        link->judge = [this](kube::http_request const& r) -> std::optional<fault> {
            if (left == 0) return {};
            if (r.target.find("/log?") != std::string::npos) --left;
            return what;
        };
    }

    /// Breaks every connection; the server is away until a log has been requested so many times.
    void go_away(int attempts, fault f) {
        left = attempts;
        what = std::move(f);
        log_of("j-master-0/0").breaks = true;
        link->cut();
    }
    void check_outage(fault f) {
        // More attempts than a log is given that the server refuses.
        constexpr int attempts = 6;
        run_pod("j-master-0", {"01 one", "02 two"});
        follow();
        BOOST_REQUIRE(until([&] { return has("j-master-0: two"); }));
        go_away(attempts, std::move(f));
        write("j-master-0/0", {"02 three", "03 four"});
        BOOST_REQUIRE(until([&] { return left == 0; }));
        BOOST_REQUIRE(until([&] { return has("j-master-0: four"); }));
        end_pod("j-master-0");
        finish_job();
        BOOST_TEST(end() == error_code(), detail.message);
        BOOST_TEST(lines == (list{"j-master-0: one", "j-master-0: two", "j-master-0: three", "j-master-0: four"}),
                   boost::test_tools::per_element());
    }

    int left = 0;
    fault what;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(async_job_log_outages, log_outage)

BOOST_AUTO_TEST_CASE(a_long_outage_loses_no_log_line) { check_outage(fault::error(asio::error::connection_refused)); }

BOOST_AUTO_TEST_CASE(a_load_balancer_without_backends_loses_no_log_line) {
    fault f = fault::answer(502, "", "");
    f.text = "<html>Bad Gateway</html>";
    check_outage(f.field("Content-Type", "text/html"));
}

BOOST_AUTO_TEST_CASE(a_login_page_instead_of_the_server_loses_no_log_line) {
    fault f;
    f.status = 200;
    f.text = "<html>Please log in</html>";
    check_outage(f.field("Content-Type", "text/html"));
}

BOOST_AUTO_TEST_CASE(a_deadline_ends_logs_that_wait_for_an_unreachable_server) {
    run_pod("j-master-0", {"01 one"});
    client.async_logs(
        stored, [this](log_line const& l) { lines.push_back(l.text); },
        job_log_options().with_detail(detail).with_timeout(1s), [this](error_code ec) { ended = ec; });
    BOOST_REQUIRE(until([&] { return !lines.empty(); }));
    go_away(1'000'000, fault::error(asio::error::connection_refused));
    BOOST_TEST(end() == make_error_code(errc::timeout), detail.message);
    BOOST_TEST(detail.message.find(" not complete after 1000 ms; the last failure: ") != std::string::npos,
               detail.message);
}

BOOST_AUTO_TEST_CASE(a_recorded_timeline_survives_an_outage) {
    for (auto const outage : {1s, 5s, 30s}) {
        log_outage w;
        auto const back = std::make_shared<kube::detail::time_source::clock::time_point>();
        w.link->judge = [&w, back](kube::http_request const&) -> std::optional<fault> {
            if (w.time.now() >= *back) return {};
            return fault::error(asio::error::connection_refused);
        };
        w.run_pod("j-master-0", {"01 kftrain-progress/1 step=1 total=2"});
        job_timeline recorded;
        w.client.async_timeline(w.stored, timeline_options().with_follow().with_detail(w.detail),
                                [&](error_code ec, job_timeline t) {
                                    w.ended = ec;
                                    recorded = std::move(t);
                                });
        BOOST_REQUIRE(w.until([&] { return w.node->taken() > 0; }));
        *back = w.time.now() + outage;
        w.log_of("j-master-0/0").breaks = true;
        w.link->cut();
        w.write("j-master-0/0", {"02 kftrain-progress/1 step=2 total=2"});
        BOOST_REQUIRE(w.until([&] { return w.time.now() >= *back; }));
        BOOST_TEST(!w.ended.has_value());
        w.end_pod("j-master-0");
        w.finish_job();
        BOOST_TEST(w.end() == error_code(), outage.count() << " s: " << w.detail.message);
        BOOST_TEST((recorded.phase == job_phase::succeeded));
        BOOST_TEST_REQUIRE(recorded.progress.size() == 2U);
        BOOST_TEST((recorded.progress[1].step == 2));
    }
}

BOOST_AUTO_TEST_CASE(pods_are_listed_after_an_outage_at_the_end_of_the_job) {
    run_pod("j-master-0", {"01 one"});
    follow();
    BOOST_REQUIRE(until([&] { return has("j-master-0: one"); }));
    int refusals = 0;
    constexpr int most = 12; // more than one call repeats
    link->judge = [&](kube::http_request const& r) -> std::optional<fault> {
        bool const list = r.target.find("/pods?") != std::string::npos && r.target.find("watch=") == std::string::npos;
        if (!list || refusals == most) return {};
        ++refusals;
        return fault::error(errc::unreachable);
    };
    end_pod("j-master-0");
    finish_job();
    BOOST_TEST(end() == error_code(), detail.message);
    BOOST_TEST(refusals == most);
}

BOOST_AUTO_TEST_SUITE_END()
