// usage: bench_local_memory [--count N] [--json]
//
// Heap that a local cluster in this process takes for each of 2000 stored pods of 4.7 KB that no kubelet runs: the
// objects of the API server, and what the informers of the kubelet and of all operators keep of them. Waits until every
// informer has seen the pods and every controller has looked at them.
#include "bench/samples/new_pod.hpp"
#include "bench/support/arguments.hpp"
#include "bench/support/measurement.hpp"

#include <kftrain/kube/api.hpp>
#include <kftrain/local/local_cluster.hpp>
#include <kftrain/objects/core.hpp>

#include <boost/asio/io_context.hpp>

#include <cstdio>
#include <cstdlib>

namespace {

using namespace kftrain;
using namespace std::chrono_literals;

constexpr int in_flight = 16;

[[noreturn]] void fail(std::string const& why) {
    std::fprintf(stderr, "bench_local_memory: %s\n", why.c_str());
    std::exit(1);
}

class filling {
public:
    filling(kube::client client, long count) : pods_(std::move(client), "default"), count_(count) {
        for (int i = 0; i < in_flight; ++i) create_next();
    }
    bool ended() const noexcept { return created_ == count_; }

private:
    void create_next() {
        if (next_ == count_) return;
        auto const made = from_json<pod>(bench::new_pod(next_++));
        if (!made) fail(made.error().to_string());
        pods_.async_create(*made, [this](error_code ec, pod const&) {
            if (ec) fail(ec.message());
            ++created_;
            create_next();
        });
    }

    kube::api<pod> pods_;
    long count_, next_ = 0, created_ = 0;
};

/// Once it stays the same for a second.
double settled_heap_mb(boost::asio::io_context& io) {
    double before = 0;
    for (;;) {
        io.restart();
        io.run_for(1s);
        double const now = bench::live_heap_mb();
        if (std::abs(now - before) < 0.05) return now;
        before = now;
    }
}

} // namespace

int main(int argc, char** argv) {
    bench::arguments const a(argc, argv, "bench_local_memory [--count N] [--json]");
    long const count = a.number("--count", 2000);
    boost::asio::io_context io;
    local::local_cluster_options options;
    options.mode = local::isolation::processes;
    local::local_cluster cluster(io, options);
    if (auto const started = cluster.start(); !started) fail(started.error().to_string());
    double const before = settled_heap_mb(io);
    filling f(cluster.client(), count);
    io.restart();
    while (!f.ended()) io.run_one();
    double const each = 1e6 * (settled_heap_mb(io) - before) / static_cast<double>(count);
    if (a.has("--json"))
        std::printf("{\"what\":\"local_memory\",\"bytes\":%.0f}\n", each);
    else
        std::printf("A pod of %zu bytes takes %.0f bytes of the heap of a local cluster.\n", bench::new_pod(0).size(),
                    each);
    cluster.stop();
}
