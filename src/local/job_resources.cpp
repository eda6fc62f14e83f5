#include "local/job_resources.hpp"

#include <kftrain/model/codec.hpp>

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

apiserver::admission_verdict judge(job_kind const& kind, std::string_view object) {
    apiserver::admission_verdict verdict;
    any_job job(kind);
    if (auto const r = job.read_json(object); !r) {
        // What does not even decode is refused by the schema on a real server, before any webhook is asked.
        verdict.denied.emplace(r.error().to_string());
        verdict.denied->code = 422;
        verdict.denied->why = reason::invalid;
        return verdict;
    }
    auto const found = job.validate();
    for (auto const& i : found)
        if (i.level == issue::severity::warning) verdict.warnings.push_back(i.message);
    if (has_errors(found)) verdict.denied.emplace(aggregate(found));
    return verdict;
}

} // namespace

apiserver::resource_definition resource_for(job_kind const& kind) {
    apiserver::resource_definition d(*kind.resource);
    for (auto const& c : kind.columns)
        d.columns.emplace_back(std::string(c.name), std::string(c.type), std::string(c.path));
    d.admission_name = kind.admission_name;
    d.admission = [&kind](apiserver::admission_request const& r) { return judge(kind, r.object); };
    return d;
}

} // namespace kftrain::local
