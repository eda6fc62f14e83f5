#include "local/sandbox/container_log.hpp"

#include "local/sandbox/log_file_name.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <sys/ioctl.h>

namespace kftrain::local::sandbox {
namespace {

constexpr std::size_t largest_piece = 64 * 1024;

} // namespace

container_log::container_log(unique_fd folder, std::int64_t file_size, std::int64_t files)
    : folder_(std::move(folder)),
      file_size_(static_cast<std::size_t>(std::max<std::int64_t>(file_size, 2))),
      files_(static_cast<std::size_t>(std::max<std::int64_t>(files, 1))),
      buffer_(std::min(largest_piece, file_size_ / 2), '\0') {
    std::array<int, 2> ends{};
    check(::pipe2(ends.data(), O_CLOEXEC), "make a pipe for output");
    reader_.reset(ends[0]);
    writer_.reset(ends[1]);
    check(::fcntl(reader_.get(), F_SETFL, O_NONBLOCK), "make the end of a pipe non-blocking");
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
    // As much as is there now: what a process that the container left behind goes on writing does not count.
    int left = 0;
    if (reader_ && ::ioctl(reader_.get(), FIONREAD, &left) != 0) left = 0;
    while (left > 0) {
        auto const size =
            ::read(reader_.get(), buffer_.data(), std::min(buffer_.size(), static_cast<std::size_t>(left)));
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) break;
        keep({buffer_.data(), static_cast<std::size_t>(size)});
        left -= static_cast<int>(size);
    }
    reader_.reset();
    if (!file_) begin_file(); // tells that the end is missing
    file_.reset();
}

void container_log::keep(std::string_view text) noexcept {
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
        if (file_ || begin_file()) size = ::write(file_.get(), text.data(), text.size());
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

/// The oldest one is removed when something was written to the new one: a full disk must not cost what is there.
bool container_log::begin_file() noexcept {
    if (std::exchange(unwritten_, false)) {
        ::unlinkat(folder_.get(), log_file_name(kept_.back()).c_str(), 0);
        kept_.pop_back();
    }
    auto const flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
    file_.reset(::openat(folder_.get(), log_file_name(end_).c_str(), flags, 0644));
    if (!file_) return false;
    kept_.push_back(end_);
    unwritten_ = true;
    return true;
}

void container_log::end_file() noexcept {
    file_.reset();
    size_ = 0;
}

void container_log::remove_oldest() noexcept {
    ::unlinkat(folder_.get(), log_file_name(kept_.front()).c_str(), 0);
    kept_.pop_front();
}

} // namespace kftrain::local::sandbox
