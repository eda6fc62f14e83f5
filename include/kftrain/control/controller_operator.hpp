#ifndef KFTRAIN_CONTROL_CONTROLLER_OPERATOR_HPP
#define KFTRAIN_CONTROL_CONTROLLER_OPERATOR_HPP

#include <kftrain/control/controller_options.hpp>
#include <kftrain/control/event_recorder.hpp>
#include <kftrain/control/leader_election.hpp>
#include <kftrain/control/operator_metrics.hpp>
#include <kftrain/kube/client.hpp>
#include <kftrain/kube/shared_informers.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
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
    /// Its name, if empty, becomes the kind, and in metrics() `namespace/Kind.version.group`, without the namespace if that
    /// is all of them: operators of a process that have no names of their own are told apart by it. Unlike elsewhere 8 workers are usual: while the writes for one object are
    /// answered, others are looked at. One object is never worked on twice at the same time.
    controller_options controller = several_workers();
    /// How many writes of steps that go side by side may be under way at the same time, of all objects together; each object
    /// that is worked on may have one in any case. 1: one after the other.
    std::size_t writes_in_flight = 16;
    event_recorder_options events;           ///< how hard it tries to write events
    std::shared_ptr<content_maker> contents; ///< makes keys and names; empty: make_content_maker()
    kube::shared_informers informers;        ///< shared with others; empty: informers of its own
    std::function<time_point()> clock;       ///< empty: the system's clock
    /// How long after a plan for an object what changes is gathered before the next one: many changes at once, of a thousand
    /// pods that start, cost one status write and not one each. A change after a quiet time does not wait.
    std::chrono::milliseconds gather{10};
    /// How long a cancelled operator may take to finish what it began for objects, and to write their events: less than the 30 s
    /// that a cluster gives a pod to end.
    std::chrono::milliseconds shutdown_grace{20'000};
    /// Works only while it leads; its elector runs as a part of it.
    std::optional<leader_election_options> leader_election;
    /// The same with an elector that several operators share and that its owner runs; not with `leader_election`.
    std::shared_ptr<leader_elector> elector;
};

/** Watches the objects that a controller is about, and those that its rows name, and carries out what it plans.
    With an election it works only while it leads; its informers run before that, too. When leadership is lost nothing is written any more:
    what is under way is broken off, though the server may have carried it out, what waits is dropped, and async_run() ends with
    `errc::leadership_lost`. A cancelled operator begins nothing new, finishes what it began and writes its events, both within
    controller_operator_options::shutdown_grace, and then gives the lease back.
    @par Errors std::invalid_argument from the constructor for options of an election that check() refuses, and for both kinds of it at once; for rows that nobody could carry out: if `by_controller_of` names no earlier row, a
    selector is none, names or a reference are taken from another type than that of the row or of the primary objects, or changes
    are asked for of what is found through another row.
    @par Object lifetimes Destroying it ends async_run() with `operation_aborted` and begins nothing new; what was begun for an
    object is finished if the io_context runs on, and goes with it otherwise. With an election nothing more is written: what is under way
    is broken off as when leadership is lost, since nobody waits for it before the lease is given back. Destroy it before its io_context.
    @par Thread safety Unsafe; use it on the executor of the client. */
class controller_operator {
public:
    controller_operator(std::shared_ptr<rules::controller_rules const> rules, kube::client client,
                        controller_operator_options options = {});
    controller_operator(controller_operator&&) noexcept = default;
    controller_operator& operator=(controller_operator&&) = delete;
    ~controller_operator();

    asio::any_io_executor get_executor() const noexcept;

    /// Whether it has seen all objects that there are: it is ready to work, or to take over the lead.
    bool has_synced() const;
    /// Whether it works at this moment, or would if there were something to do.
    bool is_working() const;
    /// What it tells of itself; counting what it keeps takes as long as there is much of it.
    operator_metrics metrics() const;

    /** Works until cancelled; may be called again after its end.
        @par Handler signature `void(error_code)`, usually `operation_aborted`; `errc::leadership_lost`; `errc::already_running`
        @par Cancellation total; what was begun for an object is finished first. */
    template <kube::detail::completion_token Token = kube::default_token> auto async_run(Token&& token = Token()) {
        auto const begin = [](auto const& s, kube::any_handler<void(error_code)> h) { run(s, std::move(h)); };
        return kube::detail::initiate<void(error_code)>(get_executor(), std::forward<Token>(token),
                                                        kube::detail::while_alive(get_executor(), state_, begin));
    }

    struct state;

private:
    static void run(std::shared_ptr<state> const&, kube::any_handler<void(error_code)>);

    std::shared_ptr<state> state_;
};

} // namespace kftrain::control

#endif
