#ifndef KFTRAIN_TRAINING_CLIENT_HPP
#define KFTRAIN_TRAINING_CLIENT_HPP

#include <kftrain/job/any_job.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/kube/client.hpp>
#include <kftrain/kube/wait.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace kftrain {

/** Reads a job of any known kind from a YAML or JSON file of one document.
    @par Errors the system's when the file cannot be read; those of parse_job(). The message names the file. */
result<any_job> load_job(std::string const& file);

/** Reads the jobs of all documents and lists in a YAML or JSON file.
    @par Errors as for load_job(); see parse_jobs(). The message names the file. */
result<std::vector<any_job>> load_jobs(std::string const& file, decode_options const& options = {});

/// One line of a member's output.
struct log_line {
    log_line() = default;

    kftrain::member member; ///< with the name of its pod
    std::string container;
    std::string text; ///< without its newline
};

/// How the output of a job is followed.
struct job_log_options {
    job_log_options() = default;

    std::chrono::milliseconds timeout{0}; ///< for all of it; 0: no limit
    diagnostics* detail = nullptr;        ///< written before completion; must live until then

    job_log_options& with_timeout(std::chrono::milliseconds t) { return timeout = t, *this; }
    job_log_options& with_detail(diagnostics& d) { return detail = &d, *this; }
};

/// What a linker cannot find that was given `kftrain::kube` or another part where training_client needs the target
/// `kftrain::kftrain`: its message names both.
namespace training_client_needs_the_target {
void kftrain_kftrain() noexcept;
}

/** What most programs need of a cluster: submit a job, wait for it, read its output, delete it. Works for every kind.

    Each operation has an asynchronous form that takes any completion token, and a blocking form that runs the
    io_context of the client on the calling thread until the answer is there (see kube::run_until()).
    A handle: copies share the connection. Operations keep what they need.
    Deadlines and what is known about a failure go by the options of each call, which may be left out; without a completion
    token they can be awaited, see kube::default_token.
    @par Errors those of kube::client::async_call()
    @par Cancellation where nothing else is said, as kube::client::async_call()
    @par Thread safety As the transport's.
    @par Example examples/1_tutorial/01_submit_and_wait.cpp */
class training_client {
public:
    /// `default_namespace` is for jobs that name none.
    explicit training_client(kube::client client, std::string default_namespace = "default")
        : client_(std::move(client)), namespace_(std::move(default_namespace)) {
        training_client_needs_the_target::kftrain_kftrain();
    }

    boost::asio::any_io_executor get_executor() const noexcept { return client_.get_executor(); }
    kube::client const& get_client() const noexcept { return client_; }

    /** Checks the job, then creates it; completes with what the server stored.
        @par Handler signature `void(error_code, any_job)`
        @par Errors `errc::invalid_job` with every violated rule; `reason::already_exists`. */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_submit(any_job job, kube::call_options options = {}, Token&& token = Token()) {
        return start<void(error_code, any_job)>(
            [](training_client const& c, auto h, any_job j, kube::call_options o) {
                c.submit(std::move(h), std::move(j), std::move(o));
            },
            std::forward<Token>(token), std::move(job), std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_submit(any_job job, Token&& token) {
        return async_submit(std::move(job), kube::call_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> submit(any_job job, kube::call_options options = {});

    /** Reads the job of the same kind, namespace and name.
        @par Handler signature `void(error_code, any_job)`
        @par Errors `reason::not_found` */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_get(any_job const& job, kube::call_options options = {}, Token&& token = Token()) {
        return start<void(error_code, any_job)>(
            [](training_client const& c, auto h, any_job j, kube::call_options o) {
                c.get(std::move(h), std::move(j), std::move(o));
            },
            std::forward<Token>(token), job, std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_get(any_job const& job, Token&& token) {
        return async_get(job, kube::call_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> get(any_job const& job, kube::call_options options = {});

    /** Waits until the job has succeeded or failed, without polling; both are no errors here: ask phase().
        @par Handler signature `void(error_code, any_job)`
        @par Errors `errc::deleted`, `errc::timeout`; `errc::helper_failed` when a local cluster in this process broke
        @par Cancellation total */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_wait(any_job const& job, kube::wait_options options = {}, Token&& token = Token()) {
        return start<void(error_code, any_job)>(
            [](training_client const& c, auto h, any_job j, kube::wait_options o) {
                c.wait(std::move(h), std::move(j), std::move(o));
            },
            std::forward<Token>(token), job, std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_wait(any_job const& job, Token&& token) {
        return async_wait(job, kube::wait_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> wait(any_job const& job, kube::wait_options options = {});

    /** Follows the output of all replicas in one stream until the job is finished and what it wrote was delivered.
        Lines of one container keep their order. `sink` is called on the executor and must not throw.

        Success means that the job is finished and that every line was delivered once which a container of a replica wrote:
        of each pod that was there when the call began or came later, be it a replacement of the same name or of a replica
        that scaling added; of each run of a container. Left out are init containers, what the cluster no longer kept when
        the call began, such as lines that a node had rotated away, and what containers write that by their status still run
        a second after the job was finished: they are not waited for.

        A log that breaks off is read again; delivery goes on behind the last line if the log still begins as before. What
        cannot be had is no success: a pod deleted before its log was read, a run of a container that was followed by more
        than one other, a log that was rotated away while it was read, that is refused, or whose node does not answer, pods
        that were gone already when a finished job is asked about. The job is followed to its end all the same.
        @par Handler signature `void(error_code)`
        @par Errors `errc::incomplete` when lines may be missing, with a message that names pod and container and says what is
        missing; `errc::deleted` when the job goes away, `errc::timeout`; `errc::invalid_job` when the server keeps a job that
        breaks the rules of its kind, of which no operator makes pods.
        @par Cancellation total */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_logs(any_job const& job, std::function<void(log_line const&)> sink, job_log_options options = {},
                    Token&& token = Token()) {
        return start<void(error_code)>([](training_client const& c, auto h, any_job j,
                                          std::function<void(log_line const&)> s,
                                          job_log_options o) { c.logs(std::move(h), std::move(j), std::move(s), o); },
                                       std::forward<Token>(token), job, std::move(sink), options);
    }
    template <kube::detail::completion_token Token>
    auto async_logs(any_job const& job, std::function<void(log_line const&)> sink, Token&& token) {
        return async_logs(job, std::move(sink), job_log_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<void> logs(any_job const& job, std::function<void(log_line const&)> sink,
                                    job_log_options options = {});

    /** Changes how many members a role of the job has, as scaling() of the job allows; completes with the job as it is stored
        then. What that does to ranks, and when, scaling() tells.
        @par Handler signature `void(error_code, any_job)`
        @par Errors `errc::invalid_argument` for what the rules of the kind do not allow, with the reason; `reason::not_found`;
        `errc::deleted` if another job of the name is there; `reason::conflict` if others keep changing the job. */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_scale(any_job const& job, std::string role, std::int32_t members, kube::call_options options = {},
                     Token&& token = Token()) {
        return start<void(error_code, any_job)>(
            [](training_client const& c, auto h, any_job j, std::string r, std::int32_t n, kube::call_options o) {
                c.scale(std::move(h), std::move(j), std::move(r), n, std::move(o));
            },
            std::forward<Token>(token), job, std::move(role), members, std::move(options));
    }
    template <kube::detail::completion_token Token>
    auto async_scale(any_job const& job, std::string role, std::int32_t members, Token&& token) {
        return async_scale(job, std::move(role), members, kube::call_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> scale(any_job const& job, std::string role, std::int32_t members,
                                        kube::call_options options = {});

    /** Stops the job, whose pods go, until async_resume(); completes with the job as it is stored then, without waiting for its pods.
        @par Handler signature `void(error_code, any_job)`
        @par Errors as for async_scale() */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_suspend(any_job const& job, kube::call_options options = {}, Token&& token = Token()) {
        return start_suspending(job, true, std::move(options), std::forward<Token>(token));
    }
    template <kube::detail::completion_token Token> auto async_suspend(any_job const& job, Token&& token) {
        return async_suspend(job, kube::call_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> suspend(any_job const& job, kube::call_options options = {});
    /// Lets a suspended job go on: its pods are created again. Otherwise as async_suspend().
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_resume(any_job const& job, kube::call_options options = {}, Token&& token = Token()) {
        return start_suspending(job, false, std::move(options), std::forward<Token>(token));
    }
    template <kube::detail::completion_token Token> auto async_resume(any_job const& job, Token&& token) {
        return async_resume(job, kube::call_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<any_job> resume(any_job const& job, kube::call_options options = {});

    /** Deletes the job; the objects that it owns follow.
        @par Handler signature `void(error_code)`
        @par Errors `reason::not_found` */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_remove(any_job const& job, kube::call_options options = {}, Token&& token = Token()) {
        return start<void(error_code)>([](training_client const& c, auto h, any_job j,
                                          kube::call_options o) { c.remove(std::move(h), std::move(j), std::move(o)); },
                                       std::forward<Token>(token), job, std::move(options));
    }
    template <kube::detail::completion_token Token> auto async_remove(any_job const& job, Token&& token) {
        return async_remove(job, kube::call_options(), std::forward<Token>(token));
    }
    [[nodiscard]] result<void> remove(any_job const& job, kube::call_options options = {});

private:
    using job_handler = kube::any_handler<void(error_code, any_job)>;
    using plain_handler = kube::any_handler<void(error_code)>;

    template <class Signature, class Start, class Token, class... Args>
    auto start(Start operation, Token&& token, Args... args) {
        return kube::detail::initiate<Signature>(
            get_executor(), std::forward<Token>(token),
            [c = *this, operation](kube::any_handler<Signature> h, auto... rest) {
                operation(c, std::move(h), std::move(rest)...);
            },
            std::move(args)...);
    }

    template <class Token>
    auto start_suspending(any_job const& job, bool on, kube::call_options options, Token&& token) {
        return start<void(error_code, any_job)>(
            [on](training_client const& c, auto h, any_job j, kube::call_options o) {
                c.suspend(std::move(h), std::move(j), on, std::move(o));
            },
            std::forward<Token>(token), job, std::move(options));
    }

    void submit(job_handler, any_job, kube::call_options) const;
    void get(job_handler, any_job, kube::call_options) const;
    void wait(job_handler, any_job, kube::wait_options) const;
    void logs(plain_handler, any_job, std::function<void(log_line const&)>, job_log_options) const;
    void remove(plain_handler, any_job, kube::call_options) const;
    void scale(job_handler, any_job, std::string role, std::int32_t members, kube::call_options) const;
    void suspend(job_handler, any_job, bool on, kube::call_options) const;
    any_job placed(any_job job) const;

    kube::client client_;
    std::string namespace_;
};

} // namespace kftrain

#endif
