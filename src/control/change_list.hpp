#ifndef KFTRAIN_SRC_CONTROL_CHANGE_LIST_HPP
#define KFTRAIN_SRC_CONTROL_CHANGE_LIST_HPP

#include <kftrain/job/world.hpp>

#include <cstddef>
#include <vector>

namespace kftrain::control {

/** The changes of one primary object that no plan has received yet, in order. Above `limit`, the changes of each object
    are merged into one, so the list has at most twice as many entries as there are objects.
    @par Thread safety Unsafe. */
class change_list {
public:
    static constexpr std::size_t limit = 1000;

    /// Returns whether changes were merged.
    bool add(rules::change c);
    std::vector<rules::change> take();
    /// Puts taken changes back, before those that were added since.
    bool give_back(std::vector<rules::change> earlier);
    std::size_t size() const noexcept { return changes_.size(); }

private:
    bool merge_if_many();

    std::vector<rules::change> changes_;
    std::size_t most_ = limit; ///< at which size they are merged
};

} // namespace kftrain::control

#endif
