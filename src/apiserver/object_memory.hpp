#ifndef KFTRAIN_SRC_APISERVER_OBJECT_MEMORY_HPP
#define KFTRAIN_SRC_APISERVER_OBJECT_MEMORY_HPP

#include <boost/json.hpp>

#include <cstddef>
#include <memory>

namespace kftrain::apiserver {

/// What an allocator takes for a piece of this size: common ones round up, and keep a word beside it.
std::size_t memory_of_piece(std::size_t size) noexcept;

/// What a copy of a value needs for its parts, one behind the other.
std::size_t packed_size(boost::json::value const&) noexcept;
std::size_t packed_size(boost::json::object const&) noexcept;

/** Memory for the parts of one value in one piece, which goes back to the system with the value: freed one by one, the many small
    parts of many objects would stay with the allocator. What does not fit, and copies of the value, have memory of their own. */
class packed_memory final : public boost::json::memory_resource {
public:
    explicit packed_memory(std::size_t size) : block_(new unsigned char[size]), size_(size) {}

private:
    void* do_allocate(std::size_t size, std::size_t alignment) override;
    void do_deallocate(void* p, std::size_t size, std::size_t alignment) override;
    bool do_is_equal(boost::json::memory_resource const& other) const noexcept override { return this == &other; }

    std::unique_ptr<unsigned char[]> block_;
    std::size_t size_;
    std::size_t used_ = 0;
};

/// Hands what was freed back to the system where the allocator waits to be asked, as that of glibc; elsewhere nothing.
void give_back_freed_memory() noexcept;

} // namespace kftrain::apiserver

#endif
