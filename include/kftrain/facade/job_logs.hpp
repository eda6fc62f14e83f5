#ifndef KFTRAIN_FACADE_JOB_LOGS_HPP
#define KFTRAIN_FACADE_JOB_LOGS_HPP

#include <kftrain/job/membership.hpp>
#include <kftrain/kube/initiate.hpp>
#include <kftrain/kube/next_options.hpp>
#include <kftrain/kube/owned_state.hpp>

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

/// One line of the output of a member.
struct log_line {
    log_line() = default;

    kftrain::member member; ///< includes the name of its pod
    std::string container;
    std::int32_t run = 0; ///< number of the run of the container in its pod: 0 for the first, 1 more after each restart
    std::string time;     ///< RFC 3339, as the node wrote it; empty unless requested
    std::string text;     ///< without the newline

    /// Returns a compact JSON object in the format of job_state::to_json().
    std::string to_json() const;
};

/** The last delivered line of each container, from which another job_log_stream can resume, also in another process. It
    has one entry for each container that wrote output, in the existing pods of the job. The text form is one line of
    JSON.

    A line is identified by its timestamp and its number among the lines with this timestamp. A line without a timestamp
    is identified by its number in the run. */
struct log_position {
    log_position() = default;

    /// Parses the output of to_string(). @par Errors `errc::type_mismatch` with field, value and what was expected;
    /// those of decode_json()
    [[nodiscard]] static result<log_position> parse(std::string_view text);
    std::string to_string() const;

    struct entry {
        entry() = default;

        std::int32_t run = 0; ///< run of the container
        std::string time;     ///< the latest timestamp of a delivered line; empty if the lines have none
        std::int64_t delivered =
            0; ///< number of lines already delivered with this timestamp, or of the run; at least 1
        friend bool operator==(entry const&, entry const&) = default;
    };
    std::map<std::string, entry, std::less<>> entries; ///< by `UID-OF-POD/CONTAINER`

    friend bool operator==(log_position const&, log_position const&) = default;
};

/// Selects the output of a job to follow, and how.
struct job_log_options {
    job_log_options() = default;

    std::chrono::milliseconds timeout{0}; ///< for the whole operation; 0: no limit
    /// For training_client::async_logs(): filled before completion; must live until then. A stream uses
    /// kube::next_options instead.
    diagnostics* detail = nullptr;

    std::vector<std::string> roles;  ///< only these; empty: all
    std::vector<std::int32_t> ranks; ///< only these; empty: all
    /// Only replicas with these indices within their roles, as far as they exist; empty: all.
    std::vector<std::int32_t> indices;
    /** Only containers of these names, which may be init containers; empty: all except init containers. Pods without
        these containers are skipped. Each name must exist in the pod template of a selected role, including containers
        that the operator adds, or in a pod that exists when the call begins. */
    std::vector<std::string> containers;
    /// If true, follow the output until the job is finished. If false, read only the lines that are available now, of
    /// all runs that the cluster keeps.
    bool follow = true;
    /// Read the previous run of each container, and do not follow. While a container waits for a restart, its previous
    /// run is the one that ended last.
    bool previous = false;
    bool timestamps = false; ///< fill log_line::time
    /// Only this number of last lines, of the latest run of each container that exists when the call begins; at least
    /// 0. Later runs are delivered completely.
    std::optional<std::int64_t> tail;
    /// Only lines that are not older than this, of containers that exist when the call begins; at least 1 s. The age is
    /// measured with the clocks of the nodes.
    std::optional<std::chrono::seconds> since;
    log_position resume_after; ///< resume after this position; cannot be combined with tail, since and previous
    /** Maximum number of lines that the stream buffers for a slow reader, of all replicas together; at least 1. When
        the buffer is full, the stream stops reading, and the nodes keep the logs within their own limits. In addition,
        each open log holds one line of at most 1 MiB and one piece of data of its connection. The logs add lines to the
        buffer in turn. */
    std::size_t buffered_lines = 4096;
    /// The same limit in bytes; one line is always accepted.
    std::size_t buffered_bytes = std::size_t(4) * 1024 * 1024;
    /** Maximum number of logs open at the same time; 0: no limit. The other logs wait for their turn. The log of a
        running container stays open until it ends or, while others wait, for 2 s; then the stream closes it and resumes
        it in its next turn. With n replicas and limit m, a line arrives up to 2 s * n / m late. Each turn costs two
        requests. */
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
    job_log_options& with_resume_after(log_position p);
    job_log_options& with_buffer(std::size_t lines, std::size_t bytes) {
        buffered_lines = lines, buffered_bytes = bytes;
        return *this;
    }
    job_log_options& with_open_logs(std::size_t most) { return open_logs = most, *this; }
};

/** The output of a job as a stream from which the caller pulls lines. Without a pending async_next(), the stream reads
    no more than job_log_options::buffered_lines allows. Reading begins when the stream is opened. If the job does not
    exist or the server cannot be reached, the stream waits.

    Unless the options select less, the stream delivers every line of every container of every replica exactly once.
    This includes all runs of a container, and pods that appear after the call began, such as a replacement with the
    same name or a replica added by scaling. The stream omits:
    - the output of init containers;
    - lines that the cluster no longer kept when the call began, such as lines that a node had rotated away;
    - the remaining output of containers that, by their status, still run one second after the job finished.

    After a broken connection, the stream reads the log again and continues after the last delivered line, if that line
    still exists. It retries an unavailable API server until it responds or the timeout expires. It retries an
    unavailable node while the run of the container may continue, and for one minute after the run.

    The stream reports lost output as an error, but still follows the job to its end. Output is lost:
    - if a pod is deleted before its log was read;
    - if a container is restarted more than once after a run whose log was not read;
    - if the node rotates the log away while it is read;
    - if the server rejects the request for the log, or the node does not respond;
    - if the job is already finished and its pods no longer exist.

    One watch follows the pods of all replicas. The stream shares it with the watches and waits of all copies of the
    client. Pods are identified by the labels that operators set.

    The stream always requests the timestamp of each line, which adds about 31 bytes: position() needs it, and after a
    broken connection the stream resumes there and not at the beginning of the log.
    @par Errors of async_next(): `errc::incomplete` if lines may be missing, with a message that names the pod, the
    container and the missing output; `errc::deleted` if the job is deleted; `errc::timeout`; `errc::invalid_job` if the
    stored job violates the rules of its kind, because no operator creates pods for it; `errc::invalid_argument` for
    options that cannot be combined, or for a role, rank or container that the job does not have; `reason::forbidden`
    without permission to list and watch pods.
    @par Object lifetimes Destroying the stream at any moment ends a pending async_next() with `operation_aborted` and
    closes the connections.
    @par Thread safety Unsafe; use it on the executor of the client. A stream of a client from
    kube::client::thread_safe() may be used and destroyed on any thread, by one thread at a time; but call position()
    on the executor. */
class job_log_stream {
public:
    /// An empty stream, which can only be assigned to.
    job_log_stream() = default;

    /** Waits for the next line. Only one call may be pending: a second one fails with `errc::already_running`.
        @par Handler signature `void(error_code, log_line)`
        @par Errors `asio::error::eof` when the job is finished and every line was delivered, or, without `follow`, all
        available lines; otherwise an error of the class, after the lines that were read before it, and again on every
        further call. `errc::timeout` of `options` does not end the stream. For an unknown role, rank or container, the
        call fails with `errc::invalid_argument` as soon as the job and its existing pods have been read; the message
        lists the existing ones.
        @par Cancellation total: the line is kept for the next call */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_next(kube::next_options options = {}, Token&& token = Token()) {
        return kube::detail::initiate<void(error_code, log_line)>(
            state_.place(), std::forward<Token>(token),
            [s = state_.share()](kube::any_handler<void(error_code, log_line)> h, kube::next_options o) {
                start_next(s, std::move(h), o);
            },
            options);
    }
    template <kube::detail::completion_token Token> auto async_next(Token&& token) {
        return async_next(kube::next_options(), std::forward<Token>(token));
    }
    /// Runs the io_context of the client until a line is available.
    [[nodiscard]] result<log_line> next(kube::next_options options = {});

    /** Returns the position after the last delivered line, for job_log_options::resume_after. Copies all entries. An
        incomplete last line, which its container is still writing, does not count: the next stream delivers it again
        as a whole. Entries of pods that no longer exist are dropped. */
    log_position position() const;

    struct state;
    /// Used by training_client::open_logs().
    explicit job_log_stream(kube::detail::owned_state<state> s) : state_(std::move(s)) {}

private:
    static void start_next(std::shared_ptr<state> const& s, kube::any_handler<void(error_code, log_line)> handler,
                           kube::next_options options);

    kube::detail::owned_state<state> state_;
};

} // namespace kftrain

#endif
