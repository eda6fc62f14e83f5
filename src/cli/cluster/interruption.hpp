#ifndef KFTRAIN_SRC_CLI_CLUSTER_INTERRUPTION_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_INTERRUPTION_HPP

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <memory>

namespace kftrain::cli {

/// Ends what follows a cluster without end: when the user asks for it by Ctrl-C or SIGTERM, or when nobody reads any more.
/// A second Ctrl-C ends the command at once.
class interruption {
public:
    explicit interruption(boost::asio::io_context& context);
    interruption(interruption const&) = delete;
    interruption& operator=(interruption const&) = delete;
    ~interruption() = default;

    /// Of the one operation that is ended.
    boost::asio::cancellation_slot slot() noexcept { return end_->slot(); }
    /// Ends it, not from inside this call.
    void end();
    /// Whether the user asked for it.
    bool is_asked() const noexcept { return asked_; }
    /// Whether it is to end for any reason.
    bool is_ending() const noexcept { return ending_; }

private:
    boost::asio::io_context& context_;
    boost::asio::signal_set signals_;
    /// Shared with what was posted.
    std::shared_ptr<boost::asio::cancellation_signal> end_ = std::make_shared<boost::asio::cancellation_signal>();
    bool asked_ = false;
    bool ending_ = false;
};

} // namespace kftrain::cli

#endif
