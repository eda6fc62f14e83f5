#ifndef KFTRAIN_TEST_ASYNC_CONTROL_LEADERSHIP_LEADING_OPERATORS_HPP
#define KFTRAIN_TEST_ASYNC_CONTROL_LEADERSHIP_LEADING_OPERATORS_HPP

#include "async/control/leadership/leader_cluster.hpp"
#include "async/control/running_job.hpp"
#include "support/faulty_transport.hpp"

/// Operators that stand for election.
namespace leading_tests {

using namespace operator_tests;
using control::leader_election_options;
using control::leader_elector;
using leader_tests::lease_time;
using leader_tests::process_clock;

inline bool is_of_lease(std::string const& target) { return target.find("/leases") != target.npos; }

inline leader_election_options for_election(std::string identity, std::shared_ptr<lease_time> const& time) {
    auto o =
        leader_election_options().with_name("operator").with_namespace("default").with_identity(std::move(identity));
    return o.with_clock(std::make_shared<process_clock>(time));
}

/// A server without an operator.
struct without_operator : operator_cluster {
    without_operator() {
        op.reset();
        operator_cluster::time.run_freely(false); // that of the lease passes apart from it
        run(50ms);
    }
    ~without_operator() {
        run(20ms);
        time->end();
    }
    /// A condition may answer held requests: time passes only if nothing follows from that.
    template <class Condition> void until(Condition condition) {
        auto const end = operator_cluster::time.now() + 10min;
        bool met = condition();
        for (; !met && operator_cluster::time.now() < end; met = condition()) {
            io.restart();
            if (io.poll() == 0 && !operator_cluster::time.step()) break;
        }
        BOOST_TEST(met);
    }

    std::shared_ptr<lease_time> time = std::make_shared<lease_time>(io);
};

/// An operator in a process of its own, whose writes may be held.
struct candidate {
    using options_type = control::job_operator_options;

    candidate(operator_cluster& w, options_type options, kube::client_options how = {})
        : link(std::make_shared<test::faulty_transport>(w.server.transport())) {
        op.emplace(kube::client(link, std::move(how)), std::move(options));
        run();
    }
    candidate(candidate const&) = delete;
    candidate& operator=(candidate const&) = delete;
    ~candidate() {
        op.reset();
        link->drop();
    }
    static options_type standing(std::string identity, std::shared_ptr<lease_time> const& time) {
        options_type o;
        o.leader_election = for_election(std::move(identity), time);
        return o;
    }
    static options_type sharing(std::shared_ptr<leader_elector> elector) {
        options_type o;
        o.elector = std::move(elector);
        return o;
    }
    void run() {
        ended = std::make_shared<std::optional<error_code>>();
        stop = std::make_shared<asio::cancellation_signal>();
        op->async_run(asio::bind_cancellation_slot(stop->slot(), [e = ended, s = stop](error_code ec) { *e = ec; }));
    }
    void cancel() const { stop->emit(asio::cancellation_type::terminal); }
    bool has_ended() const { return ended->has_value(); }
    void hold_pods() const {
        link->holds = [](kube::http_request const& r) { return is_create_of(r, "/pods"); };
    }
    void expect_end(error_code ec) const {
        BOOST_TEST_REQUIRE(has_ended());
        BOOST_TEST(ended->value() == ec, ended->value().message());
    }

    std::shared_ptr<test::faulty_transport> link;
    std::shared_ptr<std::optional<error_code>> ended;
    std::shared_ptr<asio::cancellation_signal> stop;
    std::optional<control::job_operator<pytorch_job>> op;
};

inline error_code const cancelled = asio::error::operation_aborted;

} // namespace leading_tests

#endif
