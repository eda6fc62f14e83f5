#ifndef KFTRAIN_TEST_BENCH_SAMPLES_NEW_POD_HPP
#define KFTRAIN_TEST_BENCH_SAMPLES_NEW_POD_HPP

#include <string>

namespace kftrain::bench {

/** A pod of 4.7 KB as a client creates it, without owner and status, as JSON: an annotation makes up for what the
    server adds or drops. It is bound to a node that no kubelet serves. */
std::string new_pod(long index);

/// The name of that pod.
std::string new_pod_name(long index);

} // namespace kftrain::bench

#endif
