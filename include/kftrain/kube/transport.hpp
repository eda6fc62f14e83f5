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

/** The body of an answer, read in pieces.
    @par Object lifetimes Destroying it abandons the answer and closes its connection, unless the body was read to its end.
    Must not be destroyed while a read is pending.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class body_stream {
public:
    virtual ~body_stream() = default;

    /** Completes with the next piece, never an empty one, or with `asio::error::eof` after the last.
        @par Errors `errc::connection_lost` if the peer stopped in the middle.
        @par Cancellation terminal: the connection is closed afterwards. */
    virtual void async_read(any_handler<void(error_code, std::string)> handler) = 0;

    /** The whole body, perhaps empty, if it has arrived already and no read has taken anything of it; the next read then
        says `eof`. An implementation need not know. */
    virtual std::optional<std::string> take_whole() { return {}; }
};

/// An answer whose head has arrived.
struct streamed_response {
    streamed_response() = default;

    http_response_head head;
    std::unique_ptr<body_stream> body;
    error_code cause; ///< beside `errc::unreachable`: what went wrong
    std::string why;  ///< beside any error: more about it in words, if there is more; to be shown
};

/** The one seam between the library and the world: sends a request, hands back the answer.
    Implemented over HTTP(S), over the in-process API server, and by the scripted exchanges of tests.

    An implementation keeps what it needs alive until every handler has run, completes on the handler's associated
    executor (by default get_executor()) and never from inside the initiating function.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe, unless get_executor() is a strand or runs on one thread. */
class transport {
public:
    virtual ~transport() = default;

    virtual asio::any_io_executor get_executor() const noexcept = 0;

    /** Sends `request`; completes when the head of the answer has arrived. Any HTTP status is success here. `reason::unauthorized` says
        that there are no credentials to send: nothing was sent.
        @par Errors of the search for a server as Asio delivers them; `errc::unreachable` if a connection came about but
        was of no use before anything of the request was sent; `errc::connection_lost`, `errc::protocol`.
        @par Cancellation terminal: the connection is closed; a request that was being sent may have been carried out. */
    virtual void async_open(http_request request, any_handler<void(error_code, streamed_response)> handler) = 0;

    /// `text`, which is to be shown, without the credentials that this transport sends: servers may have repeated them.
    /// A transport that sends none need not do anything. May be called on any thread.
    virtual std::string redact(std::string text) const { return text; }

    /// Whether answers may be asked for in a compressed form.
    virtual bool allows_compression() const noexcept { return true; }
};

} // namespace kftrain::kube

#endif
