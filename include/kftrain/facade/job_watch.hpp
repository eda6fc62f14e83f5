#ifndef KFTRAIN_FACADE_JOB_WATCH_HPP
#define KFTRAIN_FACADE_JOB_WATCH_HPP

#include <kftrain/facade/job_state.hpp>
#include <kftrain/kube/initiate.hpp>
#include <kftrain/kube/next_options.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kftrain {

struct job_board; // private

/// Which jobs a job_watch tells of.
struct job_watch_options {
    job_watch_options() = default;

    /// Empty: that of the client. `all_namespaces` for all.
    std::string namespace_;
    bool all_namespaces = false;
    std::vector<rules::job_rules const*> kinds; ///< empty: all kinds that the server serves
    std::string label_selector;                 ///< of the jobs
    std::string name;                           ///< the only one of this name; empty: all
    std::string uid;                            ///< with a name: this one alone
    bool pods = true; ///< follow pods, too; else states have no ranks, and only what the job's status says

    job_watch_options& with_namespace(std::string ns) { return namespace_ = std::move(ns), *this; }
    job_watch_options& with_all_namespaces(bool on = true) { return all_namespaces = on, *this; }
    template <training_job K> job_watch_options& with_kind() { return with_kind(job_rules_for<K>()); }
    job_watch_options& with_kind(rules::job_rules const& kind);
    job_watch_options& with_label_selector(std::string s) { return label_selector = std::move(s), *this; }
    /// This job alone.
    job_watch_options& with_job(job_reference const& job);
    job_watch_options& with_pods(bool on) { return pods = on, *this; }
};

/// What became of a job.
enum class job_change_kind : std::uint8_t { added, changed, deleted };

/// What a job_watch tells: the state of a job that came, changed or went.
struct job_change {
    job_change() = default;

    job_change_kind kind = job_change_kind::added;
    job_state state;      ///< after it; of a job that went the last one known
    bool initial = false; ///< of a job that was there when the watch began

    /// As job_state::to_json(), with `change`: `added`, `changed` or `deleted`.
    std::string to_json() const;
};

/** Tells of jobs whose state changes, one change after the other. All watches and waits of the copies of one training_client share an
    informer for each kind and one for pods of each kind, however many jobs are followed; these go when the last one goes.

    A change is told when the state differs from the one told last. Of a job that changes while nobody asks only the latest state is kept, so
    that memory is bounded by the number of jobs: phases in between may be left out, an end never is, nor a deletion. Watches that break, expired
    versions and servers that restart are repaired inside, as informer<K> says; kinds that the server does not serve are looked for
    again once a minute. Of jobs that came and went again while nobody asked the latest 10,000 are told. A job whose labels are changed so that
    the selector does not match any more is told as deleted.
    @par Object lifetimes Destroying it, at any moment, ends a pending async_next() with `operation_aborted`. It keeps what it needs of
    the client.
    @par Thread safety Unsafe; use it on the executor of the client. */
class job_watch {
public:
    /// No watch: can be assigned to, and nothing else.
    job_watch() = default;
    job_watch(job_watch&&) noexcept = default;
    job_watch& operator=(job_watch&& other) noexcept;
    ~job_watch();

    /** Waits for the next change: first the jobs that are there, as `added`. One at a time: another is refused with `errc::already_running`.
        @par Handler signature `void(error_code, job_change)`
        @par Errors `errc::timeout`, after which it goes on; `reason::forbidden` and `unauthorized`, told once by the kind that
        `detail` names, after which it goes on with the others, or, where the pods of the kind may not be watched, without these; of a kind
        that was seen before it is tried again;
        `errc::invalid_argument` for a selector that nobody understands; `errc::ended` when no kind is left that may be watched;
        `errc::helper_failed` when a local cluster in this process broke
        @par Cancellation total: the change is kept for the next call */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_next(kube::next_options options = {}, Token&& token = Token()) {
        return kube::detail::initiate<void(error_code, job_change)>(
            executor_, std::forward<Token>(token),
            [s = state_](kube::any_handler<void(error_code, job_change)> h, kube::next_options o) {
                start_next(s, std::move(h), o);
            },
            options);
    }
    template <kube::detail::completion_token Token> auto async_next(Token&& token) {
        return async_next(kube::next_options(), std::forward<Token>(token));
    }
    /// Runs the io_context of the client until there is one.
    [[nodiscard]] result<job_change> next(kube::next_options options = {});

    /// Calls `take` on the executor with every change from now on, instead of async_next(), which is `errc::already_running` then. What it throws
    /// is logged and dropped, and errors that async_next() would tell are logged. It may destroy the watch.
    void on_change(std::function<void(job_change const&)> take);

    /// Whether all that was there when the watch began has been told.
    bool has_synced() const noexcept;

    struct state;
    /// As training_client::watch() makes it.
    job_watch(boost::asio::any_io_executor executor, std::shared_ptr<state> s)
        : executor_(std::move(executor)), state_(std::move(s)) {}

private:
    static void start_next(std::shared_ptr<state> const& s, kube::any_handler<void(error_code, job_change)> handler,
                           kube::next_options options);
    void close() noexcept;

    boost::asio::any_io_executor executor_;
    std::shared_ptr<state> state_;
};

} // namespace kftrain

#endif
