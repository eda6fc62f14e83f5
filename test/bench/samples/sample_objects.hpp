#ifndef KFTRAIN_TEST_BENCH_SAMPLES_SAMPLE_OBJECTS_HPP
#define KFTRAIN_TEST_BENCH_SAMPLES_SAMPLE_OBJECTS_HPP

#include <cstddef>
#include <string>
#include <string_view>

namespace kftrain::bench {

/** Objects as a cluster shows them while its jobs run, compact and in the field order of an API server; the same in
    every run.

    A pod has 4.7 KB on average: a worker of a PyTorchJob as training-operator makes it, with one container, seven
    variables, two volumes, the tolerations of the admission plugins and a status; 40 % of the pods have `managedFields`
    of operator and kubelet. Names, uids, versions, times, addresses, ranks and hashes differ from pod to pod. As in a
    list, a pod carries neither apiVersion nor kind.

    A PyTorchJob has 4.1 KB on average: a master and 63 workers with templates of one container, conditions and replica
    statuses; `managedFields` as above. It carries apiVersion and kind, as custom resources do in lists.

    `metadata.resourceVersion` has ten digits and the annotation `perf/at` nineteen, so that a server can write versions
    and times of sending over them. */
std::string sample_pod(std::size_t index);
std::string sample_pytorch_job(std::size_t index);

/// Lists of the first `count`.
std::string sample_pod_list(std::size_t count);
std::string sample_pytorch_job_list(std::size_t count);

/// The beginning of every pod outside a list.
inline constexpr std::string_view pod_head = R"({"kind":"Pod","apiVersion":"v1",)";

} // namespace kftrain::bench

#endif
