#ifndef KFTRAIN_SRC_CLI_CLUSTER_INTERRUPTION_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_INTERRUPTION_HPP

#include "cli/cluster/patient_output.hpp"

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <csignal>

#include <chrono>
#include <memory>
#include <optional>

namespace kftrain::cli {

/** Ends what follows a cluster without end: when the user asks for it by Ctrl-C or SIGTERM, or when nobody reads any more. A reader who
    has stopped reading holds it up no longer than until then, or until the timeout. A second Ctrl-C ends the command at once.
    One at a time. */
class interruption {
public:
    explicit interruption(boost::asio::io_context& context, std::optional<std::chrono::milliseconds> timeout);
    interruption(interruption const&) = delete;
    interruption& operator=(interruption const&) = delete;
    ~interruption();

    /// Of the one operation that is ended.
    boost::asio::cancellation_slot slot() noexcept { return end_->slot(); }
    /// Ends it, not from inside this call.
    void end();
    /// Whether the user asked for it.
    bool is_asked() const noexcept;
    /// Whether it is to end for any reason.
    bool is_ending() const noexcept { return ending_ || is_asked(); }

private:
    boost::asio::io_context& context_;
    /// Readable from the first signal on; nobody reads from it, so that everybody sees it.
    boost::asio::posix::stream_descriptor asked_;
    struct sigaction interrupt_before_{};
    struct sigaction terminate_before_{};
    patient_streams streams_;
    /// Shared with what was posted.
    std::shared_ptr<boost::asio::cancellation_signal> end_ = std::make_shared<boost::asio::cancellation_signal>();
    bool ending_ = false;
};

} // namespace kftrain::cli

#endif
