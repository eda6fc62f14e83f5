#ifndef KFTRAIN_SRC_KUBE_STREAMS_SPDY_SESSION_HPP
#define KFTRAIN_SRC_KUBE_STREAMS_SPDY_SESSION_HPP

#include "kube/streams/connection_role.hpp"
#include "kube/streams/spdy_frames.hpp"

#include <kftrain/kube/upgraded_stream.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>

namespace kftrain::kube::detail {

class spdy_session;

/** A stream of a SPDY connection: two directions that end separately. Destroying it resets the stream, unless it
    has sent its end. One read may be pending, and any number of writes. */
class spdy_stream {
public:
    spdy_stream(std::shared_ptr<spdy_session> session, std::uint32_t id, http_fields fields);
    spdy_stream(spdy_stream const&) = delete;
    spdy_stream& operator=(spdy_stream const&) = delete;
    ~spdy_stream();

    std::uint32_t id() const noexcept { return id_; }
    /// Returns the fields with which the peer has opened the stream.
    http_fields const& fields() const noexcept { return fields_; }

    /** Returns the next bytes, never none; `eof` after the last ones. `errc::connection_lost` if the peer has reset the
        stream or the connection ended; after spdy_session::cut() `operation_aborted`. */
    static asio::awaitable<std::tuple<error_code, std::string>> read(std::shared_ptr<spdy_stream> self);
    /// Completes when few bytes of the connection wait to be sent.
    static asio::awaitable<error_code> write(std::shared_ptr<spdy_stream> self, std::string bytes);
    /// Accepts the stream of a peer.
    void reply();
    /// Sends no more.
    void finish();
    void reset(spdy_reset status);
    /// Whether read() has something to return.
    bool is_readable() const noexcept;

private:
    friend class spdy_session;

    error_code fault() const noexcept;

    std::shared_ptr<spdy_session> session_;
    std::uint32_t id_;
    http_fields fields_;
    std::string in_;
    asio::steady_timer arrived_;
    bool in_ended_ = false;
    bool out_ended_ = false;
    bool replied_ = false;
    bool reset_ = false;
};

/** A connection that speaks SPDY/3.1, as kubectl does: without flow control. If a stream is not read, the whole
    connection is not read as soon as some 100 KiB wait, so that peers are as slow as the readers.

    All functions belong on the executor. */
class spdy_session : public std::enable_shared_from_this<spdy_session> {
public:
    spdy_session(asio::any_io_executor executor, std::unique_ptr<upgraded_stream> connection, connection_role role);
    spdy_session(spdy_session const&) = delete;
    spdy_session& operator=(spdy_session const&) = delete;
    ~spdy_session();

    /// Reads the connection to its end. Once, beside everything else.
    static asio::awaitable<void> run(std::shared_ptr<spdy_session> self);
    /// Waits for a stream that the peer opens; null at the end of the connection.
    static asio::awaitable<std::shared_ptr<spdy_stream>> accept(std::shared_ptr<spdy_session> self);
    /// Opens a stream; `last`: which sends nothing.
    std::shared_ptr<spdy_stream> open(http_fields const& fields, bool last);
    /// Waits until all frames have left.
    static asio::awaitable<void> flush(std::shared_ptr<spdy_session> self);
    /// Closes the connection at once.
    void cut() noexcept;
    /// Cancelled when a stream is opened or has something to read, and at the end: for a reader of several streams.
    asio::steady_timer& arrivals() noexcept { return arrivals_; }
    /// Calls `f` on the executor once a write has failed. Not called after cut().
    void on_unwritable(std::function<void()> f) { on_unwritable_ = std::move(f); }
    asio::any_io_executor const& executor() const noexcept { return executor_; }
    error_code fault() const noexcept { return broken_; }

private:
    friend class spdy_stream;

    void take(spdy_frame frame);
    void opened(spdy_frame frame);
    void send(std::string bytes);
    void pump();
    /// A peer that is gone is noticed although nothing is read from it.
    void arm_ping();
    void end(error_code ec) noexcept;
    void leave(spdy_stream& stream) noexcept;
    void arrived(spdy_stream& stream);

    asio::any_io_executor executor_;
    std::unique_ptr<upgraded_stream> connection_;
    connection_role role_;
    spdy_parser parser_;
    spdy_writer writer_;
    std::map<std::uint32_t, std::weak_ptr<spdy_stream>> streams_;
    std::deque<std::shared_ptr<spdy_stream>> incoming_; ///< not accepted yet
    std::uint32_t last_theirs_ = 0;
    std::uint32_t next_own_;
    std::size_t buffered_ = 0; ///< bytes that streams have not read
    std::string out_;          ///< frames that wait for the write that is going on
    bool sending_ = false;
    asio::steady_timer progress_; ///< cancelled when buffers become smaller
    asio::steady_timer arrivals_; ///< cancelled when streams or their bytes arrive
    asio::steady_timer ping_;
    std::function<void()> on_unwritable_;
    error_code broken_;
};

} // namespace kftrain::kube::detail

#endif
