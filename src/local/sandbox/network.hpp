#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_NETWORK_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_NETWORK_HPP

namespace kftrain::local::sandbox {

/// The bridge that connects the pods of a node, and its own address: the pods' default route.
inline constexpr char const* bridge_name = "kft0";
inline constexpr char const* bridge_address = "10.244.0.1";
inline constexpr unsigned pod_prefix_length = 16;

} // namespace kftrain::local::sandbox

#endif
