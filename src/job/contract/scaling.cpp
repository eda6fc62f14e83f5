#include <kftrain/job/scaling.hpp>

#include "base/joined.hpp"

#include <algorithm>

namespace kftrain::rules {

failure cannot(std::string path, std::string why) {
    failure f;
    f.code = errc::invalid_argument;
    f.detail.path = std::move(path);
    f.detail.message = std::move(why);
    return f;
}

result<scale_place> checked_place(scaling const& now, std::string_view role, std::int32_t replicas,
                                  std::string const& path) {
    if (now.places.empty()) return cannot(path, "the job cannot be scaled: " + now.refused);
    auto const place = std::ranges::find(now.places, role, &scale_place::role);
    if (place == now.places.end())
        return cannot(path, "replicas of this type cannot be scaled, expected " +
                                joined(now.places, ", ", &scale_place::role));
    std::int32_t const least = place->least.value_or(0);
    if (replicas < least || (place->most && replicas > *place->most))
        return cannot(path, std::to_string(replicas) + ", expected " +
                                (place->most ? std::to_string(least) + " to " + std::to_string(*place->most)
                                             : "at least " + std::to_string(least)));
    return *place;
}

suspending suspending_of(bool suspended, bool finished) {
    suspending s;
    s.suspended = suspended;
    if (finished) s.refused = "the job is finished";
    return s;
}

} // namespace kftrain::rules
