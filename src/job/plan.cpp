#include <kftrain/job/plan.hpp>

namespace kftrain {

KFTRAIN_DEFINE_SPECIAL_MEMBERS(plan);

void observed::add(any_object object) {
    if (auto p = object.share<pod>())
        pods.push_back(std::move(p));
    else if (auto s = object.share<service>())
        services.push_back(std::move(s));
    else
        others.push_back(std::move(object));
}

} // namespace kftrain
