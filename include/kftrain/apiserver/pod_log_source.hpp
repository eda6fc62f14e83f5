#ifndef KFTRAIN_APISERVER_POD_LOG_SOURCE_HPP
#define KFTRAIN_APISERVER_POD_LOG_SOURCE_HPP

#include <kftrain/apiserver/refusal.hpp>
#include <kftrain/kube/transport.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace kftrain::apiserver {

/// The log that a client requests. The server has checked that pod and container exist and the container has started.
struct log_request {
    log_request() = default;

    std::string namespace_;
    std::string pod;
    std::string pod_uid;
    std::string container;
    /// The run of the container by the status of the pod: 0, then one more after each restart.
    std::optional<std::int32_t> run;
    bool previous = false; ///< the request was for the previous run; `run` is that one
    bool follow = false;
    bool timestamps = false;
    std::optional<std::int64_t> tail_lines;
    std::optional<std::int64_t> limit_bytes;
    std::optional<std::int64_t> since_seconds;
    std::optional<std::string> since_time; ///< RFC 3339, checked
};

/** Provides container logs: implemented by the kubelet of the embedder.
    @par Thread safety Called on the executor of the server. */
class pod_log_source {
public:
    virtual ~pod_log_source() = default;

    /** Opens a log; `text/plain` pieces follow from the stream, which ends with `asio::error::eof`, with `follow`
        when that run of the container has ended. If bytes between two pieces are lost, it ends with another error,
        and clients of the server observe a broken connection. The stream completes on the executor of its handler,
        never inline.
        @par Errors a refusal, sent unchanged: e.g. 400 for an option that the source does not support. */
    virtual answer<std::unique_ptr<kube::body_stream>> open_log(log_request const& request) = 0;
};

} // namespace kftrain::apiserver

#endif
