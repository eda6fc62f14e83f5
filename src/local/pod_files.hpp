#ifndef KFTRAIN_SRC_LOCAL_POD_FILES_HPP
#define KFTRAIN_SRC_LOCAL_POD_FILES_HPP

#include <kftrain/base/error.hpp>
#include <kftrain/model/core.hpp>

#include "local/node.hpp"

#include <filesystem>

namespace kftrain::local {

/// Writes the files that a pod sees as /etc/hosts and /etc/resolv.conf below `directory`, and names them in `box`.
error_code write_pod_files(std::filesystem::path const& directory, pod const& p, pod_sandbox& box);
void remove_pod_files(std::filesystem::path const& directory, pod const& p) noexcept;

} // namespace kftrain::local

#endif
