#ifndef KFTRAIN_LOCAL_POD_OPTIONS_HPP
#define KFTRAIN_LOCAL_POD_OPTIONS_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/model/meta.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace kftrain::local {

/// The directory in which images of files are unpacked, and how much space they may take.
struct image_store_options {
    image_store_options() = default;

    /// Absolute; shared by all clusters of the user, and kept. Empty: a part of the directory of the cluster.
    std::string directory;
    std::int64_t image_size = 34'359'738'368;  ///< bytes that one unpacked image may take
    std::int64_t image_files = 2'000'000;      ///< files and directories that one image may have
    std::int64_t total_size = 137'438'953'472; ///< bytes of all images; above it, the least recently used are removed
};

/// Programs, files and images that the pods of a local cluster may use, in addition to those in their manifests.
struct pod_options {
    pod_options() = default;

    /** Commands of images, by a pattern of the image: `*` matches any text, and a pattern without a tag matches all
        tags. A container without `command` runs the command of its image, followed by the `args` of the container. If
        several patterns match, the longest one applies. Words are separated and quoted as in a shell; there are no
        variables and no operators, so use `sh -c '...'` for these. */
    string_map commands;
    /** The source of an image, by a pattern as in `commands`:
        - `host`: the file system of the machine
        - `venv:PATH`: the same, with a Python virtual environment of the machine
        - `dir:PATH`: a directory with a root file system
        - `oci:PATH` or `oci:PATH:TAG`: an OCI image layout
        - `archive:FILE`: an archive of `docker save`, or an OCI archive

        Paths are absolute. Containers cannot change what serves them: each start has a writable layer of its own. An
        image of `oci` or `archive` also sets the entry point, environment, working directory and user of its
        containers. It is unpacked by `umoci`, and an archive also needs `skopeo`.

        If it is empty, `host` serves all images. Otherwise containers of images without an entry wait with the reason
        `ErrImagePull` or `ImagePullBackOff`. */
    string_map images;
    image_store_options image_store;
    /** Directories of persistent volume claims, by `NAME` or `NAMESPACE/NAME`. A claim that is not listed must exist.
        It is bound to a matching PersistentVolume in a directory of `host_paths`; without one it has an empty directory
        that lives as long as the cluster. */
    string_map volumes;
    /// Absolute paths of directories. Pods may mount these, and what is below them, as hostPath volumes.
    std::vector<std::string> host_paths;
};

/** Returns what is wrong with the options: commands without a word or with an open quote, sources of images that do not
    exist or are of no known form, directories that do not exist or are not absolute. Messages begin with the name of
    the member and the entry. */
issues faults_of(pod_options const& options);

} // namespace kftrain::local

#endif
