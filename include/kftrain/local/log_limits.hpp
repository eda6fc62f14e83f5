#ifndef KFTRAIN_LOCAL_LOG_LIMITS_HPP
#define KFTRAIN_LOCAL_LOG_LIMITS_HPP

#include <cstdint>

namespace kftrain::local {

/** The amount of container output that the local node keeps on disk. Each run of a container has its own files; when
    the current file is full, the next begins, and the oldest beyond `files` is removed. The current and the previous
    run of a container are kept until the pod object is deleted: at most `2 * files * file_size` bytes.
    @par Upstream kubernetes v1.31 `containerLogMaxSize` and `containerLogMaxFiles` of the kubelet configuration,
    with their defaults. Unlike upstream, files are not compressed, and readers get all files */
struct log_limits {
    log_limits() = default;

    std::int64_t file_size = 10 * 1024 * 1024; ///< bytes; at least 4096
    std::int32_t files = 5;                    ///< of one run, including the current file; at least 2
};

} // namespace kftrain::local

#endif
