#ifndef KFTRAIN_FACADE_JOB_WATCH_HPP
#define KFTRAIN_FACADE_JOB_WATCH_HPP

#include <kftrain/facade/job_state.hpp>
#include <kftrain/kube/initiate.hpp>
#include <kftrain/kube/next_options.hpp>
#include <kftrain/kube/owned_state.hpp>
#include <kftrain/model/change_kind.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kftrain {

/// Selects the jobs that a job_watch reports.
struct job_watch_options {
    job_watch_options() = default;

    /// Empty: the namespace of the client. For all namespaces set `all_namespaces`.
    std::string namespace_;
    bool all_namespaces = false;
    std::vector<rules::job_rules const*>
        kinds;                  ///< must not contain null; empty: those of kftrain that the server serves
    std::string label_selector; ///< selects jobs
    std::string name;           ///< only the job of this name; empty: all
    std::string uid;            ///< only the job with this uid; empty: all
    bool one_job = false;       ///< requires exactly one entry in `kinds`, and `name`
    bool pods = true; ///< follow pods, too; otherwise states have no ranks and contain only the status of the job

    job_watch_options& with_namespace(std::string ns) { return namespace_ = std::move(ns), *this; }
    job_watch_options& with_all_namespaces(bool on = true) { return all_namespaces = on, *this; }
    template <training_job K> job_watch_options& with_kind() { return with_kind(job_rules_for<K>()); }
    job_watch_options& with_kind(rules::job_rules const& kind);
    job_watch_options& with_label_selector(std::string s) { return label_selector = std::move(s), *this; }
    /// Selects this job alone.
    job_watch_options& with_job(job_reference const& job);
    job_watch_options& with_pods(bool on) { return pods = on, *this; }
};

/// One change from a job_watch: the state of a job that was added, modified or deleted.
struct job_change {
    job_change() = default;

    change_kind kind = change_kind::added;
    job_state state;      ///< after the change; for a deleted job the last known state
    bool initial = false; ///< the job existed when the watch began

    /// Returns the format of job_state::to_json(), with `change`: `added`, `modified` or `deleted`.
    std::string to_json() const;
};

/** Reports changes of job states, one at a time. The watches and waits of all copies of one training_client share two
    informers for each kind and namespace, one of the jobs and one of their pods, regardless of the number of jobs.
    After training_client::follow_all_namespaces(), they share two for each kind. The informers stop with the last watch
    or wait.

    The watch reports a change if the state differs from the last reported one. Between two calls of async_next() it
    keeps only the latest state of each job, so memory is bounded by the number of jobs. It may skip intermediate phases
    of a job, but never its end or its deletion. Of jobs that were both created and deleted between two calls, it
    reports the latest 10,000; of failures it reports the latest 1,000. It reports a job whose labels no longer match
    the selector as deleted.

    The watch recovers from broken watches, expired versions and server restarts, as informer<K> describes. For a kind
    that the server does not serve, it checks once a minute whether the server serves it now.
    @par Object lifetimes Destroying the watch at any moment ends a pending async_next() with `operation_aborted`. The
    client may be destroyed before the watch.
    @par Thread safety Unsafe; use it on the executor of the client. A watch of a client from
    kube::client::thread_safe() may be used and destroyed on any thread, by one thread at a time; but call has_synced()
    on the executor. */
class job_watch {
public:
    /// An empty watch, which can only be assigned to.
    job_watch() = default;

    /** Waits for the next change; reports existing jobs first, as `added`. Only one call may be pending: a second one
        fails with `errc::already_running`.
        @par Handler signature `void(error_code, job_change)`
        @par Errors The watch continues after the first three errors; the others end it:
        - `errc::timeout`;
        - `reason::forbidden` and `unauthorized`, reported once, with the kind in `detail`: the watch continues with the
          other kinds or, if only the pods are forbidden, without pods; it retries a kind that it could read before;
        - a decoding error (`errc::type_mismatch`, `out_of_range`, `wrong_kind`, `too_deep`) for a stored job or pod
          that does not fit the struct of its kind, once for each version of it, named as
          `Kind namespace/name: path: message`;
        - `errc::invalid_argument` for a selector that cannot be parsed, and for with_job() with an empty reference;
        - `errc::ended` if there is no kind left that the caller may watch;
        - `errc::helper_failed` if a local cluster in this process has failed
        @par Cancellation total: the change is kept for the next call */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_next(kube::next_options options = {}, Token&& token = Token()) {
        return kube::detail::initiate<void(error_code, job_change)>(
            state_.place(), std::forward<Token>(token),
            [s = state_.share()](kube::any_handler<void(error_code, job_change)> h, kube::next_options o) {
                start_next(s, std::move(h), o);
            },
            options);
    }
    template <kube::detail::completion_token Token> auto async_next(Token&& token) {
        return async_next(kube::next_options(), std::forward<Token>(token));
    }
    /// Runs the io_context of the client until a change is available.
    [[nodiscard]] result<job_change> next(kube::next_options options = {});

    /// Calls `take` on the executor with every change from now on. Replaces async_next(), which then fails with
    /// `errc::already_running`. Exceptions of `take` are logged and dropped, and errors that async_next() would report
    /// are logged. `take` may destroy the watch.
    void on_change(std::function<void(job_change const&)> take);

    /// Returns whether all jobs that existed when the watch began have been reported.
    bool has_synced() const noexcept;

    struct state;
    /// Used by training_client::watch().
    explicit job_watch(kube::detail::owned_state<state> s) : state_(std::move(s)) {}

private:
    static void start_next(std::shared_ptr<state> const& s, kube::any_handler<void(error_code, job_change)> handler,
                           kube::next_options options);

    kube::detail::owned_state<state> state_;
};

} // namespace kftrain

#endif
