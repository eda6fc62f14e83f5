#include "golden/checks/traces.hpp"
#include "golden/kinds/recorded_kind.hpp"

#include <algorithm>

namespace golden {
namespace {

using created = std::map<std::string, json::value>; ///< bodies of creations, by `<path> <name>`

bool changes_job(json::object const& event) {
    auto const type = text(event, "type"), kind = text(event, "kind");
    if (type == "patch-job" || type == "delete-job" || (type == "patch-object" && kind == "VolcanoJob")) return true;
    if (type == "create-object" && text(child_of(event, "object"), "kind") == "Command") return true;
    return std::ranges::any_of(list_of(event, "events"),
                               [](json::value const& e) { return changes_job(e.as_object()); });
}

/** The objects that the operator created for the job as it was submitted: in the first step, or, if a scheduler delays
    pods, before the job was changed. The first creation of each name counts.
    @param whole_start A creation may wait for running pods: all steps count until the job is changed or deleted */
created recorded_creations(json::array const& steps, bool whole_start) {
    created result;
    for (auto const& step : steps) {
        auto const& event = child_of(step.as_object(), "event");
        auto const type = text(event, "type");
        if (whole_start ? changes_job(event) : type != "create" && type != "patch-object") break;
        for (auto const& entry : list_of(step.as_object(), "requests")) {
            auto const& r = entry.as_object();
            if (text(r, "method") != "POST" || text(r, "operator") == "jobset") continue;
            auto const body = normal_body(r.at("body"));
            auto const name = text(child_of(body.as_object(), "metadata"), "name");
            if (name.find('#') != std::string::npos) continue; // one more try, under another name that was made
            result.emplace(text(r, "path") + " " + name, body);
        }
    }
    return result;
}

/// Whether a creation was refused, so that others after it were never tried.
bool was_refused(json::array const& steps) {
    for (auto const* key : {"requests", "maybeRequests"})
        for (auto const& entry : list_of(steps.at(0).as_object(), key))
            if (entry.as_object().contains("code")) return true;
    return false;
}

/// Whether an object of another owner had the name of one of these, so that later ones were never created.
bool was_in_the_way(recorded_case const& c, created const& ours) {
    return std::ranges::any_of(list_of(c.about, "before"), [&](json::value const& event) {
        auto const& object = child_of(event.as_object(), "object");
        return std::ranges::any_of(ours, [&](auto const& mine) {
            auto const& body = mine.second.as_object();
            return text(body, "kind") == text(object, "kind") &&
                   text(child_of(body, "metadata"), "name") == text(child_of(object, "metadata"), "name");
        });
    });
}

} // namespace

std::string check_render(recorded_case const& c, allowances const& allowed) {
    if (c.steps.empty()) return "";
    auto const recorded = recorded_creations(c.steps, has_kubernetes(c));
    // Nothing is created for a suspended job, or one of another manager.
    if (recorded.empty()) return "";

    json::object stored = c.admission.at("stored").as_object();
    stored["metadata"].as_object()["uid"] = "<uid:" + text(child_of(stored, "metadata"), "name") + ">";
    created ours;
    auto const kind = kind_of(c, allowed);
    auto const job = text(child_of(stored, "metadata"), "name");
    for (auto& [path, body] : kind.render(stored)) {
        if (kind.spelled != nullptr) body = json::parse(kind.spelled(json::serialize(body), job));
        auto const name = text(child_of(body.as_object(), "metadata"), "name");
        ours.emplace(path + " " + name, normal_body(std::move(body)));
    }
    auto const title = [](std::string const& key) { return "render[" + key.substr(key.rfind('/') + 1) + "]"; };
    for (auto const& [key, body] : recorded) {
        auto const it = ours.find(key);
        if (it == ours.end()) return title(key) + ": created, but kftrain does not render it";
        if (auto d = first_difference(title(key), body, it->second)) return *d;
    }
    if (was_refused(c.steps) || was_in_the_way(c, ours)) return "";
    for (auto const& [key, body] : ours)
        if (!recorded.contains(key) && !(kind.waits_for_scheduler && key.find("/pods ") != key.npos))
            return title(key) + ": kftrain renders it, but it was not created";
    return "";
}

} // namespace golden
