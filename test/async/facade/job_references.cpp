#include "async/facade/facade_cluster.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/train_job.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>

BOOST_AUTO_TEST_SUITE(async_facade_references)

// Jobs that refer to an object of the server: a TrainJob and its runtime.
namespace {

using namespace facade_tests;

/// `runtime` is one of an installation, or one that does not exist.
any_job train(std::string runtime = "torch-distributed") {
    train_job job;
    job.metadata.name = "j";
    job.spec.runtime_ref.name = std::move(runtime);
    job.spec.trainer.emplace().num_nodes = 2;
    return job;
}

struct installed : facade_cluster {
    installed() {
        for (auto const* kind : known_job_rules()) local::add_installed_objects(server, *kind);
    }

    /// Answers reads of runtimes so.
    void answer_runtimes(fault f) {
        judge = [f = std::move(f)](kube::http_request const& r) -> std::optional<fault> {
            return contains(r.target, "/clustertrainingruntimes/") ? std::optional(f) : std::nullopt;
        };
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_job_without_its_runtime_is_not_submitted) {
    installed w;
    for (auto const& code : {w.client.submit(train("none")).error(), w.client.plan(train("none")).error()}) {
        BOOST_TEST((code.code == errc::invalid_job), text_of(code));
        BOOST_TEST(contains(code.detail.message, "ClusterTrainingRuntime.trainer.kubeflow.org \"none\" not found"),
                   text_of(code));
    }
    BOOST_TEST(w.count("POST", "/trainjobs") == 0U);
}

BOOST_AUTO_TEST_CASE(a_job_is_checked_with_its_runtime_before_it_is_submitted) {
    installed w;
    auto job = *train().get_if<train_job>();
    job.spec.trainer->env.emplace_back("PET_NNODES", "3");
    auto const r = w.client.submit(job);
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST((r.error().code == errc::invalid_job), text_of(r.error()));
    BOOST_TEST(contains(r.error().detail.message, "must not have reserved envs"), text_of(r.error()));
    BOOST_TEST(w.count("POST", "/trainjobs") == 0U);
    BOOST_TEST(w.count("GET", "/clustertrainingruntimes/torch-distributed") == 1U);
    good(w.client.submit(train()));
}

BOOST_AUTO_TEST_CASE(the_server_decides_about_a_job_whose_runtime_cannot_be_read) {
    installed w;
    for (auto const& f : {fault::answer(403, "Forbidden", "no"), fault::answer(500, "InternalError", "broken")}) {
        w.answer_runtimes(f);
        good(w.client.submit(train()));
        good(w.client.delete_job(job_reference::to<train_job>("default", "j")));
    }
}

BOOST_AUTO_TEST_CASE(a_runtime_that_cannot_be_read_is_reported) {
    installed w;
    good(w.client.submit(train()));
    w.answer_runtimes(fault::answer(403, "Forbidden", "no"));
    auto const job = job_reference::to<train_job>("default", "j");
    auto const reported = [](std::vector<std::string> const& lines) {
        return std::ranges::any_of(lines, [](auto const& line) {
            return line.starts_with("ClusterTrainingRuntime torch-distributed: ") && contains(line, "no");
        });
    };
    BOOST_TEST(reported(good(w.client.explain(job)).missing));
    BOOST_TEST(reported(good(w.client.events(job)).unread));
    BOOST_TEST(reported(good(w.client.timeline(job)).missing));
    BOOST_TEST(reported(good(w.client.plan(train())).missing));
    auto const checks = good(w.client.preflight(train())).checks;
    BOOST_TEST(std::ranges::any_of(checks, [](preflight_check const& c) {
        return c.name == "rules" && c.verdict == verdict::unknown && contains(c.message, "torch-distributed: ");
    }));
    job_log_options existing;
    existing.follow = false;
    auto const output = w.client.logs(job, [](log_line const&) {}, existing); // of which pods?
    BOOST_TEST_REQUIRE(output.has_error());
    BOOST_TEST((output.error().code == errc::incomplete));
    BOOST_TEST(contains(output.error().detail.message, "torch-distributed"), text_of(output.error()));
    auto const of_job = good(w.client.events(job, job_event_options().with_children(false)));
    BOOST_TEST(!reported(of_job.unread)); // events of the job itself do not depend on the runtime
}

BOOST_AUTO_TEST_CASE(a_plan_has_the_objects_that_the_runtime_gives_a_job) {
    installed w;
    auto p = good(w.client.plan(train()));
    BOOST_TEST(!p.exists);
    BOOST_TEST(p.objects.size() == 2U, p.to_string()); // ConfigMap and JobSet
    good(w.client.submit(train()));
    p = good(w.client.plan(train()));
    BOOST_TEST(p.empty(), p.to_string());
}

BOOST_AUTO_TEST_CASE(preflight_checks_the_runtime) {
    installed w;
    auto const of_rules = [&](any_job const& job) {
        auto const report = good(w.client.preflight(job));
        for (auto const& c : report.checks)
            if (c.name == "rules") return std::string(to_string(c.verdict));
        return std::string();
    };
    BOOST_TEST(of_rules(train()) == "passed");
    BOOST_TEST(of_rules(train("none")) == "failed");
}

BOOST_AUTO_TEST_CASE(a_watch_reports_ranks_once_the_runtime_is_read) {
    installed w;
    good(w.client.submit(train()));
    auto watch = w.client.watch();
    std::size_t ranks = 0;
    watch.on_change([&](job_change const& c) { ranks = c.state.ranks.size(); });
    BOOST_TEST(w.until([&] { return ranks == 2; }));
    BOOST_TEST(w.count("GET", "/clustertrainingruntimes/torch-distributed") == 2U); // of the submission, too
}

BOOST_AUTO_TEST_CASE(a_watch_shows_a_job_whose_runtime_cannot_be_read_without_ranks) {
    installed w;
    good(w.client.submit(train()));
    w.answer_runtimes(fault::answer(403, "Forbidden", "no"));
    auto watch = w.client.watch();
    std::optional<job_state> state;
    watch.on_change([&](job_change const& c) { state = c.state; });
    BOOST_TEST_REQUIRE(w.until([&] { return state.has_value() && w.count("GET", "/clustertrainingruntimes/") == 2; }));
    w.time.advance(20ms);
    BOOST_TEST(state->ranks.empty());
    BOOST_TEST((state->phase == job_phase::created));
}

BOOST_AUTO_TEST_CASE(reading_a_runtime_can_be_cancelled_or_destroyed_at_any_step) {
    auto const job = job_reference::to<train_job>("default", "j");
    for (int turns = 0; turns < 40; ++turns)
        for (int operation = 0; operation < 5; ++operation) {
            installed w;
            if (operation != 0) good(w.client.submit(train()));
            asio::cancellation_signal stop;
            std::optional<error_code> ended;
            auto const note = [&](error_code ec, auto const&...) { ended = ec; };
            bool const cancels = turns % 2 != 0;
            auto const start = [&](auto token) {
                if (operation == 0) w.client.async_submit(train(), submit_options(), token);
                if (operation == 1) w.client.async_plan(train(), kube::call_options(), token);
                if (operation == 2) w.client.async_explain(job, explain_options(), token);
                if (operation == 3) w.client.async_preflight(train(), preflight_options(), token);
                if (operation == 4)
                    w.client.async_logs(job, std::function<void(log_line const&)>([](log_line const&) {}),
                                        job_log_options(), token);
            };
            if (cancels)
                start(asio::bind_cancellation_slot(stop.slot(), note));
            else
                start(note);
            w.io.restart();
            for (int i = 0; i < turns; ++i) w.io.poll_one();
            if (!cancels) continue;
            stop.emit(asio::cancellation_type::terminal);
            BOOST_TEST_REQUIRE(w.until([&] { return ended.has_value(); }), "operation " << operation);
            BOOST_TEST((!*ended || is_cancelled(*ended)), operation << ": " << ended->message());
        }
}

BOOST_AUTO_TEST_SUITE_END()
