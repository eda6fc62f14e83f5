#include "integration/local/sandboxed_cluster.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>

#include <filesystem>
#include <functional>

BOOST_AUTO_TEST_SUITE(integration_cluster_lifetimes)

using namespace local_tests;

// A cluster is destroyed in every phase of its life, and its io_context after it: nothing may be left of either.

namespace {

std::size_t open_descriptors() {
    std::filesystem::directory_iterator const all("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

std::vector<int> children() {
    std::ifstream in("/proc/self/task/" + std::to_string(::getpid()) + "/children");
    return {std::istream_iterator<int>(in), {}};
}

/// A cluster on its way. The logger, which all of its objects hold, and the handlers count as long as they live.
struct voyage {
    explicit voyage(local::local_cluster_options o) : options(std::move(o)), io(std::make_unique<asio::io_context>()) {
        options.logger = logger([t = token](log_level, std::string_view, std::initializer_list<log_field>) {});
        options.listen.emplace();
        local.emplace(*io, options);
        options.logger = logger();
    }

    auto note(std::optional<error_code>& into) {
        return [&into, t = token](error_code ec) { into = ec; };
    }
    void begin_start(std::chrono::milliseconds timeout = 60s) {
        local->async_start(local::start_options().with_timeout(timeout).with_detail(detail),
                           asio::bind_cancellation_slot(stop_start.slot(), note(started)));
    }
    void start() {
        begin_start();
        turn_until([&] { return started.has_value(); });
        BOOST_REQUIRE_MESSAGE(!*started, detail.message);
    }
    void run() {
        start();
        local->async_run(asio::bind_cancellation_slot(stop_run.slot(), note(ended)));
    }
    void submit(std::string const& script) {
        run();
        training_client client(local->client());
        client.async_submit(any_job(scripts(script)), kube::call_options(), [t = token](error_code, any_job const&) {});
    }
    /// Stops within the turn after which the condition holds.
    template <class Condition> void turn_until(Condition condition) {
        auto const deadline = std::chrono::steady_clock::now() + 30s;
        while (!condition() && std::chrono::steady_clock::now() < deadline) {
            io->restart();
            io->run_one_for(20ms);
        }
        BOOST_REQUIRE(condition());
    }
    bool has_pod_files() const {
        std::error_code none;
        auto const folder = std::filesystem::path(options.directory) / "pods";
        return std::filesystem::exists(folder, none) && !std::filesystem::is_empty(folder, none);
    }

    std::shared_ptr<int> token = std::make_shared<int>();
    local::local_cluster_options options;
    // Signals of the caller's may outlive the io_context.
    asio::cancellation_signal stop_start, stop_run;
    std::optional<error_code> started, ended;
    diagnostics detail;
    std::unique_ptr<asio::io_context> io;
    std::optional<local::local_cluster> local;
};

using journey = std::function<void(voyage&)>;

using change = std::function<void(local::local_cluster_options&)>;

void leaves_nothing(journey const& go, change const& set_options = [](auto&) {}) {
    auto const before = open_descriptors();
    BOOST_REQUIRE(children().empty());
    for (bool const runs_on : {false, true}) {
        BOOST_TEST_INFO_SCOPE((runs_on ? "the io_context runs on" : "the io_context does not run any more"));
        auto options = cluster::sandboxed();
        set_options(options);
        voyage v(options);
        go(v);
        bool const was_started = v.started.has_value();
        v.local.reset();
        BOOST_TEST(children().empty(), "a process is left");
        BOOST_TEST(!std::filesystem::exists(options.directory));
        if (runs_on) {
            v.io->restart();
            v.io->run_for(20s);
            BOOST_TEST(v.io->stopped(), "something goes on after the end of the cluster");
            BOOST_TEST(!std::filesystem::exists(options.directory), "something was made after the end of the cluster");
            for (auto const& outcome : {v.started, v.ended})
                if (outcome && (outcome != v.started || !was_started))
                    BOOST_TEST(*outcome == asio::error::operation_aborted, outcome->message());
        }
        v.io.reset();
        BOOST_TEST(v.token.use_count() == 1, "objects or handlers are left");
        BOOST_TEST(open_descriptors() == before);
        BOOST_TEST(children().empty(), "a process is left");
    }
}

std::string report_file(voyage const& v) { return v.options.directory + ".report"; }

/// A container that ignores SIGTERM.
void end_slowly(voyage& v) {
    auto const file = report_file(v);
    v.submit("trap 'echo > " + file + "' TERM; echo > " + file + ".up; while :; do sleep 0.05; done");
    v.turn_until([&] { return std::filesystem::exists(file + ".up"); });
    training_client client(v.local->client());
    client.async_delete(any_job(scripts("")), kube::call_options(), v.note(v.ended));
    v.turn_until([&] { return std::filesystem::exists(file); });
    v.ended.reset();
    for (auto const* ending : {"", ".up"}) std::filesystem::remove(file + ending);
}

/// The directory of a test, with a file that is no helper but runs for long.
struct deaf_helper {
    deaf_helper() {
        std::filesystem::create_directory(folder);
        std::ofstream(file) << "#!/bin/sh\nexec sleep 98765\n";
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    }
    ~deaf_helper() { std::filesystem::remove_all(folder); }

    std::filesystem::path folder = fresh_folder();
    std::filesystem::path file = folder / "deaf";
};

} // namespace

BOOST_AUTO_TEST_CASE(a_cluster_can_be_destroyed_before_the_start_runs) {
    leaves_nothing([](voyage& v) { v.begin_start(); });
}

BOOST_AUTO_TEST_CASE(a_cluster_can_be_destroyed_while_the_helper_starts) {
    leaves_nothing([](voyage& v) {
        v.begin_start();
        v.turn_until([&] { return !children().empty(); });
        BOOST_TEST(!v.started.has_value());
    });
}

BOOST_AUTO_TEST_CASE(a_cluster_can_be_destroyed_at_each_step_of_the_start) {
    for (int turns = 1; turns < 40; ++turns) {
        bool complete = false;
        leaves_nothing([&](voyage& v) {
            v.begin_start();
            for (int i = 0; i < turns && !v.started; ++i) v.io->run_one();
            complete = v.started.has_value();
        });
        if (complete) return;
    }
    BOOST_TEST(false, "the start takes more turns than this test looks at");
}

BOOST_AUTO_TEST_CASE(a_cluster_can_be_destroyed_between_start_and_run) {
    leaves_nothing([](voyage& v) { v.start(); });
}

BOOST_AUTO_TEST_CASE(a_cluster_can_be_destroyed_before_the_first_step_of_the_run) {
    leaves_nothing([](voyage& v) { v.run(); });
}

BOOST_AUTO_TEST_CASE(a_cluster_can_be_destroyed_while_a_sandbox_is_created) {
    leaves_nothing([](voyage& v) {
        v.submit("exec sleep 98766");
        v.turn_until([&] { return v.has_pod_files(); });
    });
}

BOOST_AUTO_TEST_CASE(a_cluster_can_be_destroyed_at_many_steps_before_a_container_runs) {
    for (int turns = 1; turns < 300; turns += 41)
        leaves_nothing([&](voyage& v) {
            v.submit("exec sleep 98766");
            for (int i = 0; i < turns; ++i) v.io->run_one_for(2ms);
        });
}

BOOST_AUTO_TEST_CASE(a_cluster_can_be_destroyed_while_a_container_runs) {
    auto const go = [](voyage& v) {
        v.submit("exec sleep 98766");
        v.turn_until([] { return !processes_with(std::string("sleep\0", 6) + "98766").empty(); });
        for (int i = 0; i < 50; ++i) v.io->run_one_for(10ms);
    };
    leaves_nothing(go);
    leaves_nothing(go, [](auto& options) { options.mode = local::isolation::processes; });
}

BOOST_AUTO_TEST_CASE(a_cluster_can_be_destroyed_while_simulated_pods_run) {
    auto const simulate = [](auto& options) {
        options.simulate = 30ms;
        options.nodes = 2;
    };
    for (int turns = 1; turns < 200; turns += 23)
        leaves_nothing(
            [&](voyage& v) {
                v.submit("this is never run");
                for (int i = 0; i < turns; ++i) v.io->run_one_for(2ms);
            },
            simulate);
}

BOOST_AUTO_TEST_CASE(stopping_a_cluster_does_not_wait_for_simulated_pods) {
    auto options = cluster::sandboxed();
    options.simulate = 1h;
    options.nodes = 1;
    voyage v(options);
    v.submit("this is never run");
    kube::api<pod> const pods(v.local->client(), "default");
    bool running = false;
    bool reads = false;
    v.turn_until([&] {
        if (!std::exchange(reads, true))
            pods.async_get("sh-master-0", [&](error_code ec, pod const& p) {
                running = !ec && p.status.phase == "Running";
                reads = false;
            });
        return running;
    });
    v.stop_run.emit(asio::cancellation_type::terminal);
    v.turn_until([&] { return v.ended.has_value(); });
    v.io->restart();
    v.io->run_for(20s);
    BOOST_TEST(v.io->stopped());
}

BOOST_AUTO_TEST_CASE(a_cluster_can_be_destroyed_while_a_pod_terminates) { leaves_nothing(end_slowly); }

BOOST_AUTO_TEST_CASE(a_cluster_can_be_destroyed_while_it_stops) {
    for (int turns = 0; turns < 8; turns += 2)
        leaves_nothing([&](voyage& v) {
            v.submit("exec sleep 98766");
            v.turn_until([] { return !processes_with(std::string("sleep\0", 6) + "98766").empty(); });
            v.stop_run.emit(asio::cancellation_type::terminal);
            for (int i = 0; i < turns; ++i) v.io->run_one_for(10ms);
        });
}

BOOST_AUTO_TEST_CASE(a_cluster_can_be_destroyed_by_its_own_handler) {
    leaves_nothing([](voyage& v) {
        v.local->async_start(local::start_options().with_detail(v.detail), [&v](error_code ec) {
            v.started = ec;
            v.local.reset();
        });
        v.turn_until([&] { return v.started.has_value(); });
        BOOST_TEST(!*v.started, v.detail.message);
    });
}

BOOST_AUTO_TEST_CASE(a_start_can_be_cancelled_at_each_step) {
    auto const before = open_descriptors();
    for (int turns = 0; turns < 40; ++turns) {
        auto const options = cluster::sandboxed();
        voyage v(options);
        v.begin_start();
        for (int i = 0; i < turns && !v.started; ++i) v.io->run_one();
        if (v.started) {
            BOOST_TEST(turns > 3, "the start was complete after " << turns << " turns");
            return;
        }
        v.stop_start.emit(asio::cancellation_type::total);
        v.turn_until([&] { return v.started.has_value(); });
        if (!*v.started) { // it was complete already, only its handler had not run
            BOOST_TEST(turns > 3, "the cancellation was not heeded");
            return;
        }
        v.io->restart();
        v.io->run_for(20s);
        BOOST_TEST(v.io->stopped(), "something goes on after a start that was cancelled");
        BOOST_TEST(*v.started == asio::error::operation_aborted, v.started->message());
        BOOST_TEST(!v.local->config().has_value());
        BOOST_TEST(children().empty(), "a process is left");
        BOOST_TEST(!std::filesystem::exists(options.directory));
        BOOST_TEST(open_descriptors() <= before + 3, "more than the io_context's own descriptors are left");
        v.started.reset();
        v.begin_start();
        v.turn_until([&] { return v.started.has_value(); });
        BOOST_TEST(*v.started == make_error_code(errc::invalid_argument));
        BOOST_TEST(v.detail.message == "a local cluster can be started only once");
    }
    BOOST_TEST(false, "the start takes more turns than this test looks at");
}

BOOST_AUTO_TEST_CASE(kinds_that_are_null_or_given_twice_are_rejected_at_the_start) {
    auto const* const kind = &job_rules_for<pytorch_job>();
    auto const fault_of = [](std::vector<rules::job_rules const*> kinds) {
        local::local_cluster_options options;
        options.simulate = 1ms;
        options.kinds = std::move(kinds);
        voyage v(std::move(options));
        v.begin_start();
        v.turn_until([&] { return v.started.has_value(); });
        return *v.started == errc::invalid_argument ? v.detail.message : v.started->message();
    };
    BOOST_TEST(fault_of({kind, nullptr}) == "kinds: expected job kinds, got null");
    BOOST_TEST(fault_of({kind, kind}) == "kinds: expected each kind once, got PyTorchJob of kubeflow.org/v1 twice");
}

BOOST_AUTO_TEST_CASE(a_helper_that_never_responds_is_killed) {
    deaf_helper const deaf;
    auto options = cluster::sandboxed();
    options.helper = deaf.file;
    voyage v(options);
    v.begin_start(100ms);
    v.turn_until([&] { return v.started.has_value(); });
    BOOST_TEST(*v.started == make_error_code(errc::timeout), v.started->message());
    BOOST_TEST(v.detail.message == "start of the node: not complete after 100 ms");
    BOOST_TEST(children().empty(), "a process is left");
    BOOST_TEST(!std::filesystem::exists(options.directory));
}

BOOST_AUTO_TEST_CASE(a_blocking_wait_ends_when_the_helper_dies) {
    cluster c;
    auto const stored = c.submit(scripts("exec sleep 98767"));
    BOOST_REQUIRE(c.until([] { return !processes_with(std::string("sleep\0", 6) + "98767").empty(); }));
    BOOST_REQUIRE(children().size() == 1);
    ::kill(children()[0], SIGKILL);
    diagnostics detail;
    auto options = kube::wait_options().with_timeout(60s);
    options.detail = &detail;
    auto const waited = c.client.wait(stored, options);
    BOOST_REQUIRE(waited.has_error());
    BOOST_TEST(waited.error().code == make_error_code(errc::helper_failed), waited.error().code.message());
    auto const read = c.client.get(stored);
    BOOST_REQUIRE(read.has_error());
    BOOST_TEST(read.error().code == make_error_code(errc::helper_failed), read.error().code.message());
    auto const logged = c.client.logs(stored, [](log_line const&) {});
    BOOST_REQUIRE(logged.has_error());
    BOOST_TEST(logged.error().code == make_error_code(errc::helper_failed), logged.error().code.message());
}

BOOST_AUTO_TEST_SUITE_END()
