#include "local/log_files.hpp"

#include "kube/pending_handler.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

namespace kftrain::local {
namespace {

constexpr std::chrono::milliseconds poll_interval{50};
constexpr std::size_t piece_size = 64 * 1024;

/// Where the last `lines` lines of an open file begin.
off_t tail_position(int fd, std::int64_t lines) {
    struct stat info{};
    if (::fstat(fd, &info) != 0) return 0;
    std::array<char, 4096> block{};
    off_t at = info.st_size;
    std::int64_t found = 0;
    while (at > 0) {
        auto const size = std::min<off_t>(at, static_cast<off_t>(block.size()));
        at -= size;
        if (::pread(fd, block.data(), static_cast<std::size_t>(size), at) != size) return 0;
        for (off_t i = size; i-- > 0;) {
            // The newline that ends the file ends the last line; it does not begin another.
            if (block[static_cast<std::size_t>(i)] != '\n' || at + i + 1 == info.st_size) continue;
            if (++found == lines) return at + i + 1;
        }
    }
    return 0;
}

/// The contents of a log file; with `follow` also what is appended until the container has ended.
class log_file_stream final : public kube::body_stream {
public:
    log_file_stream(asio::any_io_executor const& executor, kubelet::log_finder find, apiserver::log_request request,
                    std::filesystem::path file, int fd)
        : find_(std::move(find)), request_(std::move(request)), file_(std::move(file)), fd_(fd), timer_(executor) {
        if (request_.tail_lines)
            ::lseek(fd_, *request_.tail_lines == 0 ? 0 : tail_position(fd_, *request_.tail_lines),
                    *request_.tail_lines == 0 ? SEEK_END : SEEK_SET);
        if (request_.limit_bytes) left_ = static_cast<std::size_t>(*request_.limit_bytes);
    }
    log_file_stream(log_file_stream const&) = delete;
    log_file_stream& operator=(log_file_stream const&) = delete;
    ~log_file_stream() override { ::close(fd_); }

    void async_read(any_handler<void(error_code, std::string)> handler) override {
        auto slot = asio::get_associated_cancellation_slot(handler);
        if (slot.is_connected()) slot.assign([this](asio::cancellation_type) { timer_.cancel(); });
        read(std::move(handler));
    }

private:
    void read(any_handler<void(error_code, std::string)> handler) {
        // Asked before the file is read, so that what is written last is not missed.
        auto const where = find_(request_.namespace_, request_.pod, request_.container);
        // After a restart the container writes to another file.
        bool const ended = !where || where->ended || where->file != file_;
        std::string piece(std::min(piece_size, left_), '\0');
        ssize_t const size = piece.empty() ? 0 : ::read(fd_, piece.data(), piece.size());
        if (size > 0) {
            piece.resize(static_cast<std::size_t>(size));
            left_ -= piece.size();
            kube::complete_later(timer_.get_executor(), std::move(handler), error_code(), std::move(piece));
        } else if (size < 0) {
            error_code const ec(errno, boost::system::system_category());
            kube::complete_later(timer_.get_executor(), std::move(handler), ec, std::string());
        } else if (left_ == 0 || ended || !request_.follow) {
            kube::complete_later(timer_.get_executor(), std::move(handler), error_code(asio::error::eof),
                                 std::string());
        } else {
            timer_.expires_after(poll_interval);
            timer_.async_wait([this, h = std::move(handler)](error_code ec) mutable {
                if (ec) return kube::complete(std::move(h), ec, std::string());
                read(std::move(h));
            });
        }
    }

    kubelet::log_finder find_;
    apiserver::log_request request_;
    std::filesystem::path file_;
    int fd_;
    std::size_t left_ = static_cast<std::size_t>(-1);
    asio::steady_timer timer_;
};

apiserver::refusal bad_request(std::string text) { return {400, reason::bad_request, std::move(text)}; }

} // namespace

apiserver::answer<std::unique_ptr<kube::body_stream>> log_files::open_log(apiserver::log_request const& request) {
    if (request.timestamps) return bad_request("timestamps: the logs of the local cluster bear none");
    if (request.since_seconds) return bad_request("sinceSeconds: the logs of the local cluster bear no times");
    if (request.since_time) return bad_request("sinceTime: the logs of the local cluster bear no times");
    auto const where = find_(request.namespace_, request.pod, request.container);
    int const fd = where ? ::open(where->file.c_str(), O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return bad_request("container \"" + request.container + "\" in pod \"" + request.pod +
                           "\" is waiting to start: ContainerCreating");
    return std::make_unique<log_file_stream>(executor_, find_, request, where->file, fd);
}

} // namespace kftrain::local
