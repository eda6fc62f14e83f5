#ifndef KFTRAIN_TEST_BENCH_SERVER_API_SERVER_PROCESS_HPP
#define KFTRAIN_TEST_BENCH_SERVER_API_SERVER_PROCESS_HPP

#include "bench/client/canned_server.hpp"

#include <functional>
#include <memory>

namespace kftrain::bench {

/** Serves the API server of this library over HTTPS, with PyTorchJobs beside the built-in kinds, and nothing that works
    on the objects. Calls `ready` once, and `show` with the heap in megabytes at each SIGUSR1. SIGTERM ends it. */
void serve_api(unsigned short port, std::function<void(server_address const&)> const& ready,
               std::function<void(double)> const& show);

/// A server in a process of its own whose processor time and memory are measured.
class server_process {
public:
    using show_function = std::function<void(double)>;
    using ready_function = std::function<void(server_address const&)>;
    /// As serve_api() without its port.
    using serve_function = std::function<void(ready_function const&, show_function const&)>;

    explicit server_process(serve_function const& serve);
    /// With serve_api().
    server_process();

    server_address const& address() const noexcept { return address_; }
    double processor_seconds() const { return process_->processor_seconds(); }
    double resident_mb() const { return process_->resident_mb(); }
    double live_heap_mb() const;

private:
    std::unique_ptr<child_process> process_;
    server_address address_;
};

} // namespace kftrain::bench

#endif
