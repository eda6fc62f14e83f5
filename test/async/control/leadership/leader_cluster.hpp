#ifndef KFTRAIN_TEST_ASYNC_CONTROL_LEADERSHIP_LEADER_CLUSTER_HPP
#define KFTRAIN_TEST_ASYNC_CONTROL_LEADERSHIP_LEADER_CLUSTER_HPP

#include "support/served_cluster.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/control/leader_election.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/objects/coordination/lease.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <optional>

/// Electors in simulated time over an API server in the process.
namespace leader_tests {

using namespace kftrain;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using control::leader_election_options;
using coordination::lease;

/// The time of leases and their holders, apart from that of the cluster. It passes only in advance().
class lease_time {
public:
    using instant = control::controller_clock::instant;

    explicit lease_time(asio::io_context& cluster) : cluster_(cluster) {}

    instant now() const { return time_.now(); }
    auto executor() { return io_.get_executor(); }
    /// After each timer runs everything that follows from it.
    void advance(std::chrono::milliseconds t) {
        auto const end = now() + t;
        do settle();
        while (time_.step(end + 1ns));
        time_.skip_to(end);
        settle();
    }
    void call_at(instant when, std::function<void()> f) {
        auto const timer = std::make_shared<kube::detail::timer>(executor(), when);
        timer->async_wait([timer, f = std::move(f)](error_code ec) {
            if (!ec) f();
        });
    }
    /// Destroys the handlers of all waits, which own this.
    void end() {
        time_.drop();
        time_.settle();
    }
    std::function<void()> each; ///< called after each timer

private:
    void settle() {
        cluster_.restart();
        cluster_.poll();
        if (each) each();
    }

    asio::io_context& cluster_;
    asio::io_context io_;
    test::simulated_time& time_ = test::simulated_time::install(io_);
};

/// The clock of a process: it began at another time, and the process may have been stopped.
class process_clock final : public control::controller_clock {
public:
    process_clock(std::shared_ptr<lease_time> t, std::chrono::milliseconds offset = 0ms)
        : time_(std::move(t)), offset_(offset) {}

    instant now() override { return time_->now() + offset_; }
    void wake_at(instant when, std::function<void()> wake) override {
        timer_.expires_at(std::max({when - offset_, stopped_until, time_->now()}));
        timer_.async_wait([wake = std::move(wake)](error_code ec) {
            if (!ec) wake();
        });
    }
    void cancel() override { timer_.cancel(); }

    instant stopped_until{};

private:
    std::shared_ptr<lease_time> time_;
    std::chrono::milliseconds offset_;
    kube::detail::timer timer_{time_->executor()};
};

/// A process that stands for election.
struct contender {
    contender(std::shared_ptr<lease_time> const& t, std::shared_ptr<kube::transport> over, std::string identity,
              std::chrono::milliseconds offset = 0ms, kube::client_options how = {})
        : clock(std::make_shared<process_clock>(t, offset)) {
        auto const options = leader_election_options()
                                 .with_name("operator")
                                 .with_namespace("default")
                                 .with_identity(std::move(identity))
                                 .with_clock(clock)
                                 .with_random([] { return 0.5; })
                                 .with_on_change([this](std::string const& who) { seen.push_back(who); });
        elector.emplace(kube::client(std::move(over), std::move(how)), options);
        listening = elector->listen([this](bool leads) { reported.push_back(leads); });
    }
    void run() {
        ended.reset();
        stop = std::make_shared<asio::cancellation_signal>();
        // An elector that is destroyed ends its run afterwards.
        elector->async_run(asio::bind_cancellation_slot(stop->slot(), [e = end, s = stop](error_code ec) { *e = ec; }));
    }
    void cancel() const { stop->emit(asio::cancellation_type::terminal); }
    bool leads() const { return elector && elector->is_leader(); }

    std::shared_ptr<process_clock> clock;
    std::vector<std::string> seen; ///< holders
    std::vector<bool> reported;
    std::shared_ptr<asio::cancellation_signal> stop;
    std::shared_ptr<std::optional<error_code>> end = std::make_shared<std::optional<error_code>>();
    std::optional<error_code>& ended = *end;
    std::shared_ptr<void> listening;
    std::optional<control::leader_elector> elector;
};

struct leader_cluster : test::served_cluster {
    ~leader_cluster() { time->end(); }

    std::unique_ptr<contender> make(std::string identity, kube::client_options how = {}) {
        return std::make_unique<contender>(time, link, std::move(identity), 0ms, std::move(how));
    }
    std::unique_ptr<contender> started(std::string identity) {
        auto c = make(std::move(identity));
        c->run();
        time->advance(0ms);
        return c;
    }
    lease stored() { return get<lease>("operator"); }
    void remove_lease() { remove<lease>("operator"); }
    std::string holder() { return stored().spec.holder_identity.value_or("(none)"); }
    /// A lease as somebody else would write it; `spec` is JSON.
    static std::string text_with(std::string const& spec) {
        return R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":)"
               R"({"name":"operator","namespace":"default","labels":{"app":"x"}},"spec":)" +
               spec + "}";
    }
    void write(std::string const& spec) {
        auto const put = [&](auto request) {
            return kube::run_blocking<std::string>(io.get_executor(), diagnostics(),
                                                   [&](auto h) { user.async_call(request, std::move(h)); });
        };
        auto const text = text_with(spec);
        if (put(kube::request::create(lease::resource, "default", text))) return;
        auto const r = put(kube::request::replace(lease::resource, "default", "operator", text));
        BOOST_REQUIRE_MESSAGE(r.has_value(), (r ? "" : r.error().to_string()));
    }
    /// The same over one that is there, from inside of what happens.
    void send(std::string const& spec) const {
        user.async_call(kube::request::replace(lease::resource, "default", "operator", text_with(spec)),
                        [](error_code ec, std::string const&) { BOOST_TEST(!ec); });
    }

    std::shared_ptr<lease_time> time = std::make_shared<lease_time>(io);
};

} // namespace leader_tests

#endif
