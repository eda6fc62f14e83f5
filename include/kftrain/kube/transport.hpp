#ifndef KFTRAIN_KUBE_TRANSPORT_HPP
#define KFTRAIN_KUBE_TRANSPORT_HPP

#include <kftrain/base/error.hpp>
#include <kftrain/kube/message.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>

#include <memory>
#include <optional>
#include <string>

namespace kftrain::kube {

namespace asio = boost::asio;

template <class Signature> using any_handler = asio::any_completion_handler<Signature>;

/** The body of a response, read in pieces.
    @par Object lifetimes Destroying it abandons the response and closes its connection, unless the body was read to
    its end. Must not be destroyed while a read is pending.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class body_stream {
public:
    virtual ~body_stream() = default;

    /** Completes with the next piece, never an empty one, or with `asio::error::eof` after the last.
        @par Errors `errc::connection_lost` if the peer stopped in the middle.
        @par Cancellation terminal: the connection is closed afterwards. */
    virtual void async_read(any_handler<void(error_code, std::string)> handler) = 0;

    /** Returns the whole body, possibly empty, if it has already arrived and no read has consumed any of it; the
        next read then returns `eof`. Optional for implementations. */
    virtual std::optional<std::string> take_whole() { return {}; }
};

/// A response whose head has arrived.
struct streamed_response {
    streamed_response() = default;

    http_response_head head;
    std::unique_ptr<body_stream> body;
    error_code cause; ///< with `errc::unreachable`: the underlying error
    std::string why;  ///< optional details of an error for messages
};

/** The single abstraction of the network: sends a request and returns the response. Implemented over HTTP(S), over
    the in-process API server, and by the scripted exchanges of tests.

    An implementation keeps what it needs alive until every handler has run, completes on the handler's associated
    executor (by default get_executor()) and never from inside the initiating function.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe, unless get_executor() is a strand or runs on
    one thread. */
class transport {
public:
    virtual ~transport() = default;

    virtual asio::any_io_executor get_executor() const noexcept = 0;

    /** Sends `request`; completes when the head of the response has arrived. Any HTTP status is success here.
        `reason::unauthorized` means that there are no credentials to send: nothing was sent.
        @par Errors those of the connection attempt, as Asio delivers them; `errc::unreachable` if a connection was
        made but was unusable before any part of the request was sent; `errc::connection_lost`, `errc::protocol`.
        @par Cancellation terminal: the connection is closed; a request that was being sent may have been carried
        out. */
    virtual void async_open(http_request request, any_handler<void(error_code, streamed_response)> handler) = 0;

    /// Returns `text`, which is to be displayed, without the credentials that this transport sends: servers may repeat
    /// them. A transport without credentials need not override it. Thread-safe.
    virtual std::string redact(std::string text) const { return text; }

    /// Returns the server, and the user that requests are sent as, for messages; may be empty. Thread-safe.
    virtual std::string describe() const { return {}; }

    /// Returns whether requests may accept compressed responses.
    virtual bool allows_compression() const noexcept { return true; }
};

} // namespace kftrain::kube

#endif
