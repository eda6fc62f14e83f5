#include "local/sandbox/containers/container_log.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <fcntl.h>
#include <sys/ioctl.h>

namespace kftrain::local::sandbox {
namespace {

constexpr std::size_t largest_piece = 64 * 1024;
// Output within these nanoseconds has one time; a few bytes have one within the longer period.
constexpr std::int64_t shortest_time = 1'000'000;
constexpr std::int64_t longest_time = 100'000'000;
constexpr std::uint64_t few_bytes = 64;
constexpr int most_of_terminal = 1 << 20; // more than the kernel holds

} // namespace

container_log::container_log(unique_fd folder, std::int64_t file_size, std::int64_t files, unique_fd terminal)
    : folder_(std::move(folder)),
      reader_(std::move(terminal)),
      has_terminal_(static_cast<bool>(reader_)),
      file_size_(static_cast<std::size_t>(std::max<std::int64_t>(file_size, 2))),
      files_(static_cast<std::size_t>(std::max<std::int64_t>(files, 1))),
      buffer_(std::min(largest_piece, file_size_ / 2), '\0') {
    if (!has_terminal_) {
        std::array<int, 2> ends{};
        check(::pipe2(ends.data(), O_CLOEXEC), "make a pipe for output");
        reader_.reset(ends[0]);
        writer_.reset(ends[1]);
    }
    check(::fcntl(reader_.get(), F_SETFL, O_NONBLOCK), "make the source of a log non-blocking");
    if (!begin_file()) fail("make a log file");
}

void container_log::keep_some() noexcept {
    auto const size = ::read(reader_.get(), buffer_.data(), buffer_.size());
    if (size > 0)
        keep({buffer_.data(), static_cast<std::size_t>(size)});
    else if (size == 0 || (errno != EAGAIN && errno != EINTR))
        reader_.reset();
}

void container_log::finish() noexcept {
    // As much as is there now: what a process that the container left behind goes on writing does not count. A terminal
    // may hold more than it reports, until it reports an error.
    int left = 0;
    if (has_terminal_)
        left = reader_ ? most_of_terminal : 0;
    else if (reader_ && ::ioctl(reader_.get(), FIONREAD, &left) != 0)
        left = 0;
    while (left > 0) {
        auto const size =
            ::read(reader_.get(), buffer_.data(), std::min(buffer_.size(), static_cast<std::size_t>(left)));
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) break;
        keep({buffer_.data(), static_cast<std::size_t>(size)});
        left -= static_cast<int>(size);
    }
    reader_.reset();
    if (!file_) begin_file(); // shows that the end is missing
    file_.reset();
    times_.reset();
}

void container_log::keep(std::string_view text) noexcept {
    timespec clock{};
    if (::clock_gettime(CLOCK_REALTIME, &clock) == 0)
        now_ = std::max(now_, std::int64_t(clock.tv_sec) * 1'000'000'000 + clock.tv_nsec);
    // The next piece may not fit: this file ends with the last line of this one, or where it is full if there is none.
    if (size_ + text.size() > file_size_ - buffer_.size()) {
        auto const newline = text.rfind('\n');
        auto const wanted = newline == std::string_view::npos ? text.size() : newline + 1;
        auto const size = std::min(wanted, file_size_ - size_);
        put(text.substr(0, size));
        text.remove_prefix(size);
        if (newline != std::string_view::npos || size_ >= file_size_) end_file();
    }
    put(text);
}

void container_log::put(std::string_view text) noexcept {
    while (!text.empty()) {
        ssize_t size = -1;
        if (file_ || begin_file()) {
            note_time();
            size = ::write(file_.get(), text.data(), text.size());
        }
        if (size < 0 && errno == EINTR) continue;
        if (size > 0) {
            unwritten_ = false;
            size_ += static_cast<std::size_t>(size);
            end_ += static_cast<std::uint64_t>(size);
            text.remove_prefix(static_cast<std::size_t>(size));
            while (kept_.size() > files_) remove_oldest();
            continue;
        }
        end_ += text.size();
        end_file();
        return;
    }
}

/// Of the byte that comes next. Where no time can be written, lines have that of those before, or none.
void container_log::note_time() noexcept {
    auto const least = end_ - noted_.place < few_bytes ? longest_time : shortest_time;
    if (!times_ || (size_ != 0 && now_ - noted_.nanoseconds < least)) return;
    if (times_size_ != 0 && times_size_ + sizeof noted_ > file_size_) return;
    noted_.place = end_;
    noted_.nanoseconds = now_;
    times_size_ += sizeof noted_;
    if (::write(times_.get(), &noted_, sizeof noted_) != ssize_t(sizeof noted_)) times_.reset();
}

/// The oldest one is removed when something was written to the new one: a full disk must not cost what is there.
bool container_log::begin_file() noexcept {
    if (std::exchange(unwritten_, false)) {
        ::unlinkat(folder_.get(), log_file_name(kept_.back()).c_str(), 0);
        ::unlinkat(folder_.get(), log_times_name(kept_.back()).c_str(), 0);
        kept_.pop_back();
    }
    auto const flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
    file_.reset(::openat(folder_.get(), log_file_name(end_).c_str(), flags, 0644));
    if (!file_) return false;
    times_size_ = 0;
    times_.reset(::openat(folder_.get(), log_times_name(end_).c_str(), flags, 0644));
    kept_.push_back(end_);
    unwritten_ = true;
    return true;
}

void container_log::end_file() noexcept {
    file_.reset();
    times_.reset();
    size_ = 0;
}

void container_log::remove_oldest() noexcept {
    ::unlinkat(folder_.get(), log_file_name(kept_.front()).c_str(), 0);
    ::unlinkat(folder_.get(), log_times_name(kept_.front()).c_str(), 0);
    kept_.pop_front();
}

} // namespace kftrain::local::sandbox
