#ifndef KFTRAIN_CONTROL_JOB_OPERATOR_HPP
#define KFTRAIN_CONTROL_JOB_OPERATOR_HPP

#include <kftrain/control/controller.hpp>
#include <kftrain/control/event_recorder.hpp>
#include <kftrain/job/any_job.hpp>
#include <kftrain/kube/client.hpp>
#include <kftrain/kube/shared_informers.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace kftrain::control {

struct job_operator_options {
    job_operator_options() = default;

    static controller_options several_workers() {
        controller_options o;
        o.workers = 8;
        return o;
    }

    std::string namespace_; ///< empty: all namespaces
    operator_options rules; ///< what the rules of the kinds may be told
    /// Its name, if empty, becomes the kind. Unlike elsewhere 8 workers are usual: while the writes for one job are
    /// answered, others are looked at. One job is never worked on twice at the same time.
    controller_options controller = several_workers();
    /// How many children may be created or deleted at the same time, of all jobs together; each job that is worked on may
    /// have one in any case. 1: the children of a job one after the other.
    std::size_t writes_in_flight = 16;
    event_recorder_options events;     ///< how hard it tries to write events
    kube::shared_informers informers;  ///< shared with others; empty: informers of its own
    std::function<time_point()> clock; ///< empty: the system's clock
};

/** Watches the jobs of one kind and their children and carries out what `make_plan` says. This is the operator that the
    cluster would run for the kind, in a library; kinds differ in their rules only.
    @par Object lifetimes Destroying it ends async_run() with `operation_aborted` and begins nothing new; what was begun for a
    job is finished if the io_context runs on, and goes with it otherwise. Destroy it before its io_context.
    @par Thread safety Unsafe; use it on the executor of the client. */
class any_job_operator {
public:
    any_job_operator(job_kind const& kind, kube::client client, job_operator_options options = {});
    any_job_operator(any_job_operator&&) noexcept = default;
    any_job_operator& operator=(any_job_operator&&) = delete;
    ~any_job_operator();

    asio::any_io_executor get_executor() const noexcept;

    /** Works until cancelled.
        @par Handler signature `void(error_code)`, usually `operation_aborted`
        @par Cancellation total; what was begun for a job is finished first. */
    template <class Token> auto async_run(Token&& token) {
        return kube::detail::initiate<void(error_code)>(
            get_executor(), std::forward<Token>(token),
            [s = state_](any_handler<void(error_code)> h) { run(s, std::move(h)); });
    }

    struct state;

private:
    static void run(std::shared_ptr<state> const&, any_handler<void(error_code)>);

    std::shared_ptr<state> state_;
};

/// The operator of a kind that is known at compile time.
template <training_job K> class job_operator : public any_job_operator {
public:
    explicit job_operator(kube::client client, job_operator_options options = {})
        : any_job_operator(job_kind_of<K>(), std::move(client), std::move(options)) {}
};

} // namespace kftrain::control

#endif
