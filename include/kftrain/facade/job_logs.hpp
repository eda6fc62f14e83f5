#ifndef KFTRAIN_FACADE_JOB_LOGS_HPP
#define KFTRAIN_FACADE_JOB_LOGS_HPP

#include <kftrain/job/membership.hpp>
#include <kftrain/kube/initiate.hpp>
#include <kftrain/kube/next_options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain {

/// One line of a member's output.
struct log_line {
    log_line() = default;

    kftrain::member member; ///< with the name of its pod
    std::string container;
    std::int32_t run = 0; ///< of the container within its pod: 0, and one more after each restart
    std::string time;     ///< RFC 3339, as the node wrote it; empty unless asked for
    std::string text;     ///< without its newline

    /// A compact JSON object, as job_state::to_json().
    std::string to_json() const;
};

/** Behind which line of each container a log was left, so that another job_log_stream goes on there, also of another process.
    Bounded: one entry for each container that wrote, of the pods of one job that are there. As text it is one line of JSON.

    Lines are found again by their times, as servers tell them, and their number within one time; what bears no times, by its
    number within the run. */
struct log_position {
    log_position() = default;

    /// Reads what to_string() wrote. @par Errors `errc::type_mismatch` with field, value and what was expected; those of decode_json()
    static result<log_position> parse(std::string_view text);
    std::string to_string() const;

    struct place {
        place() = default;

        std::int32_t run = 0;  ///< of the container
        std::string time;      ///< the latest of a line that was handed out; empty where lines bear none
        std::int64_t same = 0; ///< so many lines of just this time were handed out, or of the run; at least 1
        friend bool operator==(place const&, place const&) = default;
    };
    std::map<std::string, place, std::less<>> places; ///< by `UID-OF-POD/CONTAINER`

    friend bool operator==(log_position const&, log_position const&) = default;
};

/// Which output of a job is followed, and how.
struct job_log_options {
    job_log_options() = default;

    std::chrono::milliseconds timeout{0}; ///< for all of it; 0: no limit
    /// Of training_client::async_logs(): written before completion; must live until then. A stream tells by kube::next_options.
    diagnostics* detail = nullptr;

    std::vector<std::string> roles;  ///< of these alone; empty: all
    std::vector<std::int32_t> ranks; ///< of these alone; empty: all
    /** Of these names alone, init containers among them; empty: all but init containers. Pods that lack them are passed over. Each must be in
        the template of a wanted role, as the operator completes it, or in a pod that is there when the call begins. */
    std::vector<std::string> containers;
    bool follow = true; ///< until the job is finished; else what there is now, of all runs that can be had
    /// Of the run before the latest of each container, and not followed; while it waits to be started again, of the one that ended last.
    bool previous = false;
    bool timestamps = false; ///< fill log_line::time
    /// The last lines of the latest run of each container that is there when the call begins; at least 0. What begins later is whole.
    std::optional<std::int64_t> tail;
    /// What is not older, of containers that are there when the call begins; at least 1 s. By the clocks of their nodes.
    std::optional<std::chrono::seconds> since;
    log_position from; ///< goes on behind this; not together with tail, since and previous
    /** Lines that are kept for a reader that is slow, of all members together; at least 1. Then logs are read no further, and
        servers keep them as long as their limits allow. Beside these each open log holds one line, of a mebibyte at most, and one piece of its
        connection. Each log in turn adds a line. */
    std::size_t buffered_lines = 4096;
    /// The same in bytes; one line goes in any case.
    std::size_t buffered_bytes = std::size_t(4) * 1024 * 1024;
    /** Logs that are open at the same time; 0: no limit. The others wait for their turn, in their order. The log of a container
        that runs keeps its turn until it ends, or for 2 s while others wait: then it is closed, and gone on with when it has
        its turn again. With n members and this limit m a line comes up to 2 s * n / m late, and each turn costs two requests. */
    std::size_t open_logs = 0;

    job_log_options& with_timeout(std::chrono::milliseconds t) { return timeout = t, *this; }
    job_log_options& with_detail(diagnostics& d) { return detail = &d, *this; }
    job_log_options& with_role(std::string name);
    job_log_options& with_rank(std::int32_t rank);
    job_log_options& with_container(std::string name);
    job_log_options& with_follow(bool on) { return follow = on, *this; }
    job_log_options& with_previous(bool on = true) { return previous = on, *this; }
    job_log_options& with_timestamps(bool on = true) { return timestamps = on, *this; }
    job_log_options& with_tail(std::int64_t lines) { return tail = lines, *this; }
    job_log_options& with_since(std::chrono::seconds age) { return since = age, *this; }
    job_log_options& with_from(log_position p);
    job_log_options& with_buffer(std::size_t lines, std::size_t bytes) {
        buffered_lines = lines, buffered_bytes = bytes;
        return *this;
    }
    job_log_options& with_open_logs(std::size_t most) { return open_logs = most, *this; }
};

/** The output of a job, line by line, pulled: while nobody asks, no more is read than job_log_options::buffered_lines allows. Reading begins when
    it is opened.

    Handed out is, unless the options say less, every line once which a container of a replica wrote:
    of each pod that was there when the call began or came later, be it a replacement of the same name or of a replica
    that scaling added; of each run of a container. Left out are init containers, what the cluster no longer kept when
    the call began, such as lines that a node had rotated away, and what containers write that by their status still run
    a second after the job was finished: they are not waited for.

    A log that breaks off is read again; delivery goes on behind the last line if it is still there. What
    cannot be had is no success: a pod deleted before its log was read, a run of a container that was followed by more
    than one other, a log that was rotated away while it was read, that is refused, or whose node does not answer, pods
    that were gone already when a finished job is asked about. The job is followed to its end all the same.

    Pods are followed by one watch for all members, which copies of this share with watch() and async_wait(), and known by the labels
    that operators give them.

    Servers are asked for the time of each line, some 31 bytes more, whether it is wanted or not: position() stands on it, and
    a connection that broke is gone on with from there and not from the beginning of the log.
    @par Errors of async_next(): `errc::incomplete` when lines may be missing, with a message that names pod and
    container and says what is missing; `errc::deleted` when the job goes away, `errc::timeout`; `errc::invalid_job` when the server
    keeps a job that breaks the rules of its kind, of which no operator makes pods; `errc::invalid_argument` for options that exclude each other or name what the job lacks;
    `reason::forbidden` for who may not list and watch pods.
    @par Object lifetimes Destroying it, at any moment, ends a pending async_next() with `operation_aborted` and closes its connections.
    @par Thread safety Unsafe; use it on the executor of the client. */
class job_log_stream {
public:
    /// No log: can be assigned to, and nothing else.
    job_log_stream() = default;
    job_log_stream(job_log_stream&&) noexcept = default;
    job_log_stream& operator=(job_log_stream&& other) noexcept;
    ~job_log_stream();

    /** Waits for the next line. One at a time: another is refused with `errc::already_running`.
        @par Handler signature `void(error_code, log_line)`
        @par Errors `asio::error::eof` when the job is finished and every line was handed out, or, without `follow`, what there was;
        else as training_client::open_logs(), behind the lines that were read by then, and again with every further call. `errc::timeout` of
        `options` alone ends nothing. `errc::invalid_argument` for roles, ranks and containers that the job does not have says
        which there are, as soon as the job and the pods that are there were read.
        @par Cancellation total: the line is kept for the next call */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_next(kube::next_options options = {}, Token&& token = Token()) {
        return kube::detail::initiate<void(error_code, log_line)>(
            executor_, std::forward<Token>(token),
            [s = state_](kube::any_handler<void(error_code, log_line)> h, kube::next_options o) {
                start_next(s, std::move(h), o);
            },
            options);
    }
    template <kube::detail::completion_token Token> auto async_next(Token&& token) {
        return async_next(kube::next_options(), std::forward<Token>(token));
    }
    /// Runs the io_context of the client until there is one.
    [[nodiscard]] result<log_line> next(kube::next_options options = {});

    /** Behind the line that was handed out last, for job_log_options::from. Costs a copy of all places. A last line that lacks its end, since
        its container still writes it, does not count: it is handed out again, whole. Places of pods that are gone are dropped. */
    log_position position() const;

    struct state;
    /// As training_client::open_logs() makes it.
    job_log_stream(boost::asio::any_io_executor executor, std::shared_ptr<state> s)
        : executor_(std::move(executor)), state_(std::move(s)) {}

private:
    static void start_next(std::shared_ptr<state> const& s, kube::any_handler<void(error_code, log_line)> handler,
                           kube::next_options options);
    void close() noexcept;

    boost::asio::any_io_executor executor_;
    std::shared_ptr<state> state_;
};

} // namespace kftrain

#endif
