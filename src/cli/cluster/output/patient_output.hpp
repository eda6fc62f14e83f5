#ifndef KFTRAIN_SRC_CLI_CLUSTER_OUTPUT_PATIENT_OUTPUT_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_OUTPUT_PATIENT_OUTPUT_HPP

#include <chrono>
#include <cstdint>
#include <optional>
#include <ostream>
#include <streambuf>
#include <string>

namespace kftrain::cli {

/** Replaces the buffer of a stream. Waits for a slow reader until the deadline or an interruption; then the stream
    becomes bad. */
class patient_output : public std::streambuf {
public:
    using deadline = std::optional<std::chrono::steady_clock::time_point>;
    enum class ending : std::uint8_t { none, failed, late, interrupted };

    /// `interruption` is a descriptor that becomes readable when the command must end, or -1.
    patient_output(std::ostream& stream, int output, int interruption, deadline end)
        : stream_(stream), before_(stream.rdbuf(this)), output_(output), interruption_(interruption), end_(end) {}
    patient_output(patient_output const&) = delete;
    patient_output& operator=(patient_output const&) = delete;
    /// Discards output that was not flushed.
    ~patient_output() override { stream_.rdbuf(before_); }

    /// Why the stream is bad.
    ending why() const noexcept { return why_; }

protected:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(char const* text, std::streamsize length) override;
    int sync() override { return write() ? 0 : -1; }

private:
    bool write();
    bool waits_for_room();
    bool give_up(ending why);

    std::ostream& stream_;
    std::streambuf* before_;
    int output_;
    int interruption_;
    deadline end_;
    std::string pending_;
    ending why_ = ending::none;
};

/// Both standard streams.
struct patient_streams {
    explicit patient_streams(patient_output::deadline end, int interruption = -1);

    patient_output out, err;
};

} // namespace kftrain::cli

#endif
