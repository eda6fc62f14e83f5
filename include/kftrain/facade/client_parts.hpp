#ifndef KFTRAIN_FACADE_CLIENT_PARTS_HPP
#define KFTRAIN_FACADE_CLIENT_PARTS_HPP

/** @file What the class training_client uses and only the library defines. */

namespace kftrain {

namespace detail {

struct job_board; ///< the connection and informers that the copies of a client share

} // namespace detail

/// Only the target `kftrain::training` defines this function. If a program uses training_client and links less, the
/// linker reports the function, whose name is that of the missing target.
namespace training_client_needs_the_target {
void kftrain_training() noexcept;
}

} // namespace kftrain

#endif
