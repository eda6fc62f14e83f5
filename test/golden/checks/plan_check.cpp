#include "golden/checks/admission.hpp"
#include "golden/checks/operator_pass.hpp"
#include "golden/checks/step_compare.hpp"
#include "golden/clusters/planner_cluster.hpp"
#include "golden/clusters/served_player.hpp"
#include "golden/kinds/flags.hpp"
#include "golden/timeline.hpp"

namespace golden {
namespace {

using namespace kftrain;

constexpr int pass_limit = 30;

std::optional<refusal> admit_change(recorded_kind const& kind, json::object& job, json::object const& before) {
    auto answer = admit_by_rules(kind, job, &before);
    if (!answer.accepted)
        return refusal(static_cast<int>(answer.status.at("code").as_int64()), text(answer.status, "message"));
    // The definition of the kind may have filled in or pruned something; metadata and status stay the simulation's.
    job["spec"] = child_of(answer.stored, "spec");
    return std::nullopt;
}

/// A world and the clock in it. Copied where the future has two branches.
struct state {
    cluster world;
    timeline times;
    time_point now = timeline::start();
    std::optional<time_point> alarm;

    aftermath look() const {
        aftermath left;
        left.job_exists = world.job.has_value();
        left.status = world.job ? times.reported(child_of(*world.job, "status")) : json::value();
        for (auto const& [name, p] : world.in(pods_path))
            left.pods[name] = text(child_of(p, "status"), "phase") +
                              (child_of(p, "metadata").contains("deletionTimestamp") ? " terminating" : "");
        for (auto const& [name, s] : world.in(services_path)) left.services.emplace_back(name);
        return left;
    }
};

class player {
public:
    player(json::array const& steps, operator_options const& options, cluster::admission const& admit,
           allowances const& allowed)
        : steps_(steps), options_(options), admit_(admit), allowed_(allowed) {}

    /// Plays from step `i` on, along every outcome of races. True if one agrees with the recording to the end.
    bool play(state const& before, std::size_t i) {
        if (i == steps_.size()) return true;
        for (bool moments : {false, true}) {
            state s = before;
            s.world.moments = moments;
            s.world.had_moment = false;
            auto const difference = step(s, i);
            if (moments && !s.world.had_moment) return false; // nothing left, so this branch is the first one again
            if (difference)
                note(i, *difference);
            else if (play(s, i + 1))
                return true;
        }
        return false;
    }

    std::string const& difference() const { return deepest_; }

private:
    void note(std::size_t i, std::string const& difference) {
        if (!deepest_.empty() && i <= depth_) return;
        depth_ = i;
        deepest_ = "steps[" + std::to_string(i) + "]." + difference;
    }

    std::optional<std::string> step(state& s, std::size_t i) const {
        auto const& recorded = steps_[i].as_object();
        auto const& event = recorded.at("event").as_object();
        s.times.begin_step(s.now);
        auto const refused = s.world.apply(event, admit_);
        if (auto d = compare_refusals(recorded, refused)) return d;

        refusals const answers = recorded_refusals(recorded);
        traces done;
        if (auto d = settle(s, answers, done)) return d;
        auto const end = s.times.end_of(event);
        while (!allowed_.contains("no-timers") && s.alarm && *s.alarm < end) {
            s.now = std::max(s.now, *std::exchange(s.alarm, std::nullopt));
            s.world.changed = true;
            if (auto d = settle(s, answers, done)) return d;
        }
        s.now = end;
        if (auto d = compare_step(recorded, done, s.look())) return d;
        return compare_status_writes(recorded, done);
    }

    /// Lets the operator work until nothing changes.
    std::optional<std::string> settle(state& s, refusals const& answers, traces& done) const {
        for (int passes = 0; s.world.changed; ++passes) {
            if (passes == pass_limit) return "requests: kftrain does not come to rest";
            s.world.changed = false;
            s.alarm = operate(s.world, answers, options_, s.now, done);
            // The operator has looked at what is leaving and has nothing more to do about it.
            if (!s.world.changed && s.world.end_moment()) s.world.changed = true;
        }
        return std::nullopt;
    }

    /// Why the server refused creations: here that is taken from the recording.
    static refusals recorded_refusals(json::object const& recorded) {
        refusals result;
        for (auto key : {"requests", "maybeRequests"})
            for (auto const& entry : list_of(recorded, key)) {
                auto const& r = entry.as_object();
                auto const* code = r.if_contains("code");
                if (code == nullptr || text(r, "method") != "POST") continue;
                result.emplace(object_path(text(r, "path")).collection + "/" +
                                   text(child_of(child_of(r, "body"), "metadata"), "name"),
                               refusal(static_cast<int>(code->as_int64()), text(child_of(r, "error"), "message")));
            }
        return result;
    }

    json::array const& steps_;
    operator_options const& options_;
    cluster::admission admit_;
    allowances const& allowed_;
    std::size_t depth_ = 0;
    std::string deepest_;
};

} // namespace

std::string check_plan(recorded_case const& c, allowances const& allowed) {
    if (c.steps.empty()) return "";
    auto const kind = kind_of(c, allowed);
    if (has_kubernetes(c)) {
        // A Job controller needs the defaults of an API server.
        planner_cluster played(kind, true);
        std::vector<bool> moments;
        return served_player(c, kind, allowed, played).play(std::vector<bool>(c.steps.size()), moments);
    }
    auto const options = read_flags(c.about);
    auto const admit = [&](json::object& job, json::object const& before) { return admit_change(kind, job, before); };
    state start;
    for (auto const& event : list_of(c.about, "before")) start.world.apply(event.as_object(), admit);
    json::object job = c.admission.at("stored").as_object();
    job["metadata"].as_object()["uid"] = "<uid:" + text(child_of(job, "metadata"), "name") + ">";
    start.world.job = std::move(job);
    start.world.changed = false;

    player p(c.steps, options, admit, allowed);
    return p.play(start, 0) ? std::string() : p.difference();
}

} // namespace golden
