#ifndef KFTRAIN_TEST_ASYNC_LEADER_WORLD_HPP
#define KFTRAIN_TEST_ASYNC_LEADER_WORLD_HPP

#include "support/served_cluster.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/control/leader_election.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/objects/coordination/lease.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <map>

/// Electors in simulated time over an API server in the process.
namespace leader_world {

using namespace kftrain;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using control::leader_election_options;
using coordination::lease;

/// Passes when the test says so.
class simulated_time {
public:
    using instant = control::controller_clock::instant;

    explicit simulated_time(asio::io_context& io) : io_(io) {}

    instant now() const { return now_; }
    std::uint64_t at(instant when, std::function<void()> f) {
        events_.emplace(std::pair(std::max(when, now_), ++last_), std::move(f));
        return last_;
    }
    void cancel(std::uint64_t id) {
        std::erase_if(events_, [id](auto const& e) { return e.first.second == id; });
    }
    /// What is still to come and never will keeps what it holds, this among it.
    void end() { std::exchange(events_, {}).clear(); }
    /// What is due happens in its order; after each event all that follows from it at once.
    void advance(std::chrono::milliseconds t) {
        auto const end = now_ + t;
        settle();
        while (!events_.empty() && events_.begin()->first.first <= end) {
            auto const first = events_.begin();
            now_ = first->first.first;
            auto const f = std::move(first->second);
            events_.erase(first);
            f();
            settle();
        }
        now_ = end;
        if (each) each();
    }
    std::function<void()> each; ///< called after each event

private:
    void settle() {
        io_.restart();
        io_.poll();
        if (each) each();
    }

    asio::io_context& io_;
    instant now_ = instant(1h);
    std::uint64_t last_ = 0;
    std::map<std::pair<instant, std::uint64_t>, std::function<void()>> events_;
};

/// What a process knows of it: its clock began at another time, and it may have been stopped.
class simulated_clock final : public control::controller_clock {
public:
    simulated_clock(std::shared_ptr<simulated_time> t, std::chrono::milliseconds offset = 0ms)
        : time_(std::move(t)), offset_(offset) {}
    simulated_clock(simulated_clock const&) = delete;
    simulated_clock& operator=(simulated_clock const&) = delete;
    ~simulated_clock() override { cancel(); }

    instant now() override { return time_->now() + offset_; }
    void wake_at(instant when, std::function<void()> wake) override {
        cancel();
        id_ = time_->at(std::max(when - offset_, stopped_until), std::move(wake));
    }
    void cancel() override { time_->cancel(id_); }

    instant stopped_until{};

private:
    std::shared_ptr<simulated_time> time_;
    std::chrono::milliseconds offset_;
    std::uint64_t id_ = 0;
};

/// A process that stands for election.
struct contender {
    contender(std::shared_ptr<simulated_time> const& t, std::shared_ptr<kube::transport> over, std::string identity,
              std::chrono::milliseconds offset = 0ms, kube::client_options how = {})
        : clock(std::make_shared<simulated_clock>(t, offset)) {
        leader_election_options o;
        o.name = "operator";
        o.namespace_ = "default";
        o.identity = std::move(identity);
        o.clock = clock;
        o.on_change = [this](std::string const& who) { seen.push_back(who); };
        elector.emplace(kube::client(std::move(over), std::move(how)), std::move(o));
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

    std::shared_ptr<simulated_clock> clock;
    std::vector<std::string> seen; ///< holders
    std::vector<bool> reported;
    std::shared_ptr<asio::cancellation_signal> stop;
    std::shared_ptr<std::optional<error_code>> end = std::make_shared<std::optional<error_code>>();
    std::optional<error_code>& ended = *end;
    std::shared_ptr<void> listening;
    std::optional<control::leader_elector> elector;
};

struct world : test::live_cluster {
    ~world() { time->end(); }

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

    std::shared_ptr<simulated_time> time = std::make_shared<simulated_time>(io);
};

} // namespace leader_world

#endif
