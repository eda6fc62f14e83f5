#ifndef KFTRAIN_SRC_LOCAL_LOGS_LOG_TIMES_HPP
#define KFTRAIN_SRC_LOCAL_LOGS_LOG_TIMES_HPP

#include "local/sandbox/containers/log_file_name.hpp"
#include "local/sandbox/system.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kftrain::local {

/** The times at which the bytes of a log were written, from its container_log. */
class log_times {
public:
    explicit log_times(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Later queries are for the file whose first byte has this place, and for bytes that are written already.
    void begin(std::uint64_t file_place);
    /// The time of the byte at a place, in nanoseconds since 1970; nothing if it was not recorded. Places must not
    /// decrease from call to call.
    std::optional<std::int64_t> at(std::uint64_t place);

private:
    bool read_more();

    std::filesystem::path folder_;
    sandbox::unique_fd file_;
    std::optional<std::uint64_t> file_place_;
    std::vector<sandbox::log_time> records_; ///< some that follow
    std::size_t next_ = 0;                   ///< of these
    std::uint64_t read_ = 0;                 ///< bytes of the file
    bool all_read_ = false;                  ///< of what was there when begin() was called
    std::optional<std::int64_t> time_;
};

/// Place of the file, of those that are kept, from which on there may be lines of this time or later.
std::uint64_t place_of_time(std::filesystem::path const& folder, std::int64_t nanoseconds);

/** Chooses lines of a log by their times, and writes the times in front of them. */
class line_stamper {
public:
    /// `since`: lines of earlier times are left out.
    line_stamper(std::filesystem::path folder, bool stamps, std::optional<std::int64_t> since)
        : times_(std::move(folder)), stamps_(stamps), since_(since) {}

    /// `piece` begins at `place`, within the file that begins at `file_place`, and follows the previous piece. The
    /// result may be empty.
    std::string take(std::string const& piece, std::uint64_t place, std::uint64_t file_place);

private:
    log_times times_;
    bool stamps_;
    std::optional<std::int64_t> since_;
    bool begins_ = true; ///< a line, with the next byte
    bool wanted_ = true; ///< the line within which the piece ended
};

} // namespace kftrain::local

#endif
