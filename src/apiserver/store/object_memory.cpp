#include "apiserver/store/object_memory.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace kftrain::apiserver {

std::size_t memory_of_piece(std::size_t size) noexcept { return size == 0 ? 0 : (size + 8 + 15) / 16 * 16; }

void give_back_freed_memory() noexcept {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

} // namespace kftrain::apiserver
