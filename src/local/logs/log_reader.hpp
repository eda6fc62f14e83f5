#ifndef KFTRAIN_SRC_LOCAL_LOGS_LOG_READER_HPP
#define KFTRAIN_SRC_LOCAL_LOGS_LOG_READER_HPP

#include <kftrain/base/error.hpp>

#include "local/sandbox/system.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace kftrain::local {

/// Places of the first bytes of the files in which the output of a container's run is kept, oldest first.
std::vector<std::uint64_t> log_file_places(std::filesystem::path const& folder);
/// Opens the one that begins there.
sandbox::unique_fd open_log_file(std::filesystem::path const& folder, std::uint64_t place);
/// Behind the last byte that is there now; 0 when there is none.
std::uint64_t end_of_log(std::filesystem::path const& folder);

/** Reads the files of a container_log in order, also while output is appended. Each call does a bounded amount of
    work. */
class log_reader {
public:
    /// Starts at the oldest byte that is kept.
    explicit log_reader(std::filesystem::path folder);

    std::uint64_t place() const noexcept { return place_; }
    void seek(std::uint64_t place);
    /// Place of the first byte of the file from which the last piece came.
    std::uint64_t file_place() const noexcept { return file_place_; }

    /** Reads the next bytes into `piece`, at most its size; it becomes empty at the present end.
        @par Errors `errc::incomplete` when what follows is gone: removed in favour of newer files, or never kept. */
    error_code read(std::string& piece);

private:
    error_code read_some(std::string& piece);

    std::filesystem::path folder_;
    sandbox::unique_fd file_;
    std::uint64_t file_place_ = 0;
    std::uint64_t place_ = 0;
};

/** Finds the start of the last lines of a log, searching backwards from its end in steps of bounded work. A newline at
    the very end does not begin a further line. */
class log_tail {
public:
    log_tail(std::filesystem::path folder, std::int64_t lines);

    /// True when the place is known.
    bool step();
    std::uint64_t place() const noexcept { return place_; }

private:
    bool open_before();
    bool found() noexcept;

    std::filesystem::path folder_;
    std::int64_t lines_;
    std::uint64_t end_;
    std::uint64_t place_; ///< what lies behind was looked at
    sandbox::unique_fd file_;
    std::uint64_t file_place_ = 0;
    std::string block_;
};

} // namespace kftrain::local

#endif
