#ifndef KFTRAIN_LOCAL_SANDBOX_CONTAINER_HPP
#define KFTRAIN_LOCAL_SANDBOX_CONTAINER_HPP

#include <boost/json/object.hpp>

#include <sys/types.h>

namespace kftrain::local::sandbox {

/** Starts the container that a request describes as a child in a session of its own; both output streams go to `output`.
    Returns when the program runs or could not be executed. In the latter case the child writes a line to `output` and
    exits with 127 (not found) or 126 (found, but not executable), as a shell does. Throws when a mount or the working
    directory is at fault: then there is no child. */
pid_t start_container(boost::json::object const& request, int output, bool namespaces);

} // namespace kftrain::local::sandbox

#endif
