#ifndef KFTRAIN_SRC_APISERVER_HTTP_REMOTE_SESSION_HPP
#define KFTRAIN_SRC_APISERVER_HTTP_REMOTE_SESSION_HPP

#include "apiserver/rest/pod_upgrade.hpp"

#include <kftrain/kube/upgraded_stream.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>
#include <memory>
#include <utility>

namespace kftrain::apiserver {

namespace asio = boost::asio;

/// The completion token of sessions: errors are values.
inline constexpr auto await = asio::as_tuple(asio::use_awaitable);

/** Serves an upgraded connection to a pod. Ends with the client, with the server, or by itself, and stops what it
    started in the pod. */
class remote_session : public std::enable_shared_from_this<remote_session> {
public:
    remote_session() = default;
    remote_session(remote_session const&) = delete;
    remote_session& operator=(remote_session const&) = delete;
    virtual ~remote_session() = default;

    /// Runs to the end. Once; the caller keeps the session until then.
    virtual asio::awaitable<void> run() = 0;
    /// Ends it at once.
    virtual void stop() noexcept = 0;
};

std::shared_ptr<remote_session> make_session(asio::any_io_executor executor,
                                             std::unique_ptr<kube::upgraded_stream> stream, upgraded_call what);

/// Two ends of a connection within the process: what is written to one is read from the other.
std::pair<std::unique_ptr<kube::upgraded_stream>, std::unique_ptr<kube::upgraded_stream>>
make_stream_pair(asio::any_io_executor const& executor, kube::http_fields fields);

} // namespace kftrain::apiserver

#endif
