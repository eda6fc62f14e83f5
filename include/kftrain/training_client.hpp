#ifndef KFTRAIN_TRAINING_CLIENT_HPP
#define KFTRAIN_TRAINING_CLIENT_HPP

#include <kftrain/facade/client_parts.hpp>
#include <kftrain/facade/explanation.hpp>
#include <kftrain/facade/job_events.hpp>
#include <kftrain/facade/job_logs.hpp>
#include <kftrain/facade/job_timeline.hpp>
#include <kftrain/facade/job_watch.hpp>
#include <kftrain/facade/load_job.hpp>
#include <kftrain/facade/preflight.hpp>
#include <kftrain/facade/submit_options.hpp>
#include <kftrain/facade/update_plan.hpp>
#include <kftrain/facade/wait_condition.hpp>
#include <kftrain/job/any_job.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/kube/client.hpp>
#include <kftrain/kube/wait.hpp>

#include <functional>
#include <memory>
#include <string>

namespace kftrain {

/** Client for training jobs of any kind: submit, get, list, watch, wait, scale, suspend and resume, logs, events,
    explain, plan, preflight, delete.

    Each operation has an asynchronous form that takes any completion token, and a blocking form. The blocking form runs
    the io_context of the client on the calling thread until the result is available (see kube::run_until()). If the
    caller omits the completion token, the result can be awaited and throws @ref error (see kube::default_token).

    The client is a handle: copies share the connection and the informers of watches and waits. An operation holds a
    copy, so the client may be destroyed before the operation completes. The options of a call are optional. They set
    the deadline and the object that receives the details of a failure (`detail`). That object, and a
    `cancellation_signal` whose slot is bound to the handler, must live until completion. An operation that takes a
    job_reference also accepts a job. It uses the kind, the namespace, the name and, if set, the uid of the job.
    @par Errors those of kube::client::async_call(); `errc::invalid_argument` for an empty job or reference
    @par Cancellation as kube::client::async_call(), unless an operation documents something else
    @par Thread safety As kube::client: unsafe, except for a client from kube::client::thread_safe(). Then any thread
    may call every function, several threads at the same time. A blocking form does not run the io_context in that
    case, but waits for the thread that does. See also job_watch and job_log_stream.
    @par Example examples/1_tutorial/01_submit_and_wait.cpp, examples/2_platform_service/platform_service.cpp */
class training_client {
public:
    /// `default_namespace` applies to jobs without a namespace.
    explicit training_client(kube::client client, std::string default_namespace = "default")
        : client_(std::move(client)), namespace_(std::move(default_namespace)), board_(make_board(client_)) {
        training_client_needs_the_target::kftrain_training();
    }

    boost::asio::any_io_executor get_executor() const noexcept { return client_.get_executor(); }
    kube::client const& get_client() const noexcept { return client_; }
    std::string const& get_namespace() const noexcept { return namespace_; }

    /** Sets whether watches and waits use one informer for each kind in all namespaces, instead of one for each kind
        and namespace. The caller then needs permission to list and watch jobs and pods in all namespaces. Applies to
        operations that this client or a copy of it starts after the call. */
    void follow_all_namespaces(bool on = true);

    /** Checks the job, creates it and completes with the stored job.

        With submit_options::idempotency_key or submit_options::idempotent, the caller can retry the submission: if an
        earlier attempt created the job and its response was lost, the operation returns the existing job.
        @par Handler signature `void(error_code, any_job)`
        @par Errors `errc::invalid_job` with every violated rule; `reason::already_exists` if another job has this name:
        `detail` lists the fields that differ, in the format of update_plan::to_string(). */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_submit(any_job job, submit_options options = {}, Token&& token = Token()) const {
        return start<job_signature, &training_client::submit_>(std::forward<Token>(token), std::move(job),
                                                               std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_submit(any_job job, Token&& token) const {
        return async_submit(std::move(job), submit_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> submit(any_job job, submit_options options = {}) const;

    /** Reads a job.
        @par Handler signature `void(error_code, any_job)`
        @par Errors `reason::not_found`; `errc::deleted` if the reference has a uid and another job has the name */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_get(job_reference job, kube::call_options options = {}, Token&& token = Token()) const {
        return start<job_signature, &training_client::get_>(std::forward<Token>(token), std::move(job),
                                                            std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_get(job_reference job, Token&& token) const {
        return async_get(std::move(job), kube::call_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> get(job_reference const& job, kube::call_options options = {}) const;

    /** Reads jobs of some or all kinds, optionally page by page.
        @par Handler signature `void(error_code, job_page)`
        @par Errors the error of the last kind if no kind could be read; `errc::invalid_argument` for an invalid
        `continue_`; `reason::expired` if `continue_` has expired */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_list(job_list_options options = {}, Token&& token = Token()) const {
        return start<void(error_code, job_page), &training_client::list_>(std::forward<Token>(token),
                                                                          std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_list(Token&& token) const {
        return async_list(job_list_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<job_page> list(job_list_options options = {}) const;
    /// Returns a watch of the selected jobs; see job_watch.
    job_watch watch(job_watch_options options = {}) const;

    /** Waits until the condition holds, without polling. Completes with the current job, or with an empty any_job if
        the job does not exist. Waits share informers as job_watch does.
        @par Handler signature `void(error_code, any_job)`
        @par Errors `errc::deleted` if the job is deleted, or does not exist and the reference has a uid, unless the
        condition holds for a job that does not exist; `errc::timeout`. The message of both contains the last observed
        state. `errc::incomplete` if the job is finished and the condition can no longer become true;
        `errc::helper_failed` if a local cluster in this process has failed
        @par Cancellation total */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_wait(job_reference job, wait_condition condition, kube::wait_options options = {},
                    Token&& token = Token()) const {
        return start<job_signature, &training_client::wait_>(std::forward<Token>(token), std::move(job),
                                                             std::move(condition), std::move(options));
    }
    template <kube::detail::completion_token Token>
    auto async_wait(job_reference job, wait_condition condition, Token&& token) const {
        return async_wait(std::move(job), std::move(condition), kube::wait_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> wait(job_reference const& job, wait_condition condition,
                                       kube::wait_options options = {}) const;
    /// Waits until the job has succeeded or failed. A failed job is not an error of this operation: check
    /// any_job::phase() of the result.
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_wait(job_reference job, kube::wait_options options = {}, Token&& token = Token()) const {
        return async_wait(std::move(job), until::finished(), std::move(options), std::forward<Token>(token));
    }
    template <kube::detail::completion_token Token> auto async_wait(job_reference job, Token&& token) const {
        return async_wait(std::move(job), kube::wait_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> wait(job_reference const& job, kube::wait_options options = {}) const;

    /** Opens the output of all replicas as one stream and follows it until the job is finished. The lines of each
        container stay in order. job_log_stream documents which lines are delivered, and the errors. */
    job_log_stream open_logs(job_reference job, job_log_options options = {}) const;
    /** The same with a callback: calls `sink` on the executor for every line; `sink` must not throw.
        @par Handler signature `void(error_code)`; success at the end of the stream
        @par Cancellation total */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_logs(job_reference job, std::function<void(log_line const&)> sink, job_log_options options = {},
                    Token&& token = Token()) const {
        return start<void(error_code), &training_client::logs_>(std::forward<Token>(token), std::move(job),
                                                                std::move(sink), std::move(options));
    }
    template <kube::detail::completion_token Token>
    auto async_logs(job_reference job, std::function<void(log_line const&)> sink, Token&& token) const {
        return async_logs(std::move(job), std::move(sink), job_log_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<void> logs(job_reference const& job, std::function<void(log_line const&)> sink,
                                    job_log_options options = {}) const;

    /** Reads the events about a job, its pods and its other children, with field selectors. Reads them from the core
        API or, if that is not available to the caller, from `events.k8s.io`.
        @par Handler signature `void(error_code, job_event_list)`
        @par Errors `reason::not_found` */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_events(job_reference job, job_event_options options = {}, Token&& token = Token()) const {
        return start<void(error_code, job_event_list), &training_client::events_>(std::forward<Token>(token),
                                                                                  std::move(job), std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_events(job_reference job, Token&& token) const {
        return async_events(std::move(job), job_event_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<job_event_list> events(job_reference const& job, job_event_options options = {}) const;

    /** Explains the current state of a job from its conditions, events, pods, container states, output, PodGroup and
        quotas. explanation::missing lists everything that the caller has no permission to read.
        @par Handler signature `void(error_code, explanation)`; errors are those of reading the job itself */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_explain(job_reference job, explain_options options = {}, Token&& token = Token()) const {
        return start<void(error_code, explanation), &training_client::explain_>(std::forward<Token>(token),
                                                                                std::move(job), std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_explain(job_reference job, Token&& token) const {
        return async_explain(std::move(job), explain_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<explanation> explain(job_reference const& job, explain_options options = {}) const;

    /** Reads the history of a job or, with timeline_options::follow, records it until the job is finished.
        @par Handler signature `void(error_code, job_timeline)`; errors are those of reading it, and `errc::deleted`
        @par Cancellation total; a recording completes with the error and the timeline so far */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_timeline(job_reference job, timeline_options options = {}, Token&& token = Token()) const {
        return start<void(error_code, job_timeline), &training_client::timeline_>(std::forward<Token>(token),
                                                                                  std::move(job), std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_timeline(job_reference job, Token&& token) const {
        return async_timeline(std::move(job), timeline_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<job_timeline> timeline(job_reference const& job, timeline_options options = {}) const;

    /** Reads the latest report in the last 1,000 lines of the replica that job_progress names; empty if there is none.
        @par Handler signature `void(error_code, job_progress)`; errors are those of reading the job itself
        @par Cancellation total */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_progress(job_reference job, kube::call_options options = {}, Token&& token = Token()) const {
        return start<void(error_code, job_progress), &training_client::progress_>(std::forward<Token>(token),
                                                                                  std::move(job), std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_progress(job_reference job, Token&& token) const {
        return async_progress(std::move(job), kube::call_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<job_progress> progress(job_reference const& job, kube::call_options options = {}) const;

    /** Computes the changes that submitting `job` would make to the existing job of this name. Changes nothing.
        @par Handler signature `void(error_code, update_plan)`
        @par Errors `errc::invalid_job` with every violated rule */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_plan(any_job job, kube::call_options options = {}, Token&& token = Token()) const {
        return start<void(error_code, update_plan), &training_client::plan_>(std::forward<Token>(token), std::move(job),
                                                                             std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_plan(any_job job, Token&& token) const {
        return async_plan(std::move(job), kube::call_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<update_plan> plan(any_job const& job, kube::call_options options = {}) const;

    /** Checks whether `job` could be submitted and followed: rules, kind, permissions (RBAC), namespace, quota.
        Changes nothing.
        @par Handler signature `void(error_code, preflight_report)`
        @par Errors if the server cannot be reached or the authentication fails */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_preflight(any_job job, preflight_options options = {}, Token&& token = Token()) const {
        return start<void(error_code, preflight_report), &training_client::preflight_>(
            std::forward<Token>(token), std::move(job), std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_preflight(any_job job, Token&& token) const {
        return async_preflight(std::move(job), preflight_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<preflight_report> preflight(any_job const& job, preflight_options options = {}) const;

    /** Sets the number of replicas of a role to `members`, if any_job::scaling() allows it. Completes with the stored
        job. any_job::scaling() also describes how and when ranks change. The operation first checks the range of an
        elastic job, the minimum of its gang, and whether an autoscaler would undo the change. After a conflict it
        retries, with increasing delays and at most eight attempts. `timeout` covers all attempts.
        @par Handler signature `void(error_code, any_job)`
        @par Errors `errc::invalid_argument` if the rules of the kind do not allow the change, with the reason;
        `reason::not_found`; `errc::deleted` if another job has the name; `reason::conflict` if the last attempt ends
        with a conflict; `errc::timeout`
        @par Cancellation terminal and partial: the change may have been made */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_scale(job_reference job, std::string role, std::int32_t members, kube::call_options options = {},
                     Token&& token = Token()) const {
        return start<job_signature, &training_client::scale_>(std::forward<Token>(token), std::move(job),
                                                              std::move(role), members, std::move(options));
    }
    template <kube::detail::completion_token Token>
    auto async_scale(job_reference job, std::string role, std::int32_t members, Token&& token) const {
        return async_scale(std::move(job), std::move(role), members, kube::call_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> scale(job_reference const& job, std::string role, std::int32_t members,
                                        kube::call_options options = {}) const;

    /** Suspends the job until async_resume(): the operator deletes its pods. Completes with the stored job, without
        waiting until the pods are gone. Otherwise as async_scale(). */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_suspend(job_reference job, kube::call_options options = {}, Token&& token = Token()) const {
        return start<job_signature, &training_client::suspend_>(std::forward<Token>(token), std::move(job), true,
                                                                std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_suspend(job_reference job, Token&& token) const {
        return async_suspend(std::move(job), kube::call_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> suspend(job_reference const& job, kube::call_options options = {}) const;
    /** Resumes a suspended job: the operator creates its pods again. Otherwise as async_suspend().

        Operators of `kubeflow.org/v1` would count terminating pods of the previous run as failed or succeeded replicas
        of the resumed job, and end the job. For these kinds the operation first waits, within `timeout`, until the pods
        of the job are gone. This needs permission to `list` and `watch` pods. Without it, the operation resumes the job
        immediately.
        @par Errors `errc::timeout` while pods exist, with a message that names them; the job stays suspended
        @par Upstream training-operator v1.9.0 `pkg/core/status.go` */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_resume(job_reference job, kube::call_options options = {}, Token&& token = Token()) const {
        return start<job_signature, &training_client::suspend_>(std::forward<Token>(token), std::move(job), false,
                                                                std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_resume(job_reference job, Token&& token) const {
        return async_resume(std::move(job), kube::call_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> resume(job_reference const& job, kube::call_options options = {}) const;

    /** Replaces the stored job with `job`, and completes with the stored job. `metadata.resourceVersion` must be the
        version that the caller read. If the job has changed since then, the server returns a conflict: the caller reads
        the job again, repeats its change and updates again. async_plan() shows in advance which fields an update
        changes, and whether the job keeps running.
        @par Handler signature `void(error_code, any_job)`
        @par Errors `errc::invalid_argument` without a resource version; `reason::conflict`; `reason::not_found`;
        `reason::invalid` with diagnostics::causes if the schema rejects the job; the reason that an admission webhook
        chose, usually `reason::forbidden` without causes. any_job::validate_update() lists the violated rules. */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_update(any_job job, kube::write_options options = {}, Token&& token = Token()) const {
        return start<job_signature, &training_client::update_>(std::forward<Token>(token), std::move(job),
                                                               std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_update(any_job job, Token&& token) const {
        return async_update(std::move(job), kube::write_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> update(any_job job, kube::write_options options = {}) const;

    /** Changes the fields of the stored job that `patch` contains, and completes with the stored job. A merge patch
        sets fields, and removes those whose value is null: `{"spec":{"runPolicy":{"activeDeadlineSeconds":3600}}}`. If
        the reference has a uid, the operation never changes a later job of the same name.
        @par Handler signature `void(error_code, any_job)`
        @par Errors `errc::invalid_argument` if `patch` is not a patch; `errc::deleted` if another job has the name now
        (a JSON patch then fails with `reason::invalid`); `reason::not_found`; rejections as for async_update();
        `reason::unsupported_media_type` for strategic merge patches, which servers reject for custom resources */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_patch(job_reference job, kube::patch_body patch, kube::write_options options = {},
                     Token&& token = Token()) const {
        return start<job_signature, &training_client::patch_>(std::forward<Token>(token), std::move(job),
                                                              std::move(patch), std::move(options));
    }
    template <kube::detail::completion_token Token>
    auto async_patch(job_reference job, kube::patch_body patch, Token&& token) const {
        return async_patch(std::move(job), std::move(patch), kube::write_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> patch(job_reference const& job, kube::patch_body patch,
                                        kube::write_options options = {}) const;

    /** Server-side apply: creates the job, or sets the fields that `job` has and makes `options.field_manager` their
        manager; completes with the stored job. The server removes fields that the manager applied before and that `job`
        lacks. The resource version and the managed fields of `job` are not sent.
        @par Handler signature `void(error_code, any_job)`
        @par Errors `errc::invalid_argument` without a field manager; `reason::conflict` with diagnostics::causes if
        fields belong to other managers and `options.force` is not set; `reason::invalid` */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_apply(any_job job, kube::apply_options options, Token&& token = Token()) const {
        return start<job_signature, &training_client::apply_>(std::forward<Token>(token), std::move(job),
                                                              std::move(options));
    }
    [[nodiscard]] result<any_job> apply(any_job job, kube::apply_options options) const;

    /** Deletes the job. The cluster also deletes the objects that the job owns: afterwards, or before the job with
        job_delete_options::foreground.
        @par Handler signature `void(error_code)`
        @par Errors `reason::not_found`; `reason::conflict` if the reference has the uid of an earlier job of this name;
        with job_delete_options::wait, `errc::timeout` if the job still exists at the deadline, with a message that
        names its finalizers */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_delete(job_reference job, job_delete_options options = {}, Token&& token = Token()) const {
        return start<void(error_code), &training_client::delete_>(std::forward<Token>(token), std::move(job),
                                                                  std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_delete(job_reference job, Token&& token) const {
        return async_delete(std::move(job), job_delete_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<void> delete_job(job_reference const& job, job_delete_options options = {}) const;

private:
    using job_signature = void(error_code, any_job);
    template <class T> using handler_of = kube::any_handler<void(error_code, T)>;
    using job_handler = handler_of<any_job>;
    using plain_handler = kube::any_handler<void(error_code)>;
    template <class Signature, auto Operation, class Token, class... Args>
    auto start(Token&& token, Args... args) const {
        return kube::detail::initiate<Signature>(
            place(), std::forward<Token>(token),
            [c = *this](kube::any_handler<Signature> h, auto... rest) {
                (c.*Operation)(std::move(h), std::move(rest)...);
            },
            std::move(args)...);
    }

    void submit_(job_handler, any_job, submit_options) const;
    void get_(job_handler, job_reference, kube::call_options) const;
    void list_(handler_of<job_page>, job_list_options) const;
    void wait_(job_handler, job_reference, wait_condition, kube::wait_options) const;
    void logs_(plain_handler, job_reference, std::function<void(log_line const&)>, job_log_options) const;
    void events_(handler_of<job_event_list>, job_reference, job_event_options) const;
    void explain_(handler_of<explanation>, job_reference, explain_options) const;
    void timeline_(handler_of<job_timeline>, job_reference, timeline_options) const;
    void progress_(handler_of<job_progress>, job_reference, kube::call_options) const;
    void plan_(handler_of<update_plan>, any_job, kube::call_options) const;
    void preflight_(handler_of<preflight_report>, any_job, preflight_options) const;
    void scale_(job_handler, job_reference, std::string role, std::int32_t members, kube::call_options) const;
    void suspend_(job_handler, job_reference, bool on, kube::call_options) const;
    void update_(job_handler, any_job, kube::write_options) const;
    void patch_(job_handler, job_reference, kube::patch_body, kube::write_options) const;
    void apply_(job_handler, any_job, kube::apply_options) const;
    void delete_(plain_handler, job_reference, job_delete_options) const;
    static std::shared_ptr<detail::job_board> make_board(kube::client const& client);
    kube::detail::start_place place() const { return kube::detail::client_access::place_of(client_); }
    any_job placed(any_job job) const;
    job_reference placed(job_reference job) const;

    kube::client client_;
    std::string namespace_;
    std::shared_ptr<detail::job_board> board_;
};

} // namespace kftrain

#endif
