#include "support/run_rules.hpp"

#include "async/control/operator_cluster.hpp"

#include <kftrain/control/controller.hpp>
#include <kftrain/control/leader_election.hpp>
#include <kftrain/kube/informer.hpp>
#include <kftrain/kube/shared_informers.hpp>

#include <optional>

BOOST_AUTO_TEST_SUITE(async_run_rules)

using namespace run_rules;
using operator_tests::sample;

namespace {

/// Something that follows an API server in the process.
template <class T> struct served final : subject {
    template <class Make>
    served(asio::io_context& io, std::shared_ptr<int> const& token, Make make) : server(io.get_executor()) {
        BOOST_REQUIRE(server.register_resource(local::resource_for(job_rules_for<pytorch_job>())).has_value());
        kube::client_options o;
        o.logger = logger([token](log_level, std::string_view, std::initializer_list<log_field>) {});
        kube::client const client(server.transport(), o);
        auto job = sample(1);
        job.metadata.namespace_ = "default";
        kube::api<pytorch_job>(client, "default").async_create(job, [token](error_code, pytorch_job const&) {});
        make(it, client);
    }
    void run(run_handler handler) override { it->async_run(std::move(handler)); }
    void destroy() override { it.reset(); }

    apiserver::api_server server;
    std::optional<T> it;
};

/// With one key that is never done, and one that comes late.
struct controlled final : subject {
    controlled(asio::io_context& io, std::shared_ptr<int> const& token) {
        using done = kube::any_handler<void(error_code, control::reconcile_result)>;
        it.emplace(io.get_executor(),
                   [t = std::make_shared<asio::steady_timer>(io), token](std::string const&, done h) {
                       t->expires_after(std::chrono::milliseconds(20));
                       t->async_wait([h = std::move(h)](error_code) mutable {
                           std::move(h)(error_code(), control::reconcile_result());
                       });
                   });
        it->enqueue("a");
        it->enqueue_after("b", std::chrono::hours(1));
    }
    void run(run_handler handler) override { it->async_run(std::move(handler)); }
    void destroy() override { it.reset(); }

    std::optional<control::controller> it;
};

std::unique_ptr<subject> a_controller(asio::io_context& io, std::shared_ptr<int> const& token) {
    return std::make_unique<controlled>(io, token);
}

std::unique_ptr<subject> an_operator(asio::io_context& io, std::shared_ptr<int> const& token) {
    return std::make_unique<served<control::job_operator<pytorch_job>>>(
        io, token, [](auto& it, kube::client const& c) { it.emplace(c); });
}

std::unique_ptr<subject> an_elector(asio::io_context& io, std::shared_ptr<int> const& token) {
    return std::make_unique<served<control::leader_elector>>(io, token, [token](auto& it, kube::client const& c) {
        auto const o = control::leader_election_options().with_name("l").with_namespace("default").with_identity("a");
        it.emplace(c, control::leader_election_options(o).with_on_change([token](std::string const&) {}));
    });
}

std::unique_ptr<subject> an_informer(asio::io_context& io, std::shared_ptr<int> const& token) {
    return std::make_unique<served<kube::informer<pytorch_job>>>(
        io, token, [](auto& it, kube::client const& c) { it.emplace(kube::api<pytorch_job>(c, "default")); });
}

std::unique_ptr<subject> a_shared_informer(asio::io_context& io, std::shared_ptr<int> const& token) {
    return std::make_unique<served<kube::informer<pytorch_job>>>(io, token, [](auto& it, kube::client const& c) {
        it.emplace(kube::api<pytorch_job>(c, "default"), kube::shared_informers(c));
    });
}

void check_all(maker const& make) {
    runs_once_at_a_time(make);
    runs_again(make, true);
    keeps_both_at_work(make);
    ends_when_destroyed(make);
    ends_when_cancelled(make);
    leaves_nothing(make);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_controller_follows_the_rules_for_runs) { check_all(a_controller); }
BOOST_AUTO_TEST_CASE(an_operator_follows_the_rules_for_runs) { check_all(an_operator); }
BOOST_AUTO_TEST_CASE(an_elector_follows_the_rules_for_runs) { check_all(an_elector); }
BOOST_AUTO_TEST_CASE(an_informer_follows_the_rules_for_runs) { check_all(an_informer); }
BOOST_AUTO_TEST_CASE(a_shared_informer_follows_the_rules_for_runs) { check_all(a_shared_informer); }

BOOST_AUTO_TEST_SUITE_END()
