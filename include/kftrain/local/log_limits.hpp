#ifndef KFTRAIN_LOCAL_LOG_LIMITS_HPP
#define KFTRAIN_LOCAL_LOG_LIMITS_HPP

#include <cstdint>

namespace kftrain::local {

/** How much output of a container the local node keeps on disk. Each run of the container has files of its own; when the
    one that is being written is full, the next begins, and the oldest beyond `files` is removed. The present run of a
    container is kept and the one before it, until the pod object is deleted: at most `2 * files * file_size` bytes.
    @par Upstream kubernetes v1.31 `containerLogMaxSize` and `containerLogMaxFiles` of the kubelet's configuration, and
    their defaults; unlike there, files are not compressed, and readers get all that are kept */
struct log_limits {
    log_limits() = default;

    std::int64_t file_size = 10 * 1024 * 1024; ///< bytes; at least 4096
    std::int32_t files = 5;                    ///< of one run, the one that is being written included; at least 2
};

} // namespace kftrain::local

#endif
