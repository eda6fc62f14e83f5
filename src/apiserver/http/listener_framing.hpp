#ifndef KFTRAIN_SRC_APISERVER_HTTP_LISTENER_FRAMING_HPP
#define KFTRAIN_SRC_APISERVER_HTTP_LISTENER_FRAMING_HPP

#include <kftrain/apiserver/refusal.hpp>

#include <boost/beast/http/message.hpp>

#include <optional>

namespace kftrain::apiserver {

/** Why a head must not be believed about where its request ends or whom it is for; nothing when it may. The connection of
    such a request cannot go on: a peer could parse the remaining bytes as another request.
    @par Upstream Go 1.22 `net/http/transfer.go`, `net/http/server.go`, `golang.org/x/net/http/httpguts`; RFC 9112 */
std::optional<refusal> framing_fault(boost::beast::http::request_header<> const& head);

} // namespace kftrain::apiserver

#endif
