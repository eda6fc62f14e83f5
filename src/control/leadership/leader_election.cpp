#include <kftrain/control/leader_election.hpp>

#include "base/failure_at.hpp"
#include "control/real_clock.hpp"
#include "kube/async/run_scope.hpp"

#include <kftrain/kube/client.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/objects/coordination/lease.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::control {
namespace {

using coordination::lease;
using std::chrono::milliseconds;

std::string in_ms(milliseconds t) { return std::to_string(t.count()) + " ms"; }

/** Sends the requests of an elector one at a time, without retries, rate limit or timeout of its own, since an elector
    may run in simulated time. */
class lease_lane {
public:
    using answer_handler = std::function<void(error_code, std::string const& body, diagnostics const&)>;

    explicit lease_lane(kube::client c) : client_(std::move(c)) {}
    lease_lane(lease_lane const&) = delete;
    lease_lane& operator=(lease_lane const&) = delete;
    ~lease_lane() { abandon(); }

    kube::client const& client() const noexcept { return client_; }
    bool busy() const noexcept { return pending_ && pending_->then; }

    void send(result<kube::http_request> r, answer_handler then) {
        pending_ = std::make_shared<pending_call>();
        pending_->then = std::move(then);
        auto const options = kube::call_options().with_timeout({}).with_retry(false).with_urgent();
        // Only the handler keeps the diagnostics that the call writes to.
        client_.async_call(std::move(r), kube::call_options(options).with_detail(pending_->why),
                           asio::bind_cancellation_slot(pending_->signal.slot(),
                                                        [q = pending_](error_code ec, std::string const& body) {
                                                            if (auto const f = std::exchange(q->then, nullptr))
                                                                f(ec, body, q->why);
                                                        }));
    }
    /// Stops waiting for the answer.
    void abandon() {
        auto const q = std::exchange(pending_, nullptr);
        if (!q || !std::exchange(q->then, nullptr)) return;
        q->signal.emit(asio::cancellation_type::terminal);
    }

private:
    struct pending_call {
        asio::cancellation_signal signal;
        diagnostics why;
        answer_handler then; ///< empty: answered, or abandoned
    };

    kube::client client_;
    std::shared_ptr<pending_call> pending_;
};

/// The time in a Lease. Candidates measure the lease by their own clocks.
micro_time stamp() { return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now()); }

/// One more than the count of another candidate, which may be any number.
std::int32_t next_transition(std::optional<std::int32_t> last) {
    auto const known = std::max(last.value_or(0), 0);
    return known == std::numeric_limits<std::int32_t>::max() ? known : known + 1;
}

// The fields of a Lease that candidates write. All other content stays.

/// `observed`, held by this candidate: still, or again.
lease held_by(lease observed, leader_election_options const& by, bool again) {
    auto& spec = observed.spec;
    auto const now = stamp();
    if (!again) spec.lease_transitions = next_transition(spec.lease_transitions);
    if (!again || !spec.acquire_time) spec.acquire_time = now;
    spec.renew_time = now;
    spec.holder_identity = by.identity;
    spec.lease_duration_seconds =
        static_cast<std::int32_t>(std::chrono::floor<std::chrono::seconds>(by.lease_duration).count());
    return observed;
}

/// The Lease of a candidate that found none; `before` is the last observed one, if any: the count of leaders continues.
lease first_lease(leader_election_options const& by, lease const& before) {
    lease made;
    made.metadata.name = by.name;
    made.metadata.namespace_ = by.namespace_;
    auto const& holder = before.spec.holder_identity;
    bool const first = !holder && !before.spec.lease_transitions;
    made.spec.lease_transitions = first ? 0 : before.spec.lease_transitions;
    return held_by(std::move(made), by, first || holder == by.identity);
}

/// `observed`, released.
lease held_by_nobody(lease observed) {
    auto const now = stamp();
    observed.spec.holder_identity = std::string();
    observed.spec.lease_duration_seconds = 1; // servers refuse 0
    observed.spec.acquire_time = now;
    observed.spec.renew_time = now;
    return observed;
}

/// How long a lease is held after its last observed change.
std::chrono::milliseconds duration_of(lease const& observed, leader_election_options const& by) {
    auto const duration = observed.spec.lease_duration_seconds.value_or(0);
    return duration > 0 ? std::chrono::milliseconds(std::chrono::seconds(duration)) : by.lease_duration;
}

} // namespace

result<void> check(leader_election_options const& o) {
    constexpr milliseconds second(1000);
    constexpr milliseconds longest = std::chrono::seconds(std::numeric_limits<std::int32_t>::max());
    for (auto const& [option, value] : {std::pair("name", &o.name), {"namespace_", &o.namespace_}})
        if (value->empty()) return failure_at(option, "expected the value of a Lease, got \"\"");
    if (o.identity.empty())
        return failure_at("identity",
                          "expected a name that no other process has, for example from make_identity(), got \"\"");
    for (auto const& [option, value] : {std::pair("lease_duration", o.lease_duration),
                                        {"renew_deadline", o.renew_deadline},
                                        {"retry_period", o.retry_period}})
        if (value < second || value > longest)
            return failure_at(option, "expected a duration from one second to 2147483647 seconds, got " + in_ms(value));
    if (o.lease_duration % second != milliseconds(0))
        return failure_at("lease_duration", "expected whole seconds, got " + in_ms(o.lease_duration));
    if (o.lease_duration <= o.renew_deadline)
        return failure_at("lease_duration", "expected more than renew_deadline, " + in_ms(o.renew_deadline) + ", got " +
                                                in_ms(o.lease_duration));
    if (!std::isfinite(o.jitter) || o.jitter < 0)
        return failure_at("jitter", "expected a factor of at least 0, got " + std::to_string(o.jitter));
    auto const waits = static_cast<double>(o.retry_period.count()) * std::max(o.jitter, 1.0);
    if (static_cast<double>(o.renew_deadline.count()) <= waits)
        return failure_at("renew_deadline", "expected more than retry_period, " + in_ms(o.retry_period) +
                                                ", times the jitter, got " + in_ms(o.renew_deadline));
    return {};
}

std::string make_identity(std::string_view host) {
    std::random_device random;
    std::array<unsigned, 4> words{};
    for (auto& w : words) w = random();
    words[1] = (words[1] & 0xFFFF0FFFU) | 0x4000U;     // version 4: random
    words[2] = (words[2] & 0x3FFFFFFFU) | 0x80000000U; // the variant of RFC 9562
    char text[37];
    std::snprintf(text, sizeof text, "%08x-%04x-%04x-%04x-%04x%08x", words[0], words[1] >> 16U, words[1] & 0xFFFFU,
                  words[2] >> 16U, words[2] & 0xFFFFU, words[3]);
    return std::string(host).append("_").append(text);
}

/// One request at a time is under way, and one time is waited for: that of the next try, of the answer, or of the end.
struct leader_elector::state : std::enable_shared_from_this<state> {
    using instant = controller_clock::instant;
    using step = void (state::*)(error_code, std::string const&);
    enum class phase { idle, standing, leading, leaving, releasing };

    state(kube::client c, leader_election_options o)
        : options(std::move(o)),
          lane(std::move(c)),
          clock(options.clock ? options.clock : std::make_shared<real_clock>(executor())),
          random(std::random_device()()),
          run(executor()) {}

    asio::any_io_executor executor() const { return lane.client().get_executor(); }

    bool leads() const { return phase_ == phase::leading && clock->now() < valid_until; }
    bool lapsed() const {
        return (phase_ == phase::leading || phase_ == phase::leaving) && clock->now() >= valid_until;
    }

    // The run.

    void begin() {
        phase_ = phase::standing;
        maybe_ours = false;
        attempt();
    }
    void cancel() {
        if (phase_ == phase::standing) return leave();
        if (phase_ != phase::leading) return;
        phase_ = phase::leaving;
        lane.abandon();
        arm();
        report(false);
        if (phase_ == phase::leaving && held.expired()) leave();
    }
    /// Ends the work of the leader.
    void leave() {
        lane.abandon();
        if (!options.release_on_cancel || !maybe_ours) return finish(asio::error::operation_aborted);
        phase_ = phase::releasing;
        release_by = clock->now() + options.renew_deadline;
        send(get(), &state::read_to_release);
    }
    void finish(error_code ec) {
        phase_ = phase::idle;
        lane.abandon();
        clock->cancel();
        run.end(ec);
    }
    void close() {
        phase_ = phase::idle;
        lane.abandon();
        clock->cancel();
        run.close();
    }

    // Time.

    void tick() {
        auto const time = clock->now();
        if (lapsed()) return lose("the lease was not renewed in time");
        if (phase_ == phase::releasing && time >= release_by) return finish(asio::error::operation_aborted);
        if (lane.busy() && time >= answer_by) {
            lane.abandon();
            why.message = "the server did not answer in time";
            (this->*after)(errc::timeout, {});
        } else if (!lane.busy() && time >= next_try && (phase_ == phase::standing || phase_ == phase::leading)) {
            attempt();
        }
        arm();
    }
    void arm() {
        if (phase_ == phase::idle) return;
        auto when = instant::max();
        if (phase_ == phase::leading || phase_ == phase::leaving) when = valid_until;
        if (phase_ == phase::releasing) when = release_by;
        if (lane.busy()) when = std::min(when, answer_by);
        if (!lane.busy() && (phase_ == phase::standing || phase_ == phase::leading)) when = std::min(when, next_try);
        clock->wake_at(when, [self = weak_from_this()] {
            if (auto const s = self.lock()) s->tick();
        });
    }

    // Requests.

    result<kube::http_request> get() const {
        return kube::request::get(lease::resource, options.namespace_, options.name);
    }
    result<kube::http_request> put(lease const& l) {
        maybe_ours = true;
        return kube::request::replace(lease::resource, options.namespace_, options.name, to_json(l));
    }
    void send(result<kube::http_request> r, step next) {
        after = next;
        sent = clock->now();
        answer_by = sent + std::max<std::chrono::milliseconds>(std::chrono::seconds(1), options.renew_deadline / 2);
        lane.send(std::move(r),
                  [self = weak_from_this()](error_code ec, std::string const& body, diagnostics const& detail) {
                      if (auto const s = self.lock()) s->answered(ec, body, detail);
                  });
        arm();
    }
    void answered(error_code ec, std::string const& body, diagnostics const& detail) {
        if (lapsed()) return lose("the answer arrived too late");
        why = detail;
        (this->*after)(ec, body);
        arm();
    }

    // One try.

    void attempt() {
        if (phase_ == phase::leading)
            send(put(held_by(observed, options, true)), &state::renewed);
        else
            send(get(), &state::read);
    }
    void renewed(error_code ec, std::string const& body) {
        if (!ec && takes(body)) return won();
        send(get(), &state::read);
    }
    void read(error_code ec, std::string const& body) {
        if (is_not_found(ec)) {
            // The last known holder may still lead until the deleted lease would have expired.
            if (others_may_lead()) return again();
            maybe_ours = true;
            auto made = first_lease(options, observed);
            return send(kube::request::create(lease::resource, options.namespace_, to_json(made)), &state::written);
        }
        if (ec) return failed("cannot read the lease", failure(ec, why));
        auto found = from_json<lease>(body);
        if (!found) return failed("cannot read the lease", found.error());
        observe(std::move(*found));
        auto const& holder = leader;
        bool const mine = holder == options.identity;
        if (!mine) maybe_ours = false;
        if (phase_ == phase::leading && !mine) return lose("another process holds the lease");
        if (others_may_lead()) return again();
        send(put(held_by(observed, options, mine)), &state::written);
    }
    bool others_may_lead() const {
        return !leader.empty() && leader != options.identity &&
               clock->now() - observed_at < duration_of(observed, options);
    }
    void written(error_code ec, std::string const& body) {
        if (ec) {
            if (is_conflict(ec)) maybe_ours = false;
            return failed("cannot write the lease", failure(ec, why));
        }
        if (takes(body)) return won();
        failed("the server answered with a different lease", failure(errc::protocol, {}));
    }
    /// Whether the server has stored what was sent.
    bool takes(std::string const& body) {
        auto stored = from_json<lease>(body);
        if (!stored || stored->spec.holder_identity != options.identity) return false;
        observe(std::move(*stored));
        return true;
    }
    void won() {
        if (clock->now() >= sent + options.renew_deadline) return again();
        valid_until = sent + options.renew_deadline;
        next_try = clock->now() + options.retry_period;
        if (phase_ != phase::standing) return;
        phase_ = phase::leading;
        log(log_level::info, "became the leader", {});
        report(true);
    }
    void failed(std::string_view what, failure const& f) {
        log(log_level::warning, what, f.to_string());
        again();
    }
    void again() {
        double const more = phase_ == phase::leading ? 0 : options.jitter * draw();
        auto const wait = static_cast<double>(options.retry_period.count()) * (1 + more);
        next_try = clock->now() + std::chrono::milliseconds(static_cast<std::int64_t>(wait));
    }
    double draw() {
        double const r = options.random ? options.random() : std::uniform_real_distribution<>(0, 1)(random);
        return std::clamp(r, 0.0, 1.0);
    }

    // The known state.

    void observe(lease l) {
        if (!(l.spec == observed.spec)) observed_at = clock->now();
        observed = std::move(l);
        auto holder = observed.spec.holder_identity.value_or(std::string());
        if (holder == leader) return;
        leader = std::move(holder);
        if (!options.on_change) return;
        // Not from here: it may cancel or destroy the elector.
        asio::post(executor(), [weak = weak_from_this(), who = leader] {
            if (auto const s = weak.lock()) s->options.on_change(who);
        });
    }
    void lose(std::string_view reason) {
        bool const led = phase_ == phase::leading;
        log(log_level::warning, "stopped leading", std::string(reason));
        phase_ = phase::idle;
        lane.abandon();
        clock->cancel();
        if (led) report(false);
        run.end(led ? make_error_code(errc::leadership_lost) : error_code(asio::error::operation_aborted));
    }
    void report(bool leading) {
        std::erase_if(listeners, [](auto const& l) { return l.expired(); });
        for (auto const& l : std::vector(listeners))
            if (auto const f = l.lock()) (*f)(leading);
    }
    void log(log_level level, std::string_view what, std::string error) const {
        options.logger(level, what,
                       {{"lease", options.namespace_ + "/" + options.name},
                        {"identity", options.identity},
                        {"holder", leader},
                        {"error", std::move(error)}});
    }

    // Release.

    void read_to_release(error_code ec, std::string const& body) {
        auto found = from_json<lease>(body);
        if (ec || !found || found->spec.holder_identity != options.identity)
            return finish(asio::error::operation_aborted);
        send(put(held_by_nobody(std::move(*found))), &state::released);
    }
    void released(error_code ec, std::string const& body) {
        if (is_conflict(ec)) return send(get(), &state::read_to_release);
        if (auto stored = from_json<lease>(body); !ec && stored) observe(std::move(*stored));
        if (ec) log(log_level::warning, "the lease was not released", failure(ec, why).to_string());
        finish(asio::error::operation_aborted);
    }

    /// Destroyed with its last owner.
    struct holding {
        explicit holding(std::weak_ptr<state> s) : of(std::move(s)) {}
        holding(holding const&) = delete;
        holding& operator=(holding const&) = delete;
        ~holding() {
            auto const s = of.lock();
            if (s && s->phase_ == phase::leaving) s->leave();
        }

        std::weak_ptr<state> of;
    };

    leader_election_options options;
    lease_lane lane;
    std::shared_ptr<controller_clock> clock;
    std::minstd_rand random;
    std::vector<std::weak_ptr<std::function<void(bool)>>> listeners;
    std::weak_ptr<holding> held;
    phase phase_ = phase::idle;

    lease observed; // the last one that was read
    instant observed_at{};
    std::string leader;
    bool maybe_ours = false; // a write was sent that may have been carried out

    instant next_try{};
    instant sent{};        // the request that is under way
    instant answer_by{};   // then it is given up
    instant valid_until{}; // of the leadership
    instant release_by{};
    step after = nullptr;
    diagnostics why;
    kube::run_scope run;
};

leader_elector::leader_elector(kube::client client, leader_election_options options) {
    if (auto const ok = check(options); !ok) throw std::invalid_argument("leader election: " + ok.error().to_string());
    state_ = std::make_shared<state>(std::move(client), std::move(options));
}

leader_elector::~leader_elector() {
    if (state_) state_->close();
}

asio::any_io_executor leader_elector::get_executor() const noexcept { return state_->executor(); }
leader_election_options const& leader_elector::options() const noexcept { return state_->options; }
bool leader_elector::is_leader() const { return state_->leads(); }
std::string const& leader_elector::leader() const noexcept { return state_->leader; }
std::int32_t leader_elector::transitions() const noexcept {
    return state_->observed.spec.lease_transitions.value_or(0);
}

std::shared_ptr<void> leader_elector::listen(std::function<void(bool leads)> f) {
    auto kept = std::make_shared<std::function<void(bool)>>(std::move(f));
    state_->listeners.push_back(kept);
    return kept;
}

std::shared_ptr<void> leader_elector::hold() {
    if (auto kept = state_->held.lock()) return kept;
    auto made = std::make_shared<state::holding>(state_->weak_from_this());
    state_->held = made;
    return made;
}

void leader_elector::run(std::shared_ptr<state> const& s, kube::any_handler<void(error_code)> handler) {
    auto const cancel = [weak = std::weak_ptr<state>(s)] {
        if (auto const self = weak.lock()) self->cancel();
    };
    if (s->run.begin(std::move(handler), cancel)) s->begin();
}

} // namespace kftrain::control
