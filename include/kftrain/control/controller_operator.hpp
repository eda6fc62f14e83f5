#ifndef KFTRAIN_CONTROL_CONTROLLER_OPERATOR_HPP
#define KFTRAIN_CONTROL_CONTROLLER_OPERATOR_HPP

#include <kftrain/control/controller_options.hpp>
#include <kftrain/control/event_recorder.hpp>
#include <kftrain/control/leader_election.hpp>
#include <kftrain/control/operator_metrics.hpp>
#include <kftrain/kube/client.hpp>
#include <kftrain/kube/shared_informers.hpp>
#include <kftrain/model/boxed.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace kftrain::rules {
class controller_rules; // kftrain/job/controller_rules.hpp
}

namespace kftrain::control {

namespace asio = boost::asio;

class content_maker; // kftrain/control/content_maker.hpp

struct controller_operator_options {
    controller_operator_options() = default;

    static controller_options several_workers() {
        controller_options o;
        o.workers = 8;
        return o;
    }

    std::string namespace_; ///< empty: all namespaces
    /// An empty name becomes the kind, and in metrics() `namespace/Kind.version.group`, without the namespace if it
    /// covers all namespaces: this distinguishes unnamed operators of one process. Unlike elsewhere the default is 8
    /// workers: while the writes for one object are pending, others are processed. One object is never processed
    /// concurrently.
    controller_options controller = several_workers();
    /// Maximum number of concurrent writes in concurrent steps, of all objects together; each processed object may have
    /// one in any case. 1: one after the other.
    std::size_t writes_in_flight = 16;
    event_recorder_options events;           ///< limits for writing events
    std::shared_ptr<content_maker> contents; ///< generates keys and names; empty: make_content_maker()
    kube::shared_informers informers;        ///< shared with others; empty: separate informers
    std::function<time_point()> clock;       ///< empty: the system clock
    /// How long changes are collected after a plan for an object before its next plan: many changes at once, as of a
    /// thousand starting pods, cost one status write instead of one each. A change after a quiet time is not delayed.
    std::chrono::milliseconds gather{10};
    /// How long a cancelled operator may take to finish the work it began for objects and to write their events: less
    /// than the 30 s in which a cluster terminates a pod.
    std::chrono::milliseconds shutdown_grace{20'000};
    /// Works only while it leads; its elector runs as a part of it.
    boxed<leader_election_options> leader_election;
    /// The same with an elector that several operators share and that its owner runs; excludes `leader_election`.
    std::shared_ptr<leader_elector> elector;
};

/** Watches the primary objects of a controller and the objects of its rows, and executes its plans. With leader
    election it works only while it leads; its informers run before that, too. When leadership is lost, it writes
    nothing more: running requests are aborted, although the server may have carried them out, waiting ones are
    dropped, and async_run() ends with `errc::leadership_lost`. A cancelled operator begins nothing new, finishes the
    work it began and writes its events, both within controller_operator_options::shutdown_grace, and then releases
    the lease.
    @par Errors The constructor throws std::invalid_argument for election options that check() rejects, and for both
    kinds of election at once; and for rows that cannot work: `by_controller_of` without an earlier row, an invalid
    selector, names or a reference from another type than that of the row or of the primary objects, or requested
    changes of objects that are found through another row.
    @par Object lifetimes Destroying it ends async_run() with `operation_aborted` and begins nothing new. Work that
    was begun for an object finishes if the io_context runs on, and is destroyed with it otherwise. With leader
    election nothing more is written: running requests are aborted as when leadership is lost, because the lease is
    released without waiting for them. Destroy it before its io_context.
    @par Thread safety Unsafe; use it on the executor of the client. */
class controller_operator {
public:
    controller_operator(std::shared_ptr<rules::controller_rules const> rules, kube::client client,
                        controller_operator_options options = {});
    controller_operator(controller_operator&&) noexcept = default;
    controller_operator& operator=(controller_operator&&) = delete;
    ~controller_operator();

    asio::any_io_executor get_executor() const noexcept;

    /// Returns whether it has read all existing objects, and is therefore ready to work or to become the leader.
    bool has_synced() const;
    /// Returns whether it is currently working, or would be if there were work.
    bool is_working() const;
    /// Returns its metrics; counting the cached objects takes time linear in their number.
    operator_metrics metrics() const;

    /** Works until cancelled; may be called again after its end.
        @par Handler signature `void(error_code)`, usually `operation_aborted`; `errc::leadership_lost`;
        `errc::already_running`
        @par Cancellation total; finishes first what it began for an object. */
    template <kube::detail::completion_token Token = kube::default_token> auto async_run(Token&& token = Token()) {
        return kube::detail::initiate<void(error_code)>(get_executor(), std::forward<Token>(token),
                                                        kube::detail::while_alive(get_executor(), state_, run));
    }

    struct state;

private:
    static void run(std::shared_ptr<state> const&, kube::any_handler<void(error_code)>);

    std::shared_ptr<state> state_;
};

} // namespace kftrain::control

#endif
