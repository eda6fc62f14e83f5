#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_SOCKETS_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_SOCKETS_HPP

#include "local/sandbox/system.hpp"

#include <boost/json/object.hpp>

namespace kftrain::local::sandbox {

/// Request `listen`: a socket of this network namespace, bound, and listening when it is TCP.
unique_fd open_listener(boost::json::object const& request);

/// Request `socket`: an unconnected socket. It stays in this network namespace wherever it is connected from.
unique_fd open_socket(boost::json::object const& request);

} // namespace kftrain::local::sandbox

#endif
