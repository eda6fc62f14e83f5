#include "apiserver/tables/table.hpp"

namespace kftrain::apiserver {
namespace {

std::string_view text_in_place(json::object const& o, std::string_view path) {
    auto const* v = at_path(o, path);
    return v != nullptr && v->is_string() ? view(v->get_string()) : std::string_view();
}

std::string state_of(json::object const& job, json::object const& status) {
    auto const holds = [&](std::string_view type) {
        auto const* all = array_in(status, "conditions");
        if (all == nullptr) return false;
        for (auto const& item : *all)
            if (auto const* c = item.if_object();
                c != nullptr && text_in(*c, "type") == type && text_in(*c, "status") == "True")
                return true;
        return false;
    };
    for (auto const* end : {"Complete", "Failed"})
        if (holds(end)) return end;
    if (!text_in(metadata_of(job), "deletionTimestamp").empty()) return "Terminating";
    for (auto const* state : {"Suspended", "FailureTarget", "SuccessCriteriaMet"})
        if (holds(state)) return state;
    return "Running";
}

std::string completions_of(json::object const& spec, json::object const& status) {
    auto const done = std::to_string(integer_in(status, "succeeded").value_or(0));
    if (auto const wanted = integer_in(spec, "completions")) return done + "/" + std::to_string(*wanted);
    auto const parallel = integer_in(spec, "parallelism").value_or(0);
    return done + (parallel > 1 ? "/1 of " + std::to_string(parallel) : std::string("/1"));
}

std::string duration_of(json::object const& status, time_point now) {
    time_point start{}, end = now;
    if (!parse_scalar(text_in(status, "startTime"), start)) return {};
    if (auto const completed = text_in(status, "completionTime"); !completed.empty()) parse_scalar(completed, end);
    return human_duration(end - start);
}

/// `a,b` of a member of the containers.
std::string of_containers(json::object const& spec, std::string_view name) {
    std::string out;
    auto const* from = object_in(spec, "template");
    auto const* pods = from != nullptr ? object_in(*from, "spec") : nullptr;
    auto const* all = pods != nullptr ? array_in(*pods, "containers") : nullptr;
    if (all == nullptr) return out;
    for (auto const& item : *all)
        if (auto const* c = item.if_object()) out.append(out.empty() ? "" : ",").append(text_in(*c, name));
    return out;
}

std::string selector_of(json::object const& spec) {
    std::string out;
    auto const* selector = object_in(spec, "selector");
    auto const* labels = selector != nullptr ? object_in(*selector, "matchLabels") : nullptr;
    if (labels != nullptr)
        for (auto const& [k, v] : *labels)
            if (v.is_string())
                out.append(out.empty() ? "" : ",")
                    .append(std::string_view(k.data(), k.size()))
                    .append("=")
                    .append(view(v.get_string()));
    return out.empty() ? "<none>" : out;
}

} // namespace

json::array job_cells(json::object const& job, time_point now) {
    auto const* spec_or_null = object_in(job, "spec");
    auto const* status_or_null = object_in(job, "status");
    auto const& spec = spec_or_null != nullptr ? *spec_or_null : empty_object;
    auto const& status = status_or_null != nullptr ? *status_or_null : empty_object;
    json::array out;
    out.emplace_back(text_in_place(job, "metadata.name"));
    out.emplace_back(state_of(job, status));
    out.emplace_back(completions_of(spec, status));
    out.emplace_back(duration_of(status, now));
    out.emplace_back(age(text_in_place(job, "metadata.creationTimestamp"), now));
    out.emplace_back(of_containers(spec, "name"));
    out.emplace_back(of_containers(spec, "image"));
    out.emplace_back(selector_of(spec));
    return out;
}

} // namespace kftrain::apiserver
