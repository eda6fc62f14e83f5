#ifndef KFTRAIN_SRC_KINDS_CHILD_KINDS_HPP
#define KFTRAIN_SRC_KINDS_CHILD_KINDS_HPP

#include <cstdint>
#include <span>
#include <string_view>

namespace kftrain {

/// The action of an operator on a child that differs from the one that it would create now.
enum class child_update : std::uint8_t {
    none,    ///< it leaves the child alone, and the child does not match the job
    keep,    ///< it leaves the child alone, which is still right
    replace, ///< it makes the child right
    roll,    ///< it makes the child right, and a built-in controller replaces its pods one by one
};

/// A kind of objects that operators create for jobs, beside pods and services.
struct child_kind {
    std::string_view kind;
    child_update update = child_update::none;
    bool has_events = false; ///< operators, schedulers or built-in controllers write events about it
    bool makes_pods = false; ///< its controller makes pods whose names begin with its own
    bool is_gang = false;    ///< a gang scheduler may make one for any job, under the name of the job
};

/// Returns all of them.
std::span<child_kind const> child_kinds() noexcept;
/// Returns null for kinds that operators create and never look at again.
child_kind const* find_child_kind(std::string_view kind) noexcept;

} // namespace kftrain

#endif
