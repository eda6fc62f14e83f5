#ifndef KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_INTERRUPTION_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_INTERRUPTION_HPP

#include "cli/cluster/output/patient_output.hpp"

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <csignal>

#include <chrono>
#include <memory>
#include <optional>

namespace kftrain::cli {

/** Ends an operation that follows a cluster: on Ctrl-C or SIGTERM, or when the reader closes the output. A reader that
    has stopped reading does not delay the end beyond the signal or the deadline. A second Ctrl-C ends the command at
    once. Only one object of this class may exist at a time. */
class interruption {
public:
    interruption(boost::asio::io_context& context, patient_output::deadline until);
    interruption(interruption const&) = delete;
    interruption& operator=(interruption const&) = delete;
    ~interruption();

    /// The slot of the operation that is ended.
    boost::asio::cancellation_slot slot() noexcept { return end_->slot(); }
    /// Ends the operation after this call has returned.
    void end();
    /// Whether a signal arrived.
    bool is_requested() const noexcept;
    /// Whether the operation is ending, for any reason.
    bool is_ending() const noexcept { return ending_ || is_requested(); }

private:
    boost::asio::io_context& context_;
    /// Readable from the first signal on. Nothing reads from it, so that it stays readable for every poll.
    boost::asio::posix::stream_descriptor signal_pipe_;
    struct sigaction interrupt_before_{};
    struct sigaction terminate_before_{};
    patient_streams streams_;
    /// Shared with the posted handler.
    std::shared_ptr<boost::asio::cancellation_signal> end_ = std::make_shared<boost::asio::cancellation_signal>();
    bool ending_ = false;
};

} // namespace kftrain::cli

#endif
