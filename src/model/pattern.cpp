#include "model/pattern.hpp"

#include "model/code_points.hpp"

#include <algorithm>

namespace kftrain {

bool pattern::found_in(std::string_view text) const {
    auto const input = code_points(text);
    std::vector<std::size_t> now, then, waiting;
    std::vector<std::size_t> seen(steps_.size(), 0); // the position at which a step was last entered, plus 1
    bool matched = false;
    auto const enter = [&](std::vector<std::size_t>& list, std::size_t from, std::size_t position) {
        waiting.push_back(from);
        while (!waiting.empty()) {
            auto const i = waiting.back();
            waiting.pop_back();
            if (seen[i] == position + 1) continue;
            seen[i] = position + 1;
            auto const& s = steps_[i];
            switch (s.what) {
            case step::kind::done: matched = true; break;
            case step::kind::one_of: list.push_back(i); break;
            case step::kind::split:
                waiting.push_back(s.next);
                waiting.push_back(s.other);
                break;
            case step::kind::begin:
                if (position == 0) waiting.push_back(s.next);
                break;
            case step::kind::end:
                if (position == input.size()) waiting.push_back(s.next);
                break;
            }
        }
    };
    for (std::size_t position = 0;; ++position) {
        enter(now, start_, position);
        if (matched || position == input.size()) return matched;
        then.clear();
        for (auto const i : now) {
            auto const fits = [c = input[position]](auto const& r) { return c >= r.first && c <= r.second; };
            if (std::ranges::any_of(steps_[i].set, fits)) enter(then, steps_[i].next, position + 1);
        }
        if (matched) return true;
        now.swap(then);
    }
}

} // namespace kftrain
