#include "kinds/child_kinds.hpp"

#include <algorithm>
#include <array>

namespace kftrain {
namespace {

constexpr std::array<child_kind, 12> kinds_of_children{{{"ConfigMap", child_update::replace},
                                                        {"HorizontalPodAutoscaler", child_update::replace, true},
                                                        {"Job", child_update::none, true, true},
                                                        {"JobSet", child_update::none, true},
                                                        {"NetworkPolicy", child_update::replace},
                                                        {"PersistentVolumeClaim", child_update::none, true},
                                                        {"PodGroup", child_update::replace, true, false, true},
                                                        {"Role", child_update::replace},
                                                        {"RoleBinding", child_update::replace},
                                                        {"Secret", child_update::keep},
                                                        {"ServiceAccount", child_update::keep},
                                                        {"StatefulSet", child_update::roll, true, true}}};

} // namespace

std::span<child_kind const> child_kinds() noexcept { return kinds_of_children; }

child_kind const* find_child_kind(std::string_view kind) noexcept {
    auto const at = std::ranges::find(kinds_of_children, kind, &child_kind::kind);
    return at == kinds_of_children.end() ? nullptr : &*at;
}

} // namespace kftrain
