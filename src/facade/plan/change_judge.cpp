#include "facade/plan/change_judge.hpp"

#include "kinds/child_kinds.hpp"

#include <algorithm>

namespace kftrain {
namespace {

/// Whether operators make children of the kind right that differ from what is wanted.
bool is_kept_right(std::string const& kind) {
    auto const* const child = find_child_kind(kind);
    return child != nullptr && (child->update == child_update::replace || child->update == child_update::roll);
}

void take_graver(judgement& worst, judgement const& other) {
    if (other.effect > worst.effect || worst.why.empty()) worst = other;
}

} // namespace

change_judge::change_judge(prepared_job const& before, prepared_job const& whole)
    : before_(before), whole_(whole), refusals_(whole_->validate_update(*before_)) {
    std::erase_if(refusals_, [](issue const& i) { return i.level != issue::severity::error; });
    finished_ = is_finished(before_->phase());
    suspended_ = before_.suspending().suspended;
    members_ = members_of(before_);
    objects_ = objects_of(before_);
}

change_judge::counts change_judge::members_of(prepared_job const& job) {
    counts all;
    for (auto const& m : job.layout().members) ++all[m.role];
    return all;
}

change_judge::objects_by_name change_judge::objects_of(prepared_job const& job) {
    objects_by_name all;
    for (auto& o : job.render()) {
        auto name = o.metadata().name;
        if (name.empty()) name = o.metadata().generate_name; // drawn later: those of one beginning are numbered
        std::pair<std::string, std::string> key(o.type().kind(), name);
        for (int n = 2; all.contains(key); ++n) key.second = name + "#" + std::to_string(n);
        all.emplace(std::move(key), std::move(o));
    }
    return all;
}

bool change_judge::is_runnable(prepared_job const& next) const { return before_.is_valid() && next.is_valid(); }

judgement change_judge::judge(prepared_job const& next, bool of_metadata) const {
    if (finished_) {
        if (of_metadata) return {change_effect::none, "the job is finished"};
        bool const cleans_up = !is_runnable(next) || objects_of(next) == objects_;
        if (!cleans_up) return {change_effect::recreation, "the job is finished and does not run again"};
        return {change_effect::none, "the job is finished; only its cleanup still reads the field"};
    }
    issues refused = next->validate_update(*before_);
    std::erase_if(refused, [](issue const& i) { return i.level != issue::severity::error; });
    // Changes that are allowed together only are not refused one by one.
    if (!refused.empty() && !refusals_.empty())
        return {change_effect::recreation, "refused: " + join_errors(refused, "; ")};
    if (!before_.is_valid())
        return {change_effect::in_place, "the stored job violates rules of its kind, so it does not run yet"};
    if (!is_runnable(next)) {
        // Alone it would break a rule, with the others it does not.
        if (of_metadata || !is_runnable(whole_))
            return {change_effect::recreation, "the change violates rules of the kind"};
        return judgement(change_effect::in_place, "allowed only together with the other changes");
    }
    if (!of_metadata) {
        if (auto const found = of_suspension(next)) return *found;
        if (auto const found = of_counts(next)) return *found;
    }
    return of_objects(next, of_metadata);
}

std::optional<judgement> change_judge::of_suspension(prepared_job const& next) const {
    auto const now = before_.suspending();
    auto const then = next.suspending();
    if (now.suspended == then.suspended) return std::nullopt;
    if (!now.refused.empty()) return judgement(change_effect::recreation, now.refused);
    return judgement(change_effect::in_place, then.suspended
                                                  ? "the operator deletes the pods until the job is resumed"
                                                  : "the operator creates the pods from the new job; to resume it, "
                                                    "use resume, which waits until the old pods are deleted");
}

std::optional<judgement> change_judge::of_counts(prepared_job const& next) const {
    auto const then = members_of(next);
    if (then == members_) return std::nullopt;
    judgement worst;
    auto const look = [&](std::string const& role, std::int32_t before, std::int32_t after) {
        if (before == after) return;
        std::string const path = "replicas of " + role;
        auto place = rules::checked_place(before_.scaling(), role, after, path);
        if (!place && is_runnable(whole_)) { // a range may grow by the same submission
            auto of_whole = rules::checked_place(whole_.scaling(), role, after, path);
            if (of_whole) place = std::move(of_whole);
        }
        if (!place)
            take_graver(worst, {change_effect::recreation, place.error().detail.message});
        else
            take_graver(worst, {change_effect::in_place, place->effect.empty() ? "the job is scaled" : place->effect});
    };
    for (auto const& [role, count] : members_) {
        auto const found = then.find(role);
        look(role, count, found == then.end() ? 0 : found->second);
    }
    for (auto const& [role, count] : then)
        if (!members_.contains(role)) look(role, 0, count);
    return worst;
}

judgement change_judge::of_object(std::string const& kind) const {
    if (kind == "Pod") {
        if (suspended_)
            return {change_effect::in_place,
                    "the job is suspended; the operator creates the pods when the job is resumed"};
        return {change_effect::later,
                "the operator does not replace existing pods; the change applies to pods that it creates later"};
    }
    auto const* const child = find_child_kind(kind);
    switch (child == nullptr ? child_update::none : child->update) {
    case child_update::roll:
        return {change_effect::in_place, "the operator updates the " + kind + ", which replaces its pods one by one"};
    case child_update::replace: return {change_effect::in_place, "the operator updates the " + kind};
    case child_update::keep: return {change_effect::none, "the " + kind + " stays unchanged"};
    case child_update::none: break;
    }
    return {change_effect::recreation, "the operator does not update the " + kind + " that it created"};
}

judgement change_judge::of_objects(prepared_job const& next, bool of_metadata) const {
    judgement worst;
    auto const then = objects_of(next);
    for (auto const& [key, object] : objects_) {
        auto const found = then.find(key);
        if (found == then.end())
            take_graver(worst, {change_effect::recreation, key.first + " " + key.second + " stays unchanged"});
        else if (!(found->second == object))
            take_graver(worst, of_object(key.first));
    }
    for (auto const& [key, object] : then)
        if (!objects_.contains(key))
            take_graver(worst, {change_effect::in_place, "the operator creates " + key.first + " " + key.second});
    if (!worst.why.empty()) return worst;
    if (of_metadata) return {change_effect::none, "no object of the job has this metadata"};
    return {change_effect::in_place, "the operator reads the field in each reconciliation"};
}

std::vector<object_change_plan> change_judge::objects() const {
    std::vector<object_change_plan> all;
    if (finished_ || !refusals_.empty() || !is_runnable(whole_)) return all;
    auto const add = [&](std::pair<std::string, std::string> const& key, char const* verb) {
        auto& one = all.emplace_back();
        one.kind = key.first;
        one.name = key.second;
        one.verb = verb;
    };
    bool const stops = !suspended_ && whole_.suspending().suspended;
    bool const resumes = suspended_ && !whole_.suspending().suspended;
    auto const then = objects_of(whole_);
    if (stops || resumes) { // other objects that come and go differ from kind to kind, and are not reported
        for (auto const& [key, object] : stops ? objects_ : then)
            if (key.first == "Pod") add(key, stops ? "delete" : "create");
        return all;
    }
    auto const counted = of_counts(whole_);
    bool const scales = counted && counted->effect == change_effect::in_place;
    for (auto const& [key, object] : then) {
        auto const found = objects_.find(key);
        bool const of_member = key.first == "Pod" || key.first == "Service";
        if (found == objects_.end()) {
            if (!suspended_ && (!of_member || scales)) add(key, "create");
        } else if (is_kept_right(key.first) && !(found->second == object)) {
            add(key, "replace");
        }
    }
    for (auto const& [key, object] : objects_)
        if (!then.contains(key) && !suspended_ && scales && (key.first == "Pod" || key.first == "Service"))
            add(key, "delete");
    return all;
}

} // namespace kftrain
