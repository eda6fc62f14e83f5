#ifndef KFTRAIN_APISERVER_POD_LOG_SOURCE_HPP
#define KFTRAIN_APISERVER_POD_LOG_SOURCE_HPP

#include <kftrain/apiserver/refusal.hpp>
#include <kftrain/kube/transport.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace kftrain::apiserver {

/// Which log a client wants. The server has checked that pod and container exist and the container has started.
struct log_request {
    log_request() = default;

    std::string namespace_;
    std::string pod;
    std::string pod_uid;
    std::string container;
    std::optional<std::int32_t> run; ///< which run of the container by the pod's status: 0, or so many restarts later
    bool previous = false;           ///< the run before the present one was asked for; `run` is that one
    bool follow = false;
    bool timestamps = false;
    std::optional<std::int64_t> tail_lines;
    std::optional<std::int64_t> limit_bytes;
    std::optional<std::int64_t> since_seconds;
    std::optional<std::string> since_time; ///< RFC 3339, checked
};

/** Where container logs come from: implemented by the kubelet of the embedder.
    @par Thread safety Called on the server's executor. */
class pod_log_source {
public:
    virtual ~pod_log_source() = default;

    /** Opens a log; `text/plain` pieces follow from the stream, which ends with `asio::error::eof`, for `follow` when
        that run of the container has ended. When bytes between two pieces cannot be had, it ends with another error, and
        clients of the server see a connection that breaks. The stream completes on its handler's executor, never inline.
        @par Errors a refusal, sent as it is: e.g. 400 for an option that the source does not know. */
    virtual answer<std::unique_ptr<kube::body_stream>> open_log(log_request const& request) = 0;
};

} // namespace kftrain::apiserver

#endif
