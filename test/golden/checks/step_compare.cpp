#include "golden/checks/step_compare.hpp"

#include "golden/checks/request_compare.hpp"
#include "golden/clusters/stimulus.hpp"

#include <algorithm>

namespace golden {
namespace {

/// Upstream writes the status of a job that it has deleted: docs/reference/upstream-differences.md, `#gone-status`.
bool is_status_of_gone_job(json::object const& entry) {
    auto const* code = entry.if_contains("code");
    return text(entry, "method") == "PUT" && text(entry, "path").ends_with("/status") && code != nullptr &&
           *code == 404;
}

/// Whether an object is replaced several times in the step.
bool is_overtaken(json::object const& entry, json::object const& recorded) {
    auto const is_same = [&](json::value const& e) {
        auto const& o = e.as_object();
        return text(o, "method") == "PUT" && text(o, "path") == text(entry, "path");
    };
    return text(entry, "method") == "PUT" && std::ranges::count_if(list_of(recorded, "requests"), is_same) > 1;
}

/// Upstream repeats writes that change nothing; other implementations need not.
bool is_unchanged(json::object const& recorded, request const& r) {
    auto const line = r.method + " " + r.path;
    return std::ranges::any_of(list_of(recorded, "unchangedWrites"),
                               [&](json::value const& e) { return e.as_string() == line; });
}

/// Whether a Job is about to end: its status changes again in the same second, so a pass may or may not observe it.
bool is_passing(json::value const& status) {
    auto const all = status.is_object() ? list_of(status.get_object(), "conditions") : json::array();
    auto const last = all.empty() ? std::string() : text(all.back().as_object(), "type");
    return last == "SuccessCriteriaMet" || last == "FailureTarget";
}

outcome compare_requests(json::object const& recorded, traces const& all, aftermath const& left) {
    auto const& done = all.requests;
    auto const itself = [&](request const& r) { return !all.own_path.empty() && r.path == all.own_path; };
    // A pass in the middle of a stimulus of several parts may or may not happen, and may replace an object for each
    // part.
    bool const many = all.overlooked || stimulus::is_many(child_of(recorded, "event"));
    std::vector<bool> matched(done.size());
    auto const take = [&](json::value const& entry, std::string const& path, bool required) -> outcome {
        request const wanted = read_request(entry.as_object());
        bool const chance = !required;
        outcome difference;
        for (std::size_t i = 0; i < done.size(); ++i) {
            if (!same_object(done[i], wanted)) continue;
            auto d = itself(wanted) ? differ_itself(path, wanted, done[i], many)
                     : chance       ? differ(path, without_generation(wanted), without_generation(done[i]))
                                    : differ(path, wanted, done[i]);
            if (!d) {
                matched[i] = true;
                difference.reset();
                required = false;
            } else if (required && !difference) {
                difference = std::move(d);
            }
        }
        if (!required) return std::nullopt;
        if (itself(wanted) && (is_passing(member(wanted.body, "status")) ||
                               !beyond("", member(wanted.body, "spec"), pruned(member(left.job, "spec")))))
            return std::nullopt;
        return difference ? difference : path + "[" + wanted.title() + "]: recorded, but kftrain does not send it";
    };
    for (auto const& entry : list_of(recorded, "requests")) {
        bool const chance =
            many && is_overtaken(entry.as_object(), recorded) &&
            std::ranges::any_of(done, [&](auto const& r) { return same_object(r, read_request(entry.as_object())); });
        if (is_status_of_gone_job(entry.as_object())) continue;
        if (auto d = take(entry, "requests", !chance)) return d;
    }
    for (auto const* key : {"maybeRequests", "intermediateRequests"})
        for (auto const& entry : list_of(recorded, key)) take(entry, key, false);
    auto const is_last = [&](request const& r) {
        return std::none_of(done.begin() + (&r - done.data()) + 1, done.end(),
                            [&](request const& later) { return same_object(later, r); });
    };
    for (std::size_t i = 0; i < done.size(); ++i) {
        bool const chance =
            itself(done[i]) && (is_unchanged(recorded, done[i]) || is_passing(member(done[i].body, "status")));
        if (!matched[i] && !chance && (!many || done[i].method != "PUT" || is_last(done[i])))
            return "requests[" + done[i].title() + "]: kftrain sends it, but it is not recorded";
    }
    return std::nullopt;
}

/// Creations of one type have a fixed order; deletions need not, so a list with a deletion is ignored.
outcome compare_order(json::object const& recorded, std::vector<request> const& done) {
    for (auto const& [type, list] : child_of(recorded, "order")) {
        std::vector<std::string> wanted;
        bool only_creations = true;
        for (auto const& line : list.as_array()) {
            wanted.emplace_back(line.as_string());
            only_creations = only_creations && wanted.back().starts_with("POST ");
        }
        if (!only_creations) continue;
        std::vector<std::string> found;
        for (auto const& r : done)
            if (auto title = r.title(); std::find(wanted.begin(), wanted.end(), title) != wanted.end() &&
                                        std::find(found.begin(), found.end(), title) == found.end())
                found.push_back(std::move(title));
        for (std::size_t i = 0; i < wanted.size() && i < found.size(); ++i)
            if (wanted[i] != found[i])
                return "order." + std::string(type) + "[" + std::to_string(i) + "]: recorded " + wanted[i] +
                       ", kftrain " + found[i];
    }
    return std::nullopt;
}

std::set<event_key> read_events(json::object const& recorded, std::string_view key) {
    std::set<event_key> result;
    for (auto const& e : list_of(recorded, key)) {
        auto const& o = e.as_object();
        result.emplace(text(o, "type"), text(o, "reason"), text(o, "message"), involved_object(o));
    }
    return result;
}

std::string shown(event_key const& e) {
    return "events[" + std::get<0>(e) + " " + std::get<1>(e) + " \"" + std::get<2>(e) + "\" of " + std::get<3>(e) + "]";
}

outcome compare_events(json::object const& recorded, std::set<event_key> const& raised) {
    auto const wanted = read_events(recorded, "events");
    auto const possible = read_events(recorded, "maybeEvents");
    for (auto const& e : wanted)
        if (!raised.contains(e)) return shown(e) + ": recorded, but kftrain does not raise it";
    for (auto const& e : raised)
        if (!wanted.contains(e) && !possible.contains(e))
            return shown(e) + ": kftrain raises it, but it is not recorded";
    return std::nullopt;
}

outcome compare_status(json::object const& recorded, json::value const& status) {
    std::vector<json::value> accepted{pruned(recorded.at("status"))};
    for (auto const& other : list_of(recorded, "statusAlternatives")) accepted.push_back(pruned(other));
    outcome first;
    for (auto const& wanted : accepted) {
        auto d = first_difference("status", wanted, status);
        if (!d) return std::nullopt;
        if (!first) first = std::move(d);
    }
    return first;
}

/// Of pods with the same described name, recordings keep the phase of one.
outcome compare_pods(json::object const& recorded, json::object ours) {
    for (auto& [name, phase] : ours) {
        auto const* wanted = recorded.if_contains(name);
        if (!phase.is_array() || wanted == nullptr) continue;
        auto const& all = phase.get_array();
        if (std::find(all.begin(), all.end(), *wanted) != all.end()) phase = *wanted;
    }
    return first_difference("pods", recorded, ours);
}

/// Whether the second list has one condition more than the first.
bool grows(json::value const& before, json::value const& after) {
    auto const &a = before.as_array(), &b = after.as_array();
    return a.size() + 1 == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

/// Like is_passing(), for the description of a status.
bool is_passing_line(json::value const& reported) {
    auto const has = [&](std::string_view type) {
        return std::ranges::any_of(reported.as_array(),
                                   [&](auto const& line) { return line.as_string().starts_with(type); });
    };
    return (has("SuccessCriteriaMet=") || has("FailureTarget=")) && !has("Complete=") && !has("Failed=");
}

/// Leaves out states that an operator observed only in the middle of a stimulus of several parts.
json::array without_moments(json::array const& ours, json::array const& wanted) {
    json::array kept;
    for (auto const& line : ours)
        if (&line == &ours.back() || std::ranges::find(wanted, line) != wanted.end()) kept.push_back(line);
    return kept;
}

/// Compares the conditions after each write of the status, as far as all runs of the recording agree.
outcome compare_transitions(json::object const& recorded, traces const& done) {
    // An operator that writes the whole job writes its status again and again.
    bool const whole = !done.own_path.empty();
    auto const changes = [&](json::array const& all) {
        json::array lines(whole ? 1 : 0, done.before);
        for (auto const& c : all)
            if ((lines.empty() || lines.back() != c) && !(whole && is_passing_line(c))) lines.push_back(c);
        return lines;
    };
    auto ours = changes(json::array(done.conditions.begin(), done.conditions.end()));
    auto const wanted = changes(list_of(recorded, "transitions"));
    bool const many = done.overlooked || stimulus::is_many(child_of(recorded, "event"));
    if (many && whole) ours = without_moments(ours, wanted);
    // An operator may write counts before the part of a stimulus that changes the conditions.
    if (many && ours.size() == wanted.size() + 1 && ours.size() > 1 && grows(ours[0], ours[1]))
        ours.erase(ours.begin());
    auto const first = first_difference("transitions", wanted, ours);
    if (!first) return std::nullopt;
    for (auto const& other : list_of(recorded, "transitionsAlternatives"))
        if (!first_difference("", changes(other.as_array()), ours)) return std::nullopt;
    // A recording has the first of several phases again if the status was written before it changed.
    auto phases = list_of(recorded, "transitions");
    if (!phases.empty() && phases.front().is_string()) {
        phases.erase(phases.begin());
        if (!first_difference("", phases, ours)) return std::nullopt;
    }
    return first;
}

} // namespace

std::optional<std::string> compare_step(json::object const& recorded, traces const& done, aftermath const& left) {
    if (auto d = compare_requests(recorded, done, left)) return d;
    if (auto d = compare_order(recorded, done.requests)) return d;
    if (auto d = compare_events(recorded, done.events)) return d;
    if (recorded.contains("jobGone") == left.job_exists)
        return std::string("jobGone: the job ") + (left.job_exists ? "is still there" : "is gone");
    if (auto d = compare_status(recorded, left.status)) return d;
    if (auto d = compare_transitions(recorded, done)) return d;
    if (auto d = compare_pods(recorded.at("pods").as_object(), left.pods)) return d;
    return first_difference("services", recorded.at("services"), left.services);
}

std::optional<std::string> compare_status_writes(json::object const& recorded, traces const& done) {
    auto const* writes = recorded.if_contains("statusWrites");
    if (writes == nullptr) return std::nullopt;
    auto const most = (writes->is_array() ? writes->get_array().at(1) : *writes).as_int64();
    auto const ours = static_cast<std::int64_t>(done.conditions.size());
    if (ours <= most) return std::nullopt;
    return "statusWrites: recorded at most " + std::to_string(most) + ", kftrain " + std::to_string(ours);
}

std::optional<std::string> compare_refusals(json::object const& recorded, std::vector<refusal> const& refused) {
    std::vector<refusal> wanted;
    for (auto const& r : list_of(recorded, "result")) {
        auto const& o = r.as_object();
        if (auto const* code = o.if_contains("code"); code != nullptr && code->as_int64() >= 400)
            wanted.emplace_back(static_cast<int>(code->as_int64()), text(child_of(o, "error"), "message"));
    }
    auto const reported = [](refusal const* r) {
        return r == nullptr ? std::string("nothing") : std::to_string(r->code) + " " + r->message;
    };
    for (std::size_t i = 0; i < std::max(wanted.size(), refused.size()); ++i) {
        auto const* a = i < wanted.size() ? &wanted[i] : nullptr;
        auto const* b = i < refused.size() ? &refused[i] : nullptr;
        if (a == nullptr || b == nullptr || a->code != b->code || a->message != b->message)
            return "result[" + std::to_string(i) + "]: recorded " + reported(a) + ", kftrain " + reported(b);
    }
    return std::nullopt;
}

} // namespace golden
