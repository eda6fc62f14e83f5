#ifndef KFTRAIN_CONTROL_LEADER_ELECTION_HPP
#define KFTRAIN_CONTROL_LEADER_ELECTION_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/base/logger.hpp>
#include <kftrain/control/controller_options.hpp>
#include <kftrain/kube/client.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace kftrain::control {

namespace asio = boost::asio;

/// The Lease of a leader election, and the times of its renewal. The default times are those of client-go.
struct leader_election_options {
    leader_election_options() = default;

    std::string name;       ///< of the Lease
    std::string namespace_; ///< of the Lease
    /// Identity of this candidate. Must be unique per process, otherwise two processes can lead at the same time.
    /// make_identity() returns one.
    std::string identity;
    /// How long other candidates wait after an observed renewal before they take the lease; whole seconds.
    std::chrono::milliseconds lease_duration{15'000};
    /// The maximum time that this process leads after it sent the last successful renewal.
    std::chrono::milliseconds renew_deadline{10'000};
    std::chrono::milliseconds retry_period{
        2'000}; ///< between renewals, and the minimum between attempts to become the leader
    /// Random addition to the time between attempts to become the leader, in retry periods.
    double jitter = 1.2;
    /// Whether a cancelled leader releases the lease, so that another process can lead after its next attempt.
    bool release_on_cancel = true;
    std::shared_ptr<controller_clock> clock; ///< for this elector alone; null: std::chrono::steady_clock
    std::function<double()> random;          ///< in [0, 1), for the jitter; empty: a generator of the elector
    /// Called with the new holder of the lease when it changes; empty if there is none. Called on the executor of the
    /// client in a separate handler, so that it may cancel or destroy the elector; not called after its destruction.
    /// Must not throw.
    std::function<void(std::string const&)> on_change;
    kftrain::logger logger;

    leader_election_options& with_name(std::string n) { return name = std::move(n), *this; }
    leader_election_options& with_namespace(std::string n) { return namespace_ = std::move(n), *this; }
    leader_election_options& with_identity(std::string who) { return identity = std::move(who), *this; }
    leader_election_options& with_lease_duration(std::chrono::milliseconds t) { return lease_duration = t, *this; }
    leader_election_options& with_renew_deadline(std::chrono::milliseconds t) { return renew_deadline = t, *this; }
    leader_election_options& with_retry_period(std::chrono::milliseconds t) { return retry_period = t, *this; }
    leader_election_options& with_jitter(double factor) { return jitter = factor, *this; }
    leader_election_options& with_release_on_cancel(bool on) { return release_on_cancel = on, *this; }
    leader_election_options& with_clock(std::shared_ptr<controller_clock> c) { return clock = std::move(c), *this; }
    leader_election_options& with_random(std::function<double()> f) { return random = std::move(f), *this; }
    leader_election_options& with_on_change(std::function<void(std::string const&)> f) {
        return on_change = std::move(f), *this;
    }
    leader_election_options& with_logger(kftrain::logger l) { return logger = std::move(l), *this; }
};

/** Checks whether an elector can work with these options.
    @par Errors `errc::invalid_argument` with the option in `path` if a name is empty; if one of the times is less
    than one second, or the lease duration is not a whole number of seconds; unless lease_duration > renew_deadline >
    retry_period * max(jitter, 1). */
[[nodiscard]] result<void> check(leader_election_options const& options);

/// Returns `host_` and a random UUID: a unique identity. The caller determines the host.
std::string make_identity(std::string_view host);

/** Takes part in a leader election over a Lease, and renews the Lease while this process leads.

    All times are measured by this process: a lease counts as held until `leaseDurationSeconds` have passed here
    since its last observed change, regardless of the times in it. A duration below one second, which no
    server should store, is replaced by that of the options. This process leads until renew_deadline has passed since
    it *sent* the last successful renewal: an unresponsive server, a late response and a process that was stopped for
    a while all end its leadership before another process can lead. Reading that another process holds the lease ends
    it, too. A deleted Lease counts as held by its last known holder for as long as if it still existed; the
    candidate that creates it again continues the count of transitions. Each request has a timeout of half of
    renew_deadline; only the elector retries it, and it bypasses the rate limit of the client.
    @par Object lifetimes Destroying it ends async_run() with `operation_aborted`, and its leadership; the lease is
    not released, and no listener is called. Destroy it before its io_context.
    @par Thread safety Unsafe; use it on the executor of the client.
    @par Upstream client-go `tools/leaderelection/leaderelection.go` (v0.31); the differences above are on the safer
    side */
class leader_elector {
public:
    /// @par Errors throws std::invalid_argument for options that check() rejects.
    leader_elector(kube::client client, leader_election_options options);
    leader_elector(leader_elector&&) noexcept = default;
    leader_elector& operator=(leader_elector&&) = delete;
    ~leader_elector();

    asio::any_io_executor get_executor() const noexcept;
    leader_election_options const& options() const noexcept;

    /** Runs for election, and leads until it is cancelled or leadership is lost; may be called again after its end.
        @par Handler signature `void(error_code)`: `errc::leadership_lost`; `operation_aborted`;
        `errc::already_running`.
        @par Cancellation total: it stops leading immediately, waits for the holders of hold() as long as the lease
        is certainly its own, and then releases the lease, which takes at most renew_deadline. */
    template <kube::detail::completion_token Token = kube::default_token> auto async_run(Token&& token = Token()) {
        return kube::detail::initiate<void(error_code)>(get_executor(), std::forward<Token>(token),
                                                        kube::detail::while_alive(get_executor(), state_, run));
    }

    /// Returns whether this process leads at this moment. Checks the clock, so the result is correct even before
    /// listeners are called.
    bool is_leader() const;
    /// Returns the last known holder of the lease; empty: none, or unknown.
    std::string const& leader() const noexcept;
    /// Returns how often the holder has changed, as last observed. Increases with each leader, so it can identify the
    /// leader of a write.
    std::int32_t transitions() const noexcept;

    /// `f` is called with `true` when this process begins to lead and with `false` when it stops, as long as the caller
    /// keeps the returned object. It must not throw, and is not called from inside this function.
    std::shared_ptr<void> listen(std::function<void(bool leads)> f);
    /// Delays the release of the lease by a cancelled elector while a worker of the leader keeps a copy of the returned
    /// object.
    std::shared_ptr<void> hold();

    struct state;

private:
    static void run(std::shared_ptr<state> const&, kube::any_handler<void(error_code)>);

    std::shared_ptr<state> state_;
};

} // namespace kftrain::control

#endif
