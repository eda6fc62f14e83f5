#include "golden/checks.hpp"
#include "golden/flags.hpp"
#include "golden/operator_pass.hpp"

namespace golden {
namespace {

using created = std::map<std::string, json::value>; ///< bodies of creations, by `<path> <name>`

/** What the operator created for the job as it was submitted: in the first step, or, if a scheduler lets pods wait, before
    the job was changed. The first creation of each name counts. */
created recorded_creations(json::array const& steps) {
    created result;
    for (auto const& step : steps) {
        auto const type = text(child_of(step.as_object(), "event"), "type");
        if (type != "create" && type != "patch-object") break;
        for (auto const& entry : list_of(step.as_object(), "requests")) {
            auto const& r = entry.as_object();
            if (text(r, "method") != "POST") continue;
            auto const body = normal_body(r.at("body"));
            result.emplace(text(r, "path") + " " + text(child_of(body.as_object(), "metadata"), "name"), body);
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

} // namespace

std::string check_render(recorded_case const& c, allowances const&) {
    if (c.steps.empty()) return "";
    auto const recorded = recorded_creations(c.steps);
    // Nothing is created for a suspended job, or one that somebody else manages.
    if (recorded.empty()) return "";

    json::object stored = c.admission.at("stored").as_object();
    stored["metadata"].as_object()["uid"] = "<uid:" + text(child_of(stored, "metadata"), "name") + ">";
    created ours;
    for (auto const& child : decode_job(stored).render(read_flags(c.about))) {
        auto const& type = child.resource();
        auto const path = (type.group.empty() ? "/api/" : "/apis/" + std::string(type.group) + "/") +
                          std::string(type.version) + "/namespaces/corpus/" + std::string(type.plural);
        ours.emplace(path + " " + child.metadata().name, normal_body(json::parse(child.to_json())));
    }
    auto const title = [](std::string const& key) { return "render[" + key.substr(key.rfind('/') + 1) + "]"; };
    for (auto const& [key, body] : recorded) {
        auto const it = ours.find(key);
        if (it == ours.end()) return title(key) + ": created, but kftrain does not render it";
        if (auto d = first_difference(title(key), body, it->second)) return *d;
    }
    if (was_refused(c.steps)) return "";
    for (auto const& [key, body] : ours)
        if (!recorded.contains(key)) return title(key) + ": kftrain renders it, but it was not created";
    return "";
}

} // namespace golden
