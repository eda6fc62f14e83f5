#ifndef KFTRAIN_SRC_CONTROL_OPERATOR_STATE_HPP
#define KFTRAIN_SRC_CONTROL_OPERATOR_STATE_HPP

#include <kftrain/control/controller_operator.hpp>

#include "control/change_list.hpp"
#include "control/key_worker.hpp"
#include "control/plans/gated_transport.hpp"
#include "control/plans/plan_executor.hpp"
#include "control/watched_world.hpp"
#include "kube/async/run_scope.hpp"
#include "kube/async/timer.hpp"

#include <kftrain/control/content_maker.hpp>
#include <kftrain/control/controller.hpp>
#include <kftrain/job/controller_rules.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <utility>

namespace kftrain::control {

/// How the work of an operator begins and ends within its run. What it writes goes through the gate.
struct operator_duty {
    operator_duty() = default;
    operator_duty(operator_duty const&) = delete;
    operator_duty& operator=(operator_duty const&) = delete;

    std::optional<kube::waiting_caller<>> part;      ///< of the run; it has ended when this is empty
    std::shared_ptr<void> listening;                 ///< to the elector
    std::shared_ptr<void> holding;                   ///< the lease, while there is work
    std::shared_ptr<asio::cancellation_signal> stop; ///< of the controller, whose handler keeps it
    std::shared_ptr<kube::detail::timer> grace;
    bool working = false;
    bool stopping = false;  ///< nothing new is begun
    bool broken = false;    ///< what was begun is not finished either
    error_code why;         ///< how the part ends
    std::size_t number = 0; ///< of the run: what an earlier one waited for may come late
};

struct controller_operator::state : std::enable_shared_from_this<state> {
    /// The state of one primary object, kept as long as the object exists.
    struct kept_state {
        pending_writes written;
        change_list changes;
        std::shared_ptr<rules::memory const> remembered;
        std::optional<controller_clock::instant> looked; ///< when the last plan was made
    };
    using outcome_of_look = std::pair<error_code, reconcile_result>;

    state(std::shared_ptr<rules::controller_rules const> what, kube::client c, controller_operator_options o);
    state(state const&) = delete;
    state& operator=(state const&) = delete;

    // Reads and plans: controller_operator.cpp.

    void follow();
    void object_changed(std::size_t source, kube::any_event const& e);
    void note_change(std::string const& key, watched_world::effect const& effect, kube::any_event const& e);
    /// Enqueues the object after a short time, so that one plan covers several changes.
    void enqueue_gathered(std::string const& key);
    controller_clock::instant instant_now() const;
    any_object find(std::string const& key) const;
    std::shared_ptr<kept_state> const& of(std::string const& key);
    void forget_what_is_lost();
    bool waits_too_long(std::string const& key, pending_writes& written) const;
    plan_subject subject_of(any_object object);
    asio::awaitable<outcome_of_look> reconcile(std::string key);

    // From when to when: operator_run.cpp.

    void start(kube::any_handler<void(error_code)> handler);
    void begin_duty(kube::any_handler<void(error_code)> part);
    void begin_work();
    /// The caller cancels: what was begun is finished, within the grace.
    void stop();
    /// Stops all writes.
    void break_off(error_code why);
    void write_no_more(error_code why);
    void work_ended();
    void end_duty();
    /// Called when the owner is destroyed: nothing new starts, and with an elector nothing more is written. Work that
    /// has started for an object may keep this alive for a while.
    void close();
    bool works() const;
    operator_metrics metrics() const;

    std::shared_ptr<rules::controller_rules const> rules;
    kube::client reader; ///< for what has no gate: informers and the lease
    controller_operator_options options;
    std::shared_ptr<leader_elector> elector; ///< empty: leads always
    bool own_elector;
    std::shared_ptr<gated_transport> gate;
    kube::client client;
    std::function<time_point()> now;
    watched_world watched;
    event_recorder recorder;
    std::shared_ptr<write_budget> budget;
    std::shared_ptr<key_worker> keys; ///< null: the contents that the options name
    controller work;
    std::map<std::string, std::shared_ptr<kept_state>> kept;
    operator_duty duty;
    kube::run_scope run;
    bool following = false;
    bool closed = false;
};

} // namespace kftrain::control

#endif
