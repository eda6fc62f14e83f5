#include <kftrain/local/leftovers.hpp>

#include "local/sandbox/run_directory.hpp"

namespace kftrain::local {

std::vector<std::string> remove_leftovers() { return sandbox::remove_dead_run_directories(); }

bool remove_leftovers_of(std::string const& directory) { return sandbox::remove_dead_run_directory(directory); }

} // namespace kftrain::local
