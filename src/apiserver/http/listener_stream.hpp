#ifndef KFTRAIN_SRC_APISERVER_HTTP_LISTENER_STREAM_HPP
#define KFTRAIN_SRC_APISERVER_HTTP_LISTENER_STREAM_HPP

#include <kftrain/apiserver/tls_identity.hpp>

#include "kube/transport/transport_stream.hpp"

namespace kftrain::apiserver {

/** The server's side of TLS. A read and a write may go on side by side, as a watch needs it that waits for events and for the
    end of the connection.
    @par Errors `errc::invalid_argument` for an unusable certificate or key. */
result<std::unique_ptr<kube::detail::stream_factory>> make_tls_streams(tls_identity const&);

} // namespace kftrain::apiserver

#endif
