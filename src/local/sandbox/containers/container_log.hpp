#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_CONTAINERS_CONTAINER_LOG_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_CONTAINERS_CONTAINER_LOG_HPP

#include "local/sandbox/containers/log_file_name.hpp"
#include "local/sandbox/system.hpp"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace kftrain::local::sandbox {

/** Keeps the output of one run of a container in files of a folder, see log_file_name(). A container writes to a pipe,
    as under a container runtime: it could truncate a file, as by `echo >/dev/stderr` in a shell script, and the file
    would grow without end. When a file is full, the next one begins, if possible with a line, and the oldest files
    beyond the wanted number are removed. If the disk is full, output is dropped, and the name of the next file marks
    the gap.
    A second file next to each, which is no larger, keeps the times of the output. */
class container_log {
public:
    /// Throws `std::system_error` when the first file cannot be made.
    /// @param terminal whose output is kept, in place of that of a pipe; may be absent
    container_log(unique_fd folder, std::int64_t file_size, std::int64_t files, unique_fd terminal = {});

    /// Where the container writes; -1 for a terminal.
    int writer() const noexcept { return writer_.get(); }
    /// To be called once the container has it.
    void close_writer() noexcept { writer_.reset(); }
    /// Ready when there is output to keep; -1 after the last writer has closed.
    int reader() const noexcept { return reader_.get(); }

    /// Keeps a piece of what was written.
    void keep_some() noexcept;
    /// Keeps what is left when the container has ended.
    void finish() noexcept;

private:
    void keep(std::string_view text) noexcept;
    void put(std::string_view text) noexcept;
    void note_time() noexcept;
    bool begin_file() noexcept;
    void end_file() noexcept;
    void remove_oldest() noexcept;

    unique_fd folder_;
    unique_fd reader_;
    unique_fd writer_;
    bool has_terminal_;
    unique_fd file_;
    unique_fd times_;
    std::size_t file_size_;
    std::size_t files_;
    std::string buffer_;             ///< for a piece: at most so much is kept at a time
    std::size_t size_ = 0;           ///< of the file that is being written
    std::uint64_t end_ = 0;          ///< of all that was written
    std::deque<std::uint64_t> kept_; ///< places of the files, oldest first
    std::int64_t now_ = 0;           ///< nanoseconds since 1970, when the present piece came; never goes back
    log_time noted_;                 ///< the newest record of a time
    std::size_t times_size_ = 0;     ///< of the file of times
    bool unwritten_ = false;         ///< the newest file is empty
};

} // namespace kftrain::local::sandbox

#endif
