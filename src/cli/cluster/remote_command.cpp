#include "cli/cluster/remote_command.hpp"

#include "base/file_bytes.hpp"
#include "base/make_failure.hpp"
#include "cli/cluster/connection/interruption.hpp"
#include "cli/commands.hpp"

#include <kftrain/kube/blocking.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <unistd.h>

#include <array>
#include <cerrno>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace kftrain::cli {
namespace {

namespace asio = boost::asio;

/** Passes standard input on. A thread reads it: one cannot wait for a file, and processes that share the descriptor
    expect it to block. If the thread still reads when the command ends, it ends with the process. */
class input_pump : public std::enable_shared_from_this<input_pump> {
public:
    input_pump(asio::io_context& context, kube::exec_stream& stream) : context_(context), stream_(&stream) {}
    input_pump(input_pump const&) = delete;
    input_pump& operator=(input_pump const&) = delete;
    ~input_pump() = default;

    void start() {
        std::thread([self = shared_from_this()] { self->read(); }).detach();
    }
    /// No more is sent. To be called before the stream or the context ends.
    void stop() {
        std::lock_guard const lock(mutex_);
        stream_ = nullptr;
        ready_ = true;
        wake_.notify_all();
    }

private:
    void read() {
        std::array<char, 32 * 1024> bytes{};
        for (;;) {
            auto const n = ::read(STDIN_FILENO, bytes.data(), bytes.size());
            if (n < 0 && errno == EINTR) continue;
            auto const size = n > 0 ? static_cast<std::size_t>(n) : 0;
            std::unique_lock lock(mutex_);
            if (stream_ == nullptr) return;
            ready_ = false;
            asio::post(context_, [self = shared_from_this(), text = std::string(bytes.data(), size)]() mutable {
                self->send(std::move(text));
            });
            wake_.wait(lock, [this] { return ready_; });
            if (stream_ == nullptr || size == 0) return;
        }
    }
    /// On the thread of the context.
    void send(std::string text) {
        if (stream_ == nullptr) return;
        // Without this end, servers before Kubernetes 1.30 leave the input open.
        if (text.empty()) return stream_->async_close_input([self = shared_from_this()](error_code) { self->sent(); });
        stream_->async_write(std::move(text), [self = shared_from_this()](error_code ec) {
            if (ec) return self->stop(); // the command does not read it
            self->sent();
        });
    }
    void sent() {
        std::lock_guard const lock(mutex_);
        ready_ = true;
        wake_.notify_all();
    }

    asio::io_context& context_;
    std::mutex mutex_;
    std::condition_variable wake_;
    kube::exec_stream* stream_;
    bool ready_ = false;
};

} // namespace

result<int> run_remote(asio::io_context& context, kube::client const& client, remote_command const& what,
                       interruption* stop) {
    auto const slot = stop != nullptr ? stop->slot() : asio::cancellation_slot();
    diagnostics why;
    auto how = what.how;
    how.detail = &why;
    auto stream = kube::run_blocking<kube::exec_stream>(context.get_executor(), why, [&](auto h) {
        kube::async_exec(client, what.namespace_, what.pod, what.command, how,
                         asio::bind_cancellation_slot(slot, std::move(h)));
    });
    if (!stream) return stream.error();
    auto const input = std::make_shared<input_pump>(context, *stream);
    if (how.input) input->start();
    for (;;) {
        if (stop != nullptr && stop->is_ending()) return make_failure(asio::error::operation_aborted, "");
        auto const next = kube::next_options().with_detail(why);
        auto const part = kube::run_blocking<kube::exec_output>(context.get_executor(), why, [&](auto h) {
            stream->async_read(next, asio::bind_cancellation_slot(slot, std::move(h)));
        });
        errno = 0;
        bool const is_error = part && part->channel == kube::exec_channel::error_output;
        if (part && write_all(is_error ? STDERR_FILENO : STDOUT_FILENO, part->text) == 0) continue;
        input->stop();
        if (part && errno == EPIPE) return unread;
        if (part) {
            complain(std::string("cannot write to standard ") + (is_error ? "error" : "output"));
            return bad_usage;
        }
        if (part.error().code == asio::error::eof && stream->exit_code()) return *stream->exit_code();
        return part.error();
    }
}

std::string default_container(core::pod const& p) {
    auto const chosen = p.metadata.annotations.find("kubectl.kubernetes.io/default-container");
    if (chosen != p.metadata.annotations.end()) return chosen->second;
    return p.spec.containers.empty() ? std::string() : p.spec.containers.front().name;
}

} // namespace kftrain::cli
