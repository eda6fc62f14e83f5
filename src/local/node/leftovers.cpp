#include <kftrain/local/leftovers.hpp>

#include "local/sandbox/mounts/mount_point_record.hpp"
#include "local/sandbox/mounts/remove_tree.hpp"
#include "local/sandbox/run_directory.hpp"

namespace kftrain::local {

std::vector<std::string> remove_leftovers() { return sandbox::remove_dead_run_directories(); }

void remove_leftovers_of(std::string const& directory) {
    sandbox::remove_recorded_mount_points(directory);
    (void)sandbox::remove_tree(directory);
}

} // namespace kftrain::local
