#include "support/run_rules.hpp"

#include "async/facade/logs/job_log_cluster.hpp"

#include <kftrain/kube/then_complete.hpp>

#include <optional>

BOOST_AUTO_TEST_SUITE(async_run_rules_logs)

using namespace run_rules;

namespace {

/// A client and a stored job whose pods never come.
struct client_with_job : subject {
    client_with_job(asio::io_context& io, std::shared_ptr<int> const& t) : server(io.get_executor()), token(t) {
        BOOST_REQUIRE(server.register_resource(local::resource_for(job_rules_for<pytorch_job>())).has_value());
        kube::client_options o;
        o.logger = logger([t](log_level, std::string_view, std::initializer_list<log_field>) {});
        client.emplace(kube::client(server.transport(), o));
        pytorch_job j;
        j.metadata.name = "j";
        test::add_replicas(j.spec.pytorch_replica_specs, "Master", 1);
        job = client->submit(j).value();
    }
    void destroy() override { client.reset(); }

    apiserver::api_server server;
    std::shared_ptr<int> token;
    std::optional<training_client> client;
    any_job job;
};

/// Any number of operations may follow the logs of a job at the same time.
struct followed final : client_with_job {
    using client_with_job::client_with_job;
    void run(run_handler handler) override {
        client->async_logs(job, [t = token](log_line const&) {}, job_log_options(), std::move(handler));
    }
};

struct recorded final : client_with_job {
    using client_with_job::client_with_job;
    void run(run_handler handler) override {
        auto const ended = [](run_handler h, error_code ec, job_timeline const&) { std::move(h)(ec); };
        client->async_timeline(job, timeline_options().with_follow(),
                               kube::detail::then_complete(std::move(handler), ended));
    }
};

template <class T> std::unique_ptr<subject> made(asio::io_context& io, std::shared_ptr<int> const& token) {
    return std::make_unique<T>(io, token);
}
constexpr auto* logs_of_a_job = made<followed>;
constexpr auto* recording_of_a_job = made<recorded>;

} // namespace

BOOST_AUTO_TEST_CASE(following_logs_keeps_both_executors_running) { keeps_both_at_work(logs_of_a_job); }
BOOST_AUTO_TEST_CASE(following_logs_ends_when_it_is_cancelled) { ends_when_cancelled(logs_of_a_job); }
BOOST_AUTO_TEST_CASE(destroying_the_io_context_ends_following_logs) { leaves_nothing(logs_of_a_job); }

BOOST_AUTO_TEST_CASE(recording_keeps_both_executors_running) { keeps_both_at_work(recording_of_a_job); }
BOOST_AUTO_TEST_CASE(recording_ends_when_it_is_cancelled) { ends_when_cancelled(recording_of_a_job); }
BOOST_AUTO_TEST_CASE(destroying_the_io_context_destroys_the_recording) { leaves_nothing(recording_of_a_job); }

BOOST_AUTO_TEST_CASE(several_streams_can_follow_the_same_job) {
    trial t(logs_of_a_job);
    t.run();
    waiter second;
    t.it->run(second.handler(*t.elsewhere));
    t.turn();
    t.turn_elsewhere();
    BOOST_TEST(!second.called());
    second.cancel();
    BOOST_REQUIRE(t.until_called(second));
    second.check(aborted);
    BOOST_TEST(!t.first.called());
}

BOOST_AUTO_TEST_SUITE_END()
