#ifndef KFTRAIN_TEST_BENCH_CLIENT_FOLLOWING_HPP
#define KFTRAIN_TEST_BENCH_CLIENT_FOLLOWING_HPP

#include "bench/client/canned_server.hpp"
#include "bench/support/measurement.hpp"

#include <kftrain/kube/config.hpp>

#include <string>

namespace kftrain::bench {

enum class followed { pods, pytorch_jobs };

inline std::string path_of(followed kind) {
    return kind == followed::pods ? "/api/v1/pods" : "/apis/kubeflow.org/v1/pytorchjobs";
}

/** Lists the objects of a kind, then watches them until `updates` events have reached a handler: what is measured
    begins after the list. With `delays` the handler compares the annotation `perf/at` with the clock. */
measurement follow_with_informer(kube::config const& server, followed kind, long updates, bool delays);
/// The same with Beast and `boost::json::parse`: chunks, lines, a map of name to value.
measurement follow_with_beast(server_address const& server, followed kind, long updates, bool delays);

/// Microseconds since then: nanoseconds of the system's clock, in decimal digits.
double microseconds_since(std::string const& nanoseconds);

} // namespace kftrain::bench

#endif
