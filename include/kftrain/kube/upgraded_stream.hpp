#ifndef KFTRAIN_KUBE_UPGRADED_STREAM_HPP
#define KFTRAIN_KUBE_UPGRADED_STREAM_HPP

#include <kftrain/kube/transport.hpp>

#include <string>
#include <utility>

namespace kftrain::kube {

/** The bytes of a connection that the server has switched to another protocol: the `body` of a response with status
    101. A transport switches protocols only if the request has an `Upgrade` field.

    One read and one write may be pending at the same time. async_read() returns bytes as they arrive, and `eof` when
    the peer sends no more.
    @par Object lifetimes As body_stream; a pending write ends like a pending read. Call close() first, or destroy it
    when nothing is pending.
    @par Thread safety Unsafe; use it on the executor of the transport. */
class upgraded_stream : public body_stream {
public:
    explicit upgraded_stream(http_fields fields = {}) : fields_(std::move(fields)) {}

    /// Returns the header fields of the response.
    http_fields const& fields() const noexcept { return fields_; }

    /** Sends all of `bytes`; completes when they were handed over to the system. Only one write may be pending.
        @par Errors `errc::connection_lost` if the peer does not receive any more.
        @par Cancellation terminal: the connection is closed afterwards. */
    virtual void async_write(std::string bytes, any_handler<void(error_code)> handler) = 0;
    /// Closes the connection. Pending operations complete with `operation_aborted`. May be called again.
    virtual void close() noexcept = 0;

private:
    http_fields fields_;
};

} // namespace kftrain::kube

#endif
