#ifndef KFTRAIN_SRC_CONTROL_CHANGE_LIST_HPP
#define KFTRAIN_SRC_CONTROL_CHANGE_LIST_HPP

#include <kftrain/job/world.hpp>

#include <cstddef>
#include <vector>

namespace kftrain::control {

/** Changes that one primary object has not been planned with yet, in order. Of more than `limit` those of one object become
    one, so that there are never more than twice as many as there are objects.
    @par Thread safety Unsafe. */
class change_list {
public:
    static constexpr std::size_t limit = 1000;

    /// Returns whether changes were merged.
    bool add(rules::change c);
    std::vector<rules::change> take();
    /// Those that were taken and come again: before those that were added meanwhile.
    bool give_back(std::vector<rules::change> earlier);
    std::size_t size() const noexcept { return changes_.size(); }

private:
    bool merge_if_many();

    std::vector<rules::change> changes_;
    std::size_t most_ = limit; ///< at which size they are merged
};

} // namespace kftrain::control

#endif
