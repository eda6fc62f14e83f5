#ifndef KFTRAIN_SRC_FACADE_EXPLAIN_COLLECT_EVIDENCE_HPP
#define KFTRAIN_SRC_FACADE_EXPLAIN_COLLECT_EVIDENCE_HPP

#include "facade/explain/findings.hpp"

#include <kftrain/facade/job_reference.hpp>
#include <kftrain/kube/client.hpp>

#include <boost/asio/awaitable.hpp>

namespace kftrain::explaining {

/// A log whose end is worth reading.
struct wanted_log {
    wanted_log() = default;

    std::string pod;
    std::string container;
    bool previous = false;           ///< of the run before the latest
    std::size_t lines = 0;           ///< of its end that are kept
    std::optional<std::size_t> read; ///< of its end that are read to find the line that matters; absent: all
};

/// The logs to read: of the containers that ended first; if none did, of some that run. Pure.
std::vector<wanted_log> logs_to_read(findings const& f, explain_options const& options);

/// The truncated lines of a log that was requested with timestamps, and the time of the last one.
log_tail tail_of(wanted_log const& wanted, std::string_view text);

/// Reads a job and its objects; what cannot be read becomes a line of job_evidence::missing. Fails if the job cannot be
/// read.
boost::asio::awaitable<job_evidence> collect_evidence(kube::client client, job_reference job, explain_options options);

} // namespace kftrain::explaining

#endif
