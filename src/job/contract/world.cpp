#include <kftrain/job/world.hpp>

namespace kftrain::rules {

std::span<any_object const> world::all(std::string_view name) const noexcept {
    for (auto const& r : rows_)
        if (r.name == name) return r.objects;
    return {};
}

void world::add(std::string_view name, std::vector<any_object> objects) {
    for (auto& r : rows_)
        if (r.name == name) {
            r.objects.insert(r.objects.end(), objects.begin(), objects.end());
            return;
        }
    rows_.emplace_back(name, std::move(objects));
}

void world::set_changes(std::vector<change> changes) noexcept { changes_ = std::move(changes); }

std::vector<change> world::take_changes() noexcept { return std::exchange(changes_, {}); }

} // namespace kftrain::rules
