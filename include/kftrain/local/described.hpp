#ifndef KFTRAIN_LOCAL_DESCRIBED_HPP
#define KFTRAIN_LOCAL_DESCRIBED_HPP

/** @file Describes the options of a local cluster, so that value_ref sets them by name. Only code that serves every
    option needs it: bindings to other languages, command lines.

    Options are described without `detail`, `logger`, user_info::extra, and the rules and kinds of jobs. `mode` and
    `run_pods` have the further names `isolation` and `pods`. */

#include <kftrain/local/local_cluster.hpp>
#include <kftrain/model/descriptor.hpp>

namespace kftrain::apiserver {

KFTRAIN_DESCRIBE_OPTIONS(user_info, (), (name, groups, uid)) // without extra

} // namespace kftrain::apiserver

namespace kftrain::local {

KFTRAIN_DESCRIBE_OPTIONS(listen_options, (), (address, port, users, user_certificates))
KFTRAIN_DESCRIBE_OPTIONS(log_limits, (), (file_size, files))
KFTRAIN_DESCRIBE_OPTIONS(image_store_options, (), (directory, image_size, image_files, total_size))
KFTRAIN_DESCRIBE_OPTIONS(pod_options, (), (commands, images, image_store, volumes, host_paths))
KFTRAIN_DESCRIBE_OPTIONS(local_cluster_options, (pod_options),
                         (directory, working_directory, helper, mode, run_pods, simulate, nodes, node_resources, logs,
                          data_directory, listen)) // without rules, kinds, logger
KFTRAIN_DESCRIBE_OPTIONS(start_options, (), (timeout))

} // namespace kftrain::local

#endif
