#ifndef KFTRAIN_TEST_BENCH_CLIENT_CANNED_SERVER_HPP
#define KFTRAIN_TEST_BENCH_CLIENT_CANNED_SERVER_HPP

#include "bench/support/child_process.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kftrain::bench {

/// The address of a server, and how to authenticate.
struct server_address {
    server_address() = default;

    std::string url;
    std::string ca_pem;
    std::string token; ///< empty: none is required
};

/// The content that a canned server has below one path: a list, and events for watchers.
struct canned_objects {
    canned_objects() = default;

    std::string path;
    std::string list;
    std::vector<std::string> objects;   ///< each changes in turn; with apiVersion and kind
    long events = 0;                    ///< for each watch, which then stays silent
    std::chrono::microseconds pause{0}; ///< before each event; 0: at full speed
};

/** An HTTPS server (HTTP/1.1, keep-alive, a certificate made at the start) that has its answers ready, in a process of
    its own: what it takes does not count. A list is one answer with its length. A watch is chunked, each event one
    chunk, sent at once, with a new version and, if there is a pause, the time of sending in nanoseconds in the
    annotation `perf/at`. */
class canned_server {
public:
    /// `make` is called in the process of the server.
    explicit canned_server(std::function<std::vector<canned_objects>()> const& make);

    server_address const& address() const noexcept { return address_; }

private:
    std::unique_ptr<child_process> process_;
    server_address address_;
};

/// The paths and samples of sample_objects.hpp: `listed` objects, then events.
canned_objects canned_pods(std::size_t listed, long events = 0, std::chrono::microseconds pause = {});
canned_objects canned_pytorch_jobs(std::size_t listed, long events = 0, std::chrono::microseconds pause = {});

} // namespace kftrain::bench

#endif
