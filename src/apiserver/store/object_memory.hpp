#ifndef KFTRAIN_SRC_APISERVER_STORE_OBJECT_MEMORY_HPP
#define KFTRAIN_SRC_APISERVER_STORE_OBJECT_MEMORY_HPP

#include <cstddef>

namespace kftrain::apiserver {

/// The memory that an allocator uses for a block of this size: common ones round up, and store an additional word.
std::size_t memory_of_piece(std::size_t size) noexcept;

/// Returns freed memory to the system if the allocator does so only on request, as glibc's; else does nothing.
void give_back_freed_memory() noexcept;

} // namespace kftrain::apiserver

#endif
