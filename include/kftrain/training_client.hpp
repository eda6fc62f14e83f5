#ifndef KFTRAIN_TRAINING_CLIENT_HPP
#define KFTRAIN_TRAINING_CLIENT_HPP

#include <kftrain/job/any_job.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/kube/client.hpp>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace kftrain {

/** Reads a job of any known kind from a YAML or JSON file.
    @par Errors the system's when the file cannot be read; those of parse_job(). The message names the file. */
result<any_job> load_job(std::filesystem::path const& file);

/// One line of a replica's output.
struct log_line {
    log_line() = default;

    kftrain::replica replica;
    std::string container;
    std::string text; ///< without its newline
};

/// How long to wait for a job.
struct job_wait_options {
    job_wait_options() = default;

    std::chrono::milliseconds timeout{0}; ///< 0: no limit

    job_wait_options& with_timeout(std::chrono::milliseconds t) { return timeout = t, *this; }
};

/** What most programs need of a cluster: submit a job, wait for it, read its output, delete it. Works for every kind.

    Each operation has an asynchronous form that takes any completion token, and a blocking form that runs the
    io_context of the client on the calling thread until the answer is there (see kube::run_until()).
    A handle: copies share the connection. Operations keep what they need.
    @par Errors those of kube::client::async_call(). A `diagnostics*` that is given is written before completion and must
    live until then.
    @par Thread safety As the transport's.
    @par Example examples/1_tutorial/01_submit_and_wait.cpp */
class training_client {
public:
    /// `default_namespace` is for jobs that name none.
    explicit training_client(kube::client client, std::string default_namespace = "default")
        : client_(std::move(client)), namespace_(std::move(default_namespace)) {}

    boost::asio::any_io_executor get_executor() const noexcept { return client_.get_executor(); }
    kube::client const& get_client() const noexcept { return client_; }

    /** Checks the job, then creates it; completes with what the server stored.
        @par Handler signature `void(error_code, any_job)`
        @par Errors `errc::invalid_job` with every violated rule; `reason::already_exists`. */
    template <class Token>
    auto async_submit(any_job job, diagnostics* detail, Token&& token) {
        return start<void(error_code, any_job)>(
            [](training_client const& c, auto h, any_job j, diagnostics* d) { c.submit(std::move(h), std::move(j), d); },
            std::forward<Token>(token), std::move(job), detail);
    }
    [[nodiscard]] result<any_job> submit(any_job job);

    /** Reads the job of the same kind, namespace and name.
        @par Handler signature `void(error_code, any_job)` */
    template <class Token>
    auto async_get(any_job const& job, diagnostics* detail, Token&& token) {
        return start<void(error_code, any_job)>(
            [](training_client const& c, auto h, any_job j, diagnostics* d) { c.get(std::move(h), std::move(j), d); },
            std::forward<Token>(token), job, detail);
    }
    [[nodiscard]] result<any_job> get(any_job const& job);

    /** Waits until the job has succeeded or failed, without polling; both are no errors here: ask phase().
        @par Handler signature `void(error_code, any_job)`
        @par Errors `errc::deleted`, `errc::timeout`
        @par Cancellation total */
    template <class Token>
    auto async_wait(any_job const& job, job_wait_options options, diagnostics* detail, Token&& token) {
        return start<void(error_code, any_job)>(
            [](training_client const& c, auto h, any_job j, job_wait_options o, diagnostics* d) {
                c.wait(std::move(h), std::move(j), o, d);
            },
            std::forward<Token>(token), job, options, detail);
    }
    [[nodiscard]] result<any_job> wait(any_job const& job, job_wait_options options = job_wait_options());

    /** Follows the output of all replicas in one stream until the job is finished and what it wrote was delivered.
        Lines of one replica keep their order. `sink` is called on the executor.
        @par Handler signature `void(error_code)`
        @par Errors `errc::deleted` when the job goes away.
        @par Cancellation total */
    template <class Token>
    auto async_logs(any_job const& job, std::function<void(log_line const&)> sink, Token&& token) {
        return start<void(error_code)>(
            [](training_client const& c, auto h, any_job j, std::function<void(log_line const&)> s) {
                c.logs(std::move(h), std::move(j), std::move(s));
            },
            std::forward<Token>(token), job, std::move(sink));
    }
    result<void> logs(any_job const& job, std::function<void(log_line const&)> sink);

    /** Deletes the job; the objects that it owns follow.
        @par Handler signature `void(error_code)`
        @par Errors `reason::not_found` */
    template <class Token>
    auto async_remove(any_job const& job, diagnostics* detail, Token&& token) {
        return start<void(error_code)>(
            [](training_client const& c, auto h, any_job j, diagnostics* d) { c.remove(std::move(h), std::move(j), d); },
            std::forward<Token>(token), job, detail);
    }
    result<void> remove(any_job const& job);

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

    void submit(job_handler, any_job, diagnostics*) const;
    void get(job_handler, any_job, diagnostics*) const;
    void wait(job_handler, any_job, job_wait_options, diagnostics*) const;
    void logs(plain_handler, any_job, std::function<void(log_line const&)>) const;
    void remove(plain_handler, any_job, diagnostics*) const;
    any_job placed(any_job job) const;

    kube::client client_;
    std::string namespace_;
};

} // namespace kftrain

#endif
