#include "local/job_resources.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/volcano.hpp>

#include <algorithm>

namespace kftrain::local {
namespace {

/// Several errors stand in brackets, as an aggregate of the Kubernetes libraries prints itself.
std::string aggregate(issues const& found) {
    auto const errors =
        std::count_if(found.begin(), found.end(), [](issue const& i) { return i.level == issue::severity::error; });
    std::string text = join_errors(found, ", ");
    return errors > 1 ? "[" + text + "]" : text;
}

apiserver::admission_verdict judge(job_kind const& kind, job_limits const& limits,
                                   apiserver::admission_request const& request) {
    apiserver::admission_verdict verdict;
    any_job job(kind);
    if (auto const r = job.read_json(request.object); !r) {
        // The schema lets pass what the type of a field cannot hold: an integer beyond its 32 bits, a bad quantity.
        verdict.denied.emplace(r.error().to_string());
        verdict.denied->code = 400;
        verdict.denied->why = reason::unknown; // upstream names none
        return verdict;
    }
    any_job before(kind);
    bool const update = !request.old_object.empty() && before.read_json(request.old_object).has_value();
    auto found = update ? job.validate_update(before) : job.validate();
    for (auto const& i : found)
        if (i.level == issue::severity::warning) verdict.warnings.push_back(i.message);
    if (!has_errors(found) && limits) {
        found = limits(job);
        // Else nobody could take the finalizers from such a job.
        if (!found.empty() && update && !limits(before).empty()) found.clear();
    }
    if (has_errors(found)) verdict.denied.emplace(aggregate(found));
    return verdict;
}

} // namespace

apiserver::resource_definition resource_for(job_kind const& kind, job_limits limits) {
    apiserver::resource_definition d(*kind.resource);
    for (auto const& c : kind.columns)
        d.columns.emplace_back(std::string(c.name), std::string(c.type), std::string(c.path));
    d.schema = kind.schema();
    d.scale = d.schema.scale();
    d.admission_name = kind.admission_name;
    d.admission = [&kind, limits = std::move(limits)](apiserver::admission_request const& r) {
        return judge(kind, limits, r);
    };
    return d;
}

std::vector<apiserver::resource_definition> child_resources_for(job_kind const& kind, operator_options const& rules) {
    std::vector<apiserver::resource_definition> result;
    for (auto const& t : kind.child_types(rules)) {
        auto const& info = *t.type->info;
        if (info.group.find('.') == std::string_view::npos) continue; // of Kubernetes itself
        auto& d = result.emplace_back(info);
        // Volcano's definition of PodGroup has no subresource: the status is a field like others.
        d.has_status = t.type->model != &descriptor_of<volcano_pod_group>();
    }
    return result;
}

} // namespace kftrain::local
