#include "golden/timeline.hpp"

#include <cmath>

namespace golden {

using kftrain::time_point;
using std::chrono::seconds;

time_point timeline::start() { return time_point(seconds(1767225600)); } // 2026-01-01

time_point timeline::end_of(json::object const& event) const {
    auto const* wait = event.if_contains("seconds");
    return steps_.back() + seconds(1 + (wait != nullptr ? std::lround(std::ceil(wait->to_number<double>())) : 0));
}

json::value timeline::reported(json::object const& status) const {
    json::value s = status;
    write_times(s);
    return pruned(s);
}

void timeline::write_times(json::value& v) const {
    if (v.is_array())
        for (auto& e : v.get_array()) write_times(e);
    if (!v.is_object()) return;
    for (auto& [key, value] : v.get_object()) {
        time_point t;
        if (value.is_string() && key.ends_with("Time") &&
            kftrain::parse_scalar(std::string_view(value.get_string()), t)) {
            std::size_t k = 0;
            while (k + 1 < steps_.size() && steps_[k + 1] <= t) ++k;
            value = "<t" + std::to_string(k) + ">";
        } else if (key == "runningDuration") { // how long it took is chance
            value = "<duration>";
        } else {
            write_times(value);
        }
    }
}

} // namespace golden
