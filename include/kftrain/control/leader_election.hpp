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

/// Which Lease decides who leads, and how often it is renewed. The times are client-go's.
struct leader_election_options {
    leader_election_options() = default;

    std::string name;       ///< of the Lease
    std::string namespace_; ///< of the Lease
    /// Who stands for election: different for each process, or two lead at once. make_identity() makes one.
    std::string identity;
    /// How long others wait after they have seen a renewal before they take the lease; whole seconds.
    std::chrono::milliseconds lease_duration{15'000};
    /// How long after sending the last renewal that succeeded this process leads at most.
    std::chrono::milliseconds renew_deadline{10'000};
    std::chrono::milliseconds retry_period{
        2'000}; ///< between renewals, and at least between tries to become the leader
    /// Of the time between tries to become the leader, at random: up to this many retry periods more.
    double jitter = 1.2;
    /// Whether a leader that is cancelled gives the lease back, so that another can lead at once.
    bool release_on_cancel = true;
    std::shared_ptr<controller_clock> clock; ///< of this elector alone; null: std::chrono::steady_clock
    std::function<double()> random;          ///< in [0, 1), for the jitter; empty: one of its own
    /// Told who holds the lease when that changes; empty while nobody does. Called by itself on the executor of the client, so
    /// that it may cancel or destroy the elector, and no more once that is gone. Must not throw.
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
    leader_election_options& with_clock(std::shared_ptr<controller_clock> c);
    leader_election_options& with_random(std::function<double()> f);
    leader_election_options& with_on_change(std::function<void(std::string const&)> f);
    leader_election_options& with_logger(kftrain::logger l);
};

/** Whether an elector can work with these options.
    @par Errors `errc::invalid_argument` with the option in `path` when a name is empty; when one of the times is less than a second, or the
    lease lasts no whole seconds; unless lease_duration > renew_deadline > retry_period * max(jitter, 1). */
result<void> check(leader_election_options const& options);

/// `host_` and a random UUID: an identity that no other process has. The host is the caller's to find out.
std::string make_identity(std::string_view host);

/** Stands for election over a Lease, and renews it while this process leads.

    Times are those of this process alone: a lease counts as held until `leaseDurationSeconds` have passed here since its content
    was last seen to change, whatever it says of times. A duration below one second, which no server should have stored, counts as that of the
    options. This process leads until renew_deadline has passed since it *sent* the last renewal that succeeded: a server that does not answer,
    an answer that comes late and a process that was stopped for a while all end its leadership before another can begin one. So
    does reading that another holds the lease. A Lease that is gone counts as held by whoever was seen to hold it, as long as if it were still
    there; who makes it anew goes on counting transitions. Each request has half of renew_deadline, is repeated by nobody but the elector, and waits for
    no pace of the client.
    @par Object lifetimes Destroying it ends async_run() with `operation_aborted` and its leadership with it; nothing is released, and nobody
    else is told. Destroy it before its io_context.
    @par Thread safety Unsafe; use it on the executor of the client.
    @par Upstream client-go `tools/leaderelection/leaderelection.go` (v0.31); of the differences the above are the safer side */
class leader_elector {
public:
    /// @par Errors std::invalid_argument for options that check() refuses.
    leader_elector(kube::client client, leader_election_options options);
    leader_elector(leader_elector&&) noexcept = default;
    leader_elector& operator=(leader_elector&&) = delete;
    ~leader_elector();

    asio::any_io_executor get_executor() const noexcept;
    leader_election_options const& options() const noexcept;

    /** Stands for election, and leads until it is cancelled or leadership is lost; may be called again after its end.
        @par Handler signature `void(error_code)`: `errc::leadership_lost`; `operation_aborted`; `errc::already_running`.
        @par Cancellation total: it leads no more at once, waits for those who hold() it as long as the lease is surely its own, and then
        gives the lease back, for which it takes renew_deadline at most. */
    template <kube::detail::completion_token Token = kube::default_token> auto async_run(Token&& token = Token()) {
        auto const begin = [](auto const& s, kube::any_handler<void(error_code)> h) { run(s, std::move(h)); };
        return kube::detail::initiate<void(error_code)>(get_executor(), std::forward<Token>(token),
                                                        kube::detail::while_alive(get_executor(), state_, begin));
    }

    /// Whether this process leads at this moment. Looks at the clock: right also before anybody was told.
    bool is_leader() const;
    /// Who was last seen to hold the lease; empty: nobody, or nobody knows.
    std::string const& leader() const noexcept;
    /// How often the holder has changed, as last seen: grows with each leader, so that what is written can be told apart by it.
    std::int32_t transitions() const noexcept;

    /// `f` is told `true` when this process begins to lead and `false` when it no longer does, as long as what is handed back is
    /// kept. It must not throw, and is not called from inside this function.
    std::shared_ptr<void> listen(std::function<void(bool leads)> f);
    /// While a copy of this is kept by somebody who works as the leader, an elector that was cancelled does not give the lease back.
    std::shared_ptr<void> hold();

    struct state;

private:
    static void run(std::shared_ptr<state> const&, kube::any_handler<void(error_code)>);

    std::shared_ptr<state> state_;
};

} // namespace kftrain::control

#endif
