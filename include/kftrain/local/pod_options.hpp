#ifndef KFTRAIN_LOCAL_POD_OPTIONS_HPP
#define KFTRAIN_LOCAL_POD_OPTIONS_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/model/meta.hpp>

#include <string>
#include <vector>

namespace kftrain::local {

/// What the pods of a local cluster may use in addition to what their manifests contain.
struct pod_options {
    pod_options() = default;

    /** Commands of images, by a pattern of the image: `*` matches any text, and a pattern without a tag matches all
        tags. A container without `command` runs the command of its image, followed by the `args` of the container. If
        several patterns match, the longest one applies. Words are separated and quoted as in a shell; there are no
        variables and no operators, so use `sh -c '...'` for these. */
    string_map commands;
    /** Directories of persistent volume claims, by `NAME` or `NAMESPACE/NAME`. A claim that is not listed has an empty
        directory that lives as long as the cluster, and the PersistentVolumeClaim must exist. */
    string_map volumes;
    /// Absolute paths of directories. Pods may mount these, and what is below them, as hostPath volumes.
    std::vector<std::string> host_paths;
};

/** Returns what is wrong with the options: commands without a word or with an open quote, directories that do not exist
    or are not absolute. Messages begin with the name of the member and the entry. */
issues faults_of(pod_options const& options);

} // namespace kftrain::local

#endif
