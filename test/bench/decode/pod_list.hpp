#ifndef KFTRAIN_TEST_BENCH_DECODE_POD_LIST_HPP
#define KFTRAIN_TEST_BENCH_DECODE_POD_LIST_HPP

#include <cstddef>
#include <string>

namespace kftrain::bench {

/** A `PodList` of at least `bytes`, compact and in the field order of an API server, the same in every run.

    The pods are workers of PyTorchJobs as a cluster shows them while they run: about 10 KB each, of which
    - 40 % `metadata.managedFields` of the operator, the network plugin and the kubelet, with the escaped
    `k:{"name":"..."}` keys of
      server-side apply's bookkeeping;
    - the rest: labels, annotations and ownerReferences of the training operator; one container with command, 16
    variables
      (one of them from a field), a port, limits and requests, and mounts of a data set, shared memory and the service
      account's token; the volumes behind these; the tolerations that the admission plugins add; 5 conditions; one
      status of a container and of an init container; host and pod addresses.

    Names, uids, versions, nodes, addresses, times, ranks and hashes differ from pod to pod. */
std::string make_pod_list(std::size_t bytes);

/// Number of bytes of the text that lie in `managedFields`, for the report.
std::size_t managed_fields_bytes(std::string const& pod_list);

} // namespace kftrain::bench

#endif
