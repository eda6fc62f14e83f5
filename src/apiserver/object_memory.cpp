#include "object_memory.hpp"

#include <algorithm>
#include <functional>
#include <new>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace kftrain::apiserver {
namespace {

constexpr std::size_t header = 16; // of the tables of objects, arrays and strings

/// A part begins where any may.
std::size_t part(std::size_t size) noexcept {
    return (size + alignof(std::max_align_t) - 1) / alignof(std::max_align_t) * alignof(std::max_align_t);
}

} // namespace

std::size_t memory_of_piece(std::size_t size) noexcept { return size == 0 ? 0 : (size + 8 + 15) / 16 * 16; }

std::size_t packed_size(boost::json::object const& o) noexcept {
    if (o.empty()) return 0;
    constexpr std::size_t member = sizeof(boost::json::key_value_pair) + sizeof(std::uint32_t); // with its hash bucket
    auto sum = part(header + o.size() * member);
    for (auto const& m : o) {
        auto const below = packed_size(m.value());
        sum += m.key().size() + 1 + (below == 0 ? 0 : below + alignof(void*) - 1);
    }
    return sum;
}

std::size_t packed_size(boost::json::value const& v) noexcept {
    constexpr std::size_t inside = 14; // characters of a string that need no part of their own
    switch (v.kind()) {
    case boost::json::kind::object: return packed_size(v.get_object());
    case boost::json::kind::string: {
        auto const size = v.get_string().size();
        return size <= inside ? 0 : part(header + std::max(size, 2 * inside));
    }
    case boost::json::kind::array: {
        auto const& a = v.get_array();
        auto sum = a.empty() ? 0 : part(header + a.size() * sizeof(boost::json::value));
        for (auto const& item : a) sum += packed_size(item);
        return sum;
    }
    default: return 0;
    }
}

void* packed_memory::do_allocate(std::size_t size, std::size_t alignment) {
    auto const at = (used_ + alignment - 1) / alignment * alignment;
    if (at > size_ || size > size_ - at) return ::operator new(size);
    used_ = at + size;
    return block_.get() + at;
}

void packed_memory::do_deallocate(void* p, std::size_t, std::size_t) {
    std::less<void const*> const before;
    if (before(p, block_.get()) || !before(p, block_.get() + size_)) ::operator delete(p);
}

void give_back_freed_memory() noexcept {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

} // namespace kftrain::apiserver
