#include <kftrain/job/plan.hpp>

namespace kftrain {

object_meta const& metadata_of(child const& c) noexcept {
    return std::visit([](auto const& object) -> object_meta const& { return object.metadata; }, c);
}

resource_info const& resource_of(child const& c) noexcept {
    return std::visit([](auto const& object) -> resource_info const& { return object.resource; }, c);
}

} // namespace kftrain
