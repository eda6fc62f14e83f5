#include "apiserver/http/remote_session.hpp"

#include "apiserver/http/exec_session.hpp"
#include "apiserver/http/port_session.hpp"
#include "kube/async/waiting_caller.hpp"
#include "kube/exec/exec_protocol.hpp"
#include "kube/exec/web_socket.hpp"

#include <boost/asio/error.hpp>

#include <optional>
#include <utility>

namespace kftrain::apiserver {

std::shared_ptr<remote_session> make_session(asio::any_io_executor executor,
                                             std::unique_ptr<kube::upgraded_stream> stream, upgraded_call what) {
    using kube::detail::connection_role;
    using kube::detail::web_socket;
    std::shared_ptr<web_socket> socket;
    if (what.protocol != upgrade_protocol::spdy)
        socket = std::make_shared<web_socket>(executor, std::move(stream), connection_role::server,
                                              kube::detail::exec_message_limit);
    if (what.protocol == upgrade_protocol::tunnel) stream = kube::detail::make_web_socket_bytes(executor, socket);
    if (what.protocol != upgrade_protocol::channels) {
        auto spdy = std::make_shared<kube::detail::spdy_session>(executor, std::move(stream), connection_role::server);
        if (!what.process) return make_port_session(std::move(spdy), std::move(what));
        auto link = make_spdy_link(std::move(spdy), what.streams);
        return std::make_shared<exec_session>(executor, std::move(link), std::move(what.process));
    }
    if (!what.process) return make_port_session(std::move(executor), std::move(socket), std::move(what));
    return std::make_shared<exec_session>(executor, make_channel_link(std::move(socket)), std::move(what.process));
}

namespace {

/// One direction. A write completes when its bytes were read, so that nothing piles up.
struct pipe {
    explicit pipe(asio::any_io_executor e) : executor(std::move(e)) {}

    void meet() {
        if (!reader) return;
        if (!bytes.empty()) {
            kube::take(reader).complete_later(executor, error_code(), std::exchange(bytes, std::string()));
            if (writer) kube::take(writer).complete_later(executor, error_code());
        } else if (ended) {
            kube::take(reader).complete_later(executor, asio::error::eof, std::string());
        }
    }
    /// The reading end closes.
    void stop_reading(error_code ec) {
        broken = true;
        bytes.clear();
        if (reader) kube::take(reader).complete_later(executor, ec, std::string());
        if (writer) kube::take(writer).complete_later(executor, make_error_code(errc::connection_lost));
    }
    /// The writing end closes; what was written can be read.
    void stop_writing(error_code ec) {
        ended = true;
        if (writer) kube::take(writer).complete_later(executor, ec);
        meet();
    }

    asio::any_io_executor executor;
    std::string bytes;
    std::optional<kube::waiting_caller<std::string>> reader;
    std::optional<kube::waiting_caller<>> writer;
    bool ended = false;
    bool broken = false;
};

class pipe_end final : public kube::upgraded_stream {
public:
    pipe_end(std::shared_ptr<pipe> in, std::shared_ptr<pipe> out, kube::http_fields fields)
        : upgraded_stream(std::move(fields)), in_(std::move(in)), out_(std::move(out)) {}
    pipe_end(pipe_end const&) = delete;
    pipe_end& operator=(pipe_end const&) = delete;
    ~pipe_end() override { close(); }

    void async_read(kube::any_handler<void(error_code, std::string)> handler) override {
        auto slot = asio::get_associated_cancellation_slot(handler);
        in_->reader.emplace(std::move(handler), in_->executor);
        if (closed_) return kube::take(in_->reader).complete_later(in_->executor, aborted(), std::string());
        if (slot.is_connected())
            slot.assign([weak = std::weak_ptr<pipe>(in_)](asio::cancellation_type) {
                if (auto const p = weak.lock(); p && p->reader) p->stop_reading(aborted());
            });
        in_->meet();
    }

    void async_write(std::string bytes, kube::any_handler<void(error_code)> handler) override {
        auto slot = asio::get_associated_cancellation_slot(handler);
        out_->writer.emplace(std::move(handler), out_->executor);
        if (closed_ || out_->broken) {
            auto const ec = closed_ ? aborted() : make_error_code(errc::connection_lost);
            return kube::take(out_->writer).complete_later(out_->executor, ec);
        }
        if (slot.is_connected())
            slot.assign([weak = std::weak_ptr<pipe>(out_)](asio::cancellation_type) {
                if (auto const p = weak.lock(); p && p->writer) p->stop_writing(aborted());
            });
        out_->bytes += bytes;
        out_->meet();
    }

    void close() noexcept override {
        if (std::exchange(closed_, true)) return;
        in_->stop_reading(aborted());
        out_->stop_writing(aborted());
    }

private:
    static error_code aborted() { return asio::error::operation_aborted; }

    std::shared_ptr<pipe> in_;
    std::shared_ptr<pipe> out_;
    bool closed_ = false;
};

} // namespace

std::pair<std::unique_ptr<kube::upgraded_stream>, std::unique_ptr<kube::upgraded_stream>>
make_stream_pair(asio::any_io_executor const& executor, kube::http_fields fields) {
    auto const there = std::make_shared<pipe>(executor);
    auto const back = std::make_shared<pipe>(executor);
    return {std::make_unique<pipe_end>(back, there, std::move(fields)),
            std::make_unique<pipe_end>(there, back, kube::http_fields())};
}

} // namespace kftrain::apiserver
