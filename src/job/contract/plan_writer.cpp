#include <kftrain/job/plan_writer.hpp>

namespace kftrain::rules {
namespace {

constexpr char removals{}; ///< its address names the group

} // namespace

KFTRAIN_DEFINE_SPECIAL_MEMBERS(step);
KFTRAIN_DEFINE_SPECIAL_MEMBERS(plan);

void plan_writer::create(rules::create c) {
    void const* const type = &c.object.type();
    join(type).emplace_back(std::move(c));
}

void plan_writer::remove(rules::remove r) { join(&removals).emplace_back(std::move(r)); }

std::vector<action>& plan_writer::join(void const* group) {
    if (closed_ || group_ != group) {
        flush();
        steps_.emplace_back().side_by_side = true;
        group_ = group;
        closed_ = false;
    }
    auto& actions = steps_.back().actions;
    for (auto& t : events_) actions.push_back(std::move(t));
    events_.clear();
    return actions;
}

void plan_writer::add(action a) {
    flush();
    if (closed_ || group_ != nullptr) {
        steps_.emplace_back();
        group_ = nullptr;
        closed_ = false;
    }
    steps_.back().actions.push_back(std::move(a));
}

void plan_writer::add(action a, write_status refused) {
    flush();
    closed_ = true;
    add(std::move(a));
    steps_.back().refused = std::move(refused);
    closed_ = true;
}

void plan_writer::flush() {
    for (auto& t : std::exchange(events_, {})) add(std::move(t));
}

std::vector<step> plan_writer::take() {
    flush();
    closed_ = true;
    return std::exchange(steps_, {});
}

} // namespace kftrain::rules
