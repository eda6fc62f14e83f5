#include "golden/replay.hpp"

#include <kftrain/kinds/pytorch_job.hpp>

#include "golden/step_compare.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace golden {
namespace {

using namespace kftrain;
using std::chrono::seconds;

constexpr int pass_limit = 30;

json::value read_json(std::filesystem::path const& file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error("cannot read " + file.string());
    std::stringstream content;
    content << in.rdbuf();
    return json::parse(content.str());
}

std::string joined(issues const& found) {
    std::string all;
    for (auto const& i : found) all += (all.empty() ? "" : ", ") + i.message;
    return found.size() > 1 ? "[" + all + "]" : all;
}

/// The same number of errors with the same texts: upstream walks the replica types, and tells the known managers, in
/// random order.
bool same_errors(std::string recorded, issues const& found) {
    std::string const other = R"("kueue.x-k8s.io/multikueue", "kubeflow.org/training-operator")";
    if (auto const at = recorded.find(other); at != std::string::npos)
        recorded.replace(at, other.size(), R"("kubeflow.org/training-operator", "kueue.x-k8s.io/multikueue")");
    if (recorded.size() < joined(found).size() || !recorded.ends_with(found.size() > 1 ? "]" : "")) return false;
    auto const start = recorded.find("denied the request: ");
    if (start == std::string::npos || recorded.size() - start - 20 != joined(found).size()) return false;
    for (auto const& i : found)
        if (recorded.find(i.message, start) == std::string::npos) return false;
    return true;
}

operator_options read_flags(json::object const& about) {
    pytorch_operator_options told;
    for (auto const& flag : list_of(about, "flags")) {
        std::string const all(flag.as_string());
        auto const name = all.substr(0, all.find('=')), value = all.substr(all.find('=') + 1);
        if (name == "--pytorch-init-container-image")
            told.init_container_image = value;
        else if (name == "--pytorch-init-container-max-tries")
            told.init_container_max_tries = std::stoi(value);
        else
            throw std::runtime_error("this replay does not know the flag " + all);
    }
    return operator_options().set(told);
}

std::optional<refusal> admit(json::object const& job) {
    auto const found = decode_job(job).validate();
    if (!has_errors(found)) return std::nullopt;
    return refusal(403, joined(found));
}

/// A world and the clock in it. Copied where the future has two branches.
struct state {
    cluster world;
    time_point now{};
    std::optional<time_point> alarm;
    std::vector<time_point> steps; ///< when each began

    /// Times in a status as the recordings write them: `<tK>` for a second of step K.
    void write_times(json::value& v) const {
        if (v.is_array())
            for (auto& e : v.get_array()) write_times(e);
        if (!v.is_object()) return;
        for (auto& [key, value] : v.get_object()) {
            time_point t;
            if (value.is_string() && key.ends_with("Time") && parse_scalar(std::string_view(value.get_string()), t)) {
                std::size_t k = 0;
                while (k + 1 < steps.size() && steps[k + 1] <= t) ++k;
                value = "<t" + std::to_string(k) + ">";
            } else {
                write_times(value);
            }
        }
    }

    json::value status() const {
        if (!world.job) return nullptr;
        json::value s = child_of(*world.job, "status");
        write_times(s);
        return pruned(s);
    }
};

class player {
public:
    player(json::array const& steps, operator_options const& flags, replay_options const& options)
        : steps_(steps), flags_(flags), options_(options) {}

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
        s.steps.push_back(s.now);
        auto const refused = s.world.apply(event, admit);
        if (auto d = compare_refusals(recorded, refused)) return d;

        refusals const answers = recorded_refusals(recorded);
        traces done;
        if (auto d = settle(s, answers, done)) return d;
        auto const* wait = event.if_contains("seconds");
        auto const end = s.now + seconds(1 + (wait != nullptr ? wait->as_int64() : 0));
        while (options_.timers && s.alarm && *s.alarm < end) {
            s.now = std::max(s.now, *std::exchange(s.alarm, std::nullopt));
            s.world.changed = true;
            if (auto d = settle(s, answers, done)) return d;
        }
        s.now = end;
        return compare_step(recorded, done, s.world, s.status());
    }

    /// Lets the operator work until nothing changes.
    std::optional<std::string> settle(state& s, refusals const& answers, traces& done) const {
        for (int passes = 0; s.world.changed; ++passes) {
            if (passes == pass_limit) return "requests: kftrain does not come to rest";
            s.world.changed = false;
            s.alarm = operate(s.world, answers, flags_, s.now, done);
            // The operator has looked at what is leaving and has nothing more to do about it.
            if (!s.world.changed && s.world.end_moment()) s.world.changed = true;
        }
        return std::nullopt;
    }

    static std::optional<std::string> compare_refusals(json::object const& recorded,
                                                       std::vector<refusal> const& refused) {
        std::vector<std::int64_t> codes;
        for (auto const& r : list_of(recorded, "result"))
            if (auto const* code = r.as_object().if_contains("code"); code != nullptr && code->as_int64() >= 400) {
                codes.push_back(code->as_int64());
                auto const message = text(child_of(r.as_object(), "error"), "message");
                if (code->as_int64() == 403 && codes.size() <= refused.size() &&
                    !message.ends_with(refused[codes.size() - 1].message))
                    return "result: recorded " + message + ", kftrain " + refused[codes.size() - 1].message;
            }
        bool same = codes.size() == refused.size();
        for (std::size_t i = 0; same && i < codes.size(); ++i) same = codes[i] == refused[i].code;
        if (same) return std::nullopt;
        return "result: the simulated server refused " + std::to_string(refused.size()) + " requests, the real one " +
               std::to_string(codes.size());
    }

    static refusals recorded_refusals(json::object const& recorded) {
        refusals result;
        for (auto key : {"requests", "maybeRequests"})
            for (auto const& entry : list_of(recorded, key)) {
                auto const& r = entry.as_object();
                auto const* code = r.if_contains("code");
                if (code == nullptr || text(r, "method") != "POST") continue;
                auto const path = text(r, "path");
                auto const name = text(child_of(child_of(r, "body"), "metadata"), "name");
                result.emplace(path.substr(path.rfind('/') + 1) + "/" + name,
                               refusal(static_cast<int>(code->as_int64()), text(child_of(r, "error"), "message")));
            }
        return result;
    }

    json::array const& steps_;
    operator_options const& flags_;
    replay_options const& options_;
    std::size_t depth_ = 0;
    std::string deepest_;
};

} // namespace

std::string check_admission(std::filesystem::path const& folder) {
    auto const answer = read_json(folder / "admission.json").as_object();
    auto const job = read_json(folder / "job.json").as_object();
    issues found;
    try {
        found = decode_job(job).validate();
    } catch (kftrain::error const& e) {
        issue i;
        i.message = e.what();
        found.push_back(i);
    }
    if (answer.at("accepted").as_bool())
        return has_errors(found) ? "admission: recorded as accepted, kftrain says " + joined(found) : "";
    if (!has_errors(found)) return "admission: recorded as refused, kftrain accepts";
    auto const message = text(child_of(answer, "status"), "message");
    // The schema's own errors hide those of the rules; that the job is refused is all that can be compared.
    if (child_of(answer, "status").at("code").as_int64() != 403) return "";
    if (same_errors(message, found)) return "";
    for (auto const& other : list_of(answer, "alternatives"))
        if (same_errors(text(child_of(other.as_object(), "status"), "message"), found)) return "";
    return "admission.status.message: recorded " + message + ", kftrain " + joined(found);
}

std::string replay(std::filesystem::path const& folder, replay_options const& options) {
    auto const about = read_json(folder / "case.json").as_object();
    auto const steps = read_json(folder / "steps.json").as_array();
    auto const answer = read_json(folder / "admission.json").as_object();
    auto const flags = read_flags(about);

    state start;
    start.now = time_point(seconds(1767225600)); // 2026-01-01
    for (auto const& event : list_of(about, "before")) start.world.apply(event.as_object(), admit);
    json::object job = answer.at("stored").as_object();
    job["metadata"].as_object()["uid"] = "<uid:" + text(child_of(job, "metadata"), "name") + ">";
    start.world.job = std::move(job);
    start.world.changed = false;

    player p(steps, flags, options);
    return p.play(start, 0) ? std::string() : p.difference();
}

} // namespace golden
