#include "async/control/leadership/leader_cluster.hpp"
#include "support/dice.hpp"

BOOST_AUTO_TEST_SUITE(async_leader_safety)

using namespace leader_tests;
using test::dice;

namespace {

/** A network: what is sent arrives late, twice as late as anybody waits, or not at all, and so do answers. What a
    client has given up arrives all the same. */
class network final : public kube::transport {
    using open_handler = kube::any_handler<void(error_code, kube::streamed_response)>;

public:
    network(std::shared_ptr<kube::transport> t, std::shared_ptr<lease_time> time, dice& d)
        : inner_(std::move(t)), time_(std::move(time)), dice_(d) {}

    asio::any_io_executor get_executor() const noexcept override { return inner_->get_executor(); }
    void async_open(kube::http_request request, open_handler handler) override {
        auto slot = asio::get_associated_cancellation_slot(handler);
        auto const c = std::make_shared<call>(get_executor(), std::move(handler));
        if (slot.is_connected())
            slot.assign([c](asio::cancellation_type) { c->end(asio::error::operation_aborted, {}); });
        bool const fails = broken && dice_.once_in(2);
        auto const there = delay();
        auto const back = delay();
        if (fails && dice_.once_in(2)) return after(there, [c] { c->end(errc::connection_lost, {}); });
        after(there, [self = inner_, c, fails, back, t = time_, r = std::move(request)]() mutable {
            self->async_open(std::move(r), [c, fails, back, t](error_code ec, kube::streamed_response answer) {
                if (fails) return; // nothing comes back
                auto const kept = std::make_shared<kube::streamed_response>(std::move(answer));
                t->call_at(t->now() + back, [c, ec, kept] { c->end(ec, std::move(*kept)); });
            });
        });
    }

    bool broken = false;

private:
    struct call {
        call(asio::any_io_executor e, open_handler h) : executor(std::move(e)), handler(std::move(h)) {}

        void end(error_code ec, kube::streamed_response answer) {
            if (!handler) return;
            asio::post(executor, asio::append(std::move(*handler), ec, std::move(answer)));
            handler.reset();
        }

        asio::any_io_executor executor;
        std::optional<open_handler> handler;
    };

    std::chrono::milliseconds delay() {
        if (!broken) return std::chrono::milliseconds(dice_.between(0, 200));
        return std::chrono::milliseconds(dice_.once_in(3) ? dice_.between(0, 20'000) : dice_.between(0, 1000));
    }
    void after(std::chrono::milliseconds t, std::function<void()> f) const {
        time_->call_at(time_->now() + t, std::move(f));
    }

    std::shared_ptr<kube::transport> inner_;
    std::shared_ptr<lease_time> time_;
    dice& dice_;
};

/// Processes that come and go, stop for a while, and lose the server.
struct unreliable_cluster : leader_cluster {
    explicit unreliable_cluster(std::uint64_t seed) : d(seed) {
        for (int i = 0; i < 5; ++i) {
            links.push_back(std::make_shared<network>(server.transport(), time, d));
            contenders.emplace_back();
            start(contenders.size() - 1);
        }
        time->each = [this] { look(); };
    }
    ~unreliable_cluster() {
        time->each = {};
        contenders.clear();
        io.restart();
        io.poll(); // calls that are under way hold themselves until they are cancelled
    }

    void start(std::size_t i) {
        auto const offset = std::chrono::milliseconds(d.between(0, 1'000'000));
        contenders[i] = std::make_unique<contender>(time, links[i], "p" + std::to_string(++born), offset);
        contenders[i]->run();
    }
    /// Never two, at no moment.
    void look() {
        std::string leaders;
        for (auto const& p : contenders)
            if (p && p->leads()) leaders += (leaders.empty() ? "" : " ") + p->elector->options().identity;
        BOOST_REQUIRE_MESSAGE(leaders.find(' ') == leaders.npos, "two lead: " << leaders);
        if (!leaders.empty() && leaders != last) ++changes;
        if (!leaders.empty()) last = leaders;
    }
    void disturb() {
        auto const i = static_cast<std::size_t>(d.between(0, static_cast<int>(contenders.size()) - 1));
        auto& p = contenders[i];
        switch (d.between(1, 7)) {
        case 1: p.reset(); return start(i);
        case 2: return p->cancel();
        case 3: p->clock->stopped_until = time->now() + std::chrono::milliseconds(d.between(0, 30'000)); return;
        case 4: links[i]->broken = !links[i]->broken; return;
        default:
            if (p->ended) p->run();
        }
    }
    std::size_t leading() const {
        return static_cast<std::size_t>(
            std::count_if(contenders.begin(), contenders.end(), [](auto const& p) { return p->leads(); }));
    }

    dice d;
    std::vector<std::shared_ptr<network>> links;
    std::vector<std::unique_ptr<contender>> contenders;
    int born = 0;
    int changes = 0;
    std::string last;
};

} // namespace

BOOST_AUTO_TEST_CASE(at_most_one_leads_under_faults_and_one_leads_afterwards) {
    int changes = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) BOOST_TEST_CONTEXT("seed " << seed) {
            unreliable_cluster c(seed);
            for (int i = 0; i < 200; ++i) {
                c.disturb();
                c.time->advance(std::chrono::milliseconds(c.d.between(0, 8000)));
            }
            for (auto const& l : c.links) l->broken = false;
            for (auto const& p : c.contenders) {
                p->clock->stopped_until = {};
                if (p->ended) p->run();
            }
            c.time->advance(90s); // what was lost on its way arrives, and the lease expires
            for (auto const& p : c.contenders)
                if (p->ended) p->run();
            c.time->advance(30s);
            BOOST_TEST(c.leading() == 1U);
            changes += c.changes;
        }
    BOOST_TEST(changes > 400);
}

BOOST_AUTO_TEST_SUITE_END()
