#ifndef KFTRAIN_TRAINING_CLIENT_HPP
#define KFTRAIN_TRAINING_CLIENT_HPP

#include <kftrain/facade/explanation.hpp>
#include <kftrain/facade/job_condition.hpp>
#include <kftrain/facade/job_events.hpp>
#include <kftrain/facade/job_logs.hpp>
#include <kftrain/facade/job_watch.hpp>
#include <kftrain/facade/load_job.hpp>
#include <kftrain/facade/preflight.hpp>
#include <kftrain/facade/submit_options.hpp>
#include <kftrain/facade/update_plan.hpp>
#include <kftrain/job/any_job.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/kube/client.hpp>
#include <kftrain/kube/wait.hpp>

#include <functional>
#include <memory>
#include <string>

namespace kftrain {

/// What a linker cannot find that was given `kftrain::kube` or another part where training_client needs the target
/// `kftrain::kftrain`: its message names both.
namespace training_client_needs_the_target {
void kftrain_kftrain() noexcept;
}

/** The whole life of a training job, of every kind: submit, read, list, watch, wait, scale, suspend, output, events, why, delete.

    Each operation has an asynchronous form that takes any completion token, and a blocking form that runs the
    io_context of the client on the calling thread until the answer is there (see kube::run_until()).
    A handle: copies share the connection, and what watches and waits keep. Operations keep what they need.
    Deadlines and what is known about a failure go by the options of each call, which may be left out; without a completion
    token they can be awaited, see kube::default_token. What `detail` names, and a `cancellation_signal` whose slot is bound to the
    handler, must live until completion. A job stands for its reference: its kind, namespace and name are what counts, and its uid if it has one.
    @par Errors those of kube::client::async_call()
    @par Cancellation where nothing else is said, as kube::client::async_call()
    @par Thread safety As the transport's; job_watch and job_log_stream say more.
    @par Example examples/1_tutorial/01_submit_and_wait.cpp, examples/2_platform_service/platform_service.cpp */
class training_client {
public:
    /// `default_namespace` is for jobs that name none.
    explicit training_client(kube::client client, std::string default_namespace = "default")
        : client_(std::move(client)), namespace_(std::move(default_namespace)), board_(make_board(client_)) {
        training_client_needs_the_target::kftrain_kftrain();
    }

    boost::asio::any_io_executor get_executor() const noexcept { return client_.get_executor(); }
    kube::client const& get_client() const noexcept { return client_; }
    std::string const& get_namespace() const noexcept { return namespace_; }

    /** Follows the jobs of all namespaces by one informer for each kind, not by one for each kind and namespace: for services that may read them all.
        Counts for what copies of this begin from now on. */
    void follow_all_namespaces(bool on = true);

    /** Checks the job, then creates it; completes with what the server stored.

        With submit_options::token or `idempotent` it may be tried again: a submission whose answer was lost is found, and the job that is
        there is the answer.
        @par Handler signature `void(error_code, any_job)`
        @par Errors `errc::invalid_job` with every violated rule; `reason::already_exists`, also of a job of the name that is another one:
        `detail` then tells the fields in which they differ, as update_plan::to_string(). */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_submit(any_job job, submit_options options = {}, Token&& token = Token()) {
        return start<job_signature, &training_client::submit_>(std::forward<Token>(token), std::move(job),
                                                               std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_submit(any_job job, Token&& token) {
        return async_submit(std::move(job), submit_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> submit(any_job job, submit_options options = {});

    /** Reads a job.
        @par Handler signature `void(error_code, any_job)`
        @par Errors `reason::not_found`; `errc::deleted` if the reference has a uid and another job has the name */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_get(job_reference job, kube::call_options options = {}, Token&& token = Token()) {
        return start<job_signature, &training_client::get_>(std::forward<Token>(token), std::move(job),
                                                            std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_get(job_reference job, Token&& token) {
        return async_get(std::move(job), kube::call_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> get(job_reference const& job, kube::call_options options = {});

    /** Reads jobs of some or all kinds, page by page if asked to.
        @par Handler signature `void(error_code, job_page)`
        @par Errors those of the last kind if none could be read; `errc::invalid_argument` for a `continue_` that is none;
        `reason::expired` when a page came too late */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_list(job_list_options options = {}, Token&& token = Token()) {
        return start<void(error_code, job_page), &training_client::list_>(std::forward<Token>(token),
                                                                          std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_list(Token&& token) {
        return async_list(job_list_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<job_page> list(job_list_options options = {});

    /// Begins to follow jobs; see job_watch.
    job_watch watch(job_watch_options options = {}) const;

    /** Waits until the condition holds, without polling, and completes with the job as it is then; empty if it is not there.
        Waits share informers as job_watch does.
        @par Handler signature `void(error_code, any_job)`
        @par Errors `errc::deleted` when the job goes, or is not there and the reference has a uid, while the condition does not hold for
        absence; `errc::timeout`; both with a message that says what was seen last. `errc::incomplete` when it is finished, and
        what was waited for cannot come any more. `errc::helper_failed` when a local cluster in this process broke
        @par Cancellation total */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_wait(job_reference job, job_condition condition, kube::wait_options options = {},
                    Token&& token = Token()) {
        return start<job_signature, &training_client::wait_>(std::forward<Token>(token), std::move(job),
                                                             std::move(condition), std::move(options));
    }
    template <kube::detail::completion_token Token>
    auto async_wait(job_reference job, job_condition condition, Token&& token) {
        return async_wait(std::move(job), std::move(condition), kube::wait_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> wait(job_reference const& job, job_condition condition,
                                       kube::wait_options options = {});
    /// Waits until the job has succeeded or failed; both are no errors here: ask phase().
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_wait(job_reference job, kube::wait_options options = {}, Token&& token = Token()) {
        return async_wait(std::move(job), until::finished(), std::move(options), std::forward<Token>(token));
    }
    template <kube::detail::completion_token Token> auto async_wait(job_reference job, Token&& token) {
        return async_wait(std::move(job), kube::wait_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> wait(job_reference const& job, kube::wait_options options = {});

    /** Opens the output of all replicas as one stream, which follows until the job is finished. Lines of one container keep their order. What is handed out,
        and how it can fail, job_log_stream tells. */
    job_log_stream open_logs(job_reference job, job_log_options options = {}) const;

    /** The same, pushed: `sink` is called on the executor with every line and must not throw.
        @par Handler signature `void(error_code)`; success at the end of the stream
        @par Cancellation total */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_logs(job_reference job, std::function<void(log_line const&)> sink, job_log_options options = {},
                    Token&& token = Token()) {
        return start<void(error_code), &training_client::logs_>(std::forward<Token>(token), std::move(job),
                                                                std::move(sink), std::move(options));
    }
    template <kube::detail::completion_token Token>
    auto async_logs(job_reference job, std::function<void(log_line const&)> sink, Token&& token) {
        return async_logs(std::move(job), std::move(sink), job_log_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<void> logs(job_reference const& job, std::function<void(log_line const&)> sink,
                                    job_log_options options = {});

    /** Reads the events about a job, its pods and its other children, by field selectors, of both APIs of events.
        @par Handler signature `void(error_code, job_event_list)`
        @par Errors `reason::not_found` */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_events(job_reference job, job_event_options options = {}, Token&& token = Token()) {
        return start<void(error_code, job_event_list), &training_client::events_>(std::forward<Token>(token),
                                                                                  std::move(job), std::move(options));
    }
    [[nodiscard]] result<job_event_list> events(job_reference const& job, job_event_options options = {});

    /** Finds out why a job is where it is, from its conditions, events, pods, container states, output, group and quotas. What may not be looked
        at is told in explanation::missing.
        @par Handler signature `void(error_code, explanation)`; errors are those of reading the job itself */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_explain(job_reference job, explain_options options = {}, Token&& token = Token()) {
        return start<void(error_code, explanation), &training_client::explain_>(std::forward<Token>(token),
                                                                                std::move(job), std::move(options));
    }
    [[nodiscard]] result<explanation> explain(job_reference const& job, explain_options options = {});

    /** Tells what submitting `job` would change in the one of its name. Changes nothing. `errc::invalid_job` tells every violated rule.
        @par Handler signature `void(error_code, update_plan)` */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_plan(any_job job, kube::call_options options = {}, Token&& token = Token()) {
        return start<void(error_code, update_plan), &training_client::plan_>(std::forward<Token>(token), std::move(job),
                                                                             std::move(options));
    }
    [[nodiscard]] result<update_plan> plan(any_job const& job, kube::call_options options = {});

    /** Looks at whether `job` could be submitted and followed: rules, kind, rights, namespace, quota. Changes nothing.
        @par Handler signature `void(error_code, preflight_report)`
        @par Errors when the server cannot be reached or does not know the caller */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_preflight(any_job job, preflight_options options = {}, Token&& token = Token()) {
        return start<void(error_code, preflight_report), &training_client::preflight_>(
            std::forward<Token>(token), std::move(job), std::move(options));
    }
    [[nodiscard]] result<preflight_report> preflight(any_job const& job, preflight_options options = {});

    /** Changes how many members a role of the job has, as scaling() of the job allows; completes with the job as it is stored
        then. What that does to ranks, and when, scaling() tells. A range of an elastic job, the minimum of its gang and an autoscaler that
        would undo it are looked at first. `timeout` is for all of it, together with the attempts after conflicts, of which there are eight
        at most, with growing rests between them.
        @par Handler signature `void(error_code, any_job)`
        @par Errors `errc::invalid_argument` for what the rules of the kind do not allow, with the reason; `reason::not_found`;
        `errc::deleted` if another job of the name is there; `reason::conflict` if others keep changing the job; `errc::timeout`
        @par Cancellation terminal and partial: the change may have been made */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_scale(job_reference job, std::string role, std::int32_t members, kube::call_options options = {},
                     Token&& token = Token()) {
        return start<job_signature, &training_client::scale_>(std::forward<Token>(token), std::move(job),
                                                              std::move(role), members, std::move(options));
    }
    template <kube::detail::completion_token Token>
    auto async_scale(job_reference job, std::string role, std::int32_t members, Token&& token) {
        return async_scale(std::move(job), std::move(role), members, kube::call_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> scale(job_reference const& job, std::string role, std::int32_t members,
                                        kube::call_options options = {});

    /** Stops the job, whose pods go, until async_resume(); completes with the job as it is stored then, without waiting for its pods. Otherwise
        as async_scale(). */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_suspend(job_reference job, kube::call_options options = {}, Token&& token = Token()) {
        return start<job_signature, &training_client::suspend_>(std::forward<Token>(token), std::move(job), true,
                                                                std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_suspend(job_reference job, Token&& token) {
        return async_suspend(std::move(job), kube::call_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> suspend(job_reference const& job, kube::call_options options = {});
    /** Lets a suspended job go on: its pods are created again. Otherwise as async_suspend().

        Operators of `kubeflow.org/v1` would count pods of the run before that still end for failed or succeeded members of the resumed
        job, and end it. Of these kinds it is therefore waited, within `timeout`, until the pods of the job are gone, for which `list` and
        `watch` of pods are needed: who may not do so resumes without.
        @par Errors `errc::timeout` while there are pods, with a message that names them; the job stays suspended
        @par Upstream training-operator v1.9.0 `pkg/core/status.go` */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_resume(job_reference job, kube::call_options options = {}, Token&& token = Token()) {
        return start<job_signature, &training_client::suspend_>(std::forward<Token>(token), std::move(job), false,
                                                                std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_resume(job_reference job, Token&& token) {
        return async_resume(std::move(job), kube::call_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> resume(job_reference const& job, kube::call_options options = {});

    /** Deletes the job; the objects that it owns follow.
        @par Handler signature `void(error_code)`
        @par Errors `reason::not_found`; with job_remove_options::wait `errc::timeout` if it is still there, with a message that names its finalizers */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_remove(job_reference job, job_remove_options options = {}, Token&& token = Token()) {
        return start<void(error_code), &training_client::remove_>(std::forward<Token>(token), std::move(job),
                                                                  std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_remove(job_reference job, Token&& token) {
        return async_remove(std::move(job), job_remove_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<void> remove(job_reference const& job, job_remove_options options = {});

private:
    using job_signature = void(error_code, any_job);
    template <class T> using handler_of = kube::any_handler<void(error_code, T)>;
    using job_handler = handler_of<any_job>;
    using plain_handler = kube::any_handler<void(error_code)>;

    template <class Signature, auto Operation, class Token, class... Args> auto start(Token&& token, Args... args) {
        return kube::detail::initiate<Signature>(
            get_executor(), std::forward<Token>(token),
            [c = *this](kube::any_handler<Signature> h, auto... rest) {
                (c.*Operation)(std::move(h), std::move(rest)...);
            },
            std::move(args)...);
    }

    void submit_(job_handler, any_job, submit_options) const;
    void get_(job_handler, job_reference, kube::call_options) const;
    void list_(handler_of<job_page>, job_list_options) const;
    void wait_(job_handler, job_reference, job_condition, kube::wait_options) const;
    void logs_(plain_handler, job_reference, std::function<void(log_line const&)>, job_log_options) const;
    void events_(handler_of<job_event_list>, job_reference, job_event_options) const;
    void explain_(handler_of<explanation>, job_reference, explain_options) const;
    void plan_(handler_of<update_plan>, any_job, kube::call_options) const;
    void preflight_(handler_of<preflight_report>, any_job, preflight_options) const;
    void scale_(job_handler, job_reference, std::string role, std::int32_t members, kube::call_options) const;
    void suspend_(job_handler, job_reference, bool on, kube::call_options) const;
    void remove_(plain_handler, job_reference, job_remove_options) const;
    static std::shared_ptr<job_board> make_board(kube::client const& client);
    any_job placed(any_job job) const;
    job_reference placed(job_reference job) const;

    kube::client client_;
    std::string namespace_;
    std::shared_ptr<job_board> board_;
};

} // namespace kftrain

#endif
