#include "golden/clusters/controller_cluster.hpp"
#include "golden/clusters/served_player.hpp"

#include <functional>

namespace golden {

std::string check_served_admission(recorded_case const& c, allowances const& allowed) {
    auto const kind = kind_of(c, allowed);
    controller_cluster played(kind, has_kubernetes(c));
    return compare_admission(c.admission, served_player(c, kind, allowed, played).create(), allowed);
}

std::string check_operator(recorded_case const& c, allowances const& allowed) {
    if (c.steps.empty()) return "";
    auto const kind = kind_of(c, allowed);
    std::string deepest;
    std::size_t depth = 0;
    // Along every outcome of races: steps before `decided` are settled, in the others moments are hidden first.
    std::function<bool(std::vector<bool>, std::size_t)> explore = [&](std::vector<bool> shown, std::size_t decided) {
        std::vector<bool> moments;
        controller_cluster played(kind, has_kubernetes(c));
        auto const difference = served_player(c, kind, allowed, played).play(shown, moments);
        if (difference.empty()) return true;
        if (deepest.empty() || moments.size() > depth) {
            depth = moments.size();
            deepest = difference;
        }
        for (std::size_t i = moments.size(); i-- > decided;) {
            if (!moments[i]) continue;
            auto other = shown;
            other[i] = true;
            if (explore(std::move(other), i + 1)) return true;
        }
        return false;
    };
    return explore(std::vector<bool>(c.steps.size()), 0) ? std::string() : deepest;
}

} // namespace golden
