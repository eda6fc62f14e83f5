#include "local/job_resources.hpp"

#include <kftrain/model/codec.hpp>

namespace kftrain::local {
namespace {

std::string lower(std::string_view s) {
    std::string out(s);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

/// Several errors stand in brackets, as an aggregate of the Kubernetes libraries prints itself.
std::string join(issues const& found) {
    std::string text;
    std::size_t count = 0;
    for (auto const& i : found) {
        if (i.level != issue::severity::error) continue;
        text += (count++ == 0 ? "" : ", ") + i.message;
    }
    return count > 1 ? "[" + text + "]" : text;
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
    if (has_errors(found)) verdict.denied.emplace(join(found));
    return verdict;
}

} // namespace

apiserver::resource_definition resource_for(job_kind const& kind) {
    apiserver::resource_definition d(*kind.resource);
    for (auto const& c : kind.columns) d.columns.emplace_back(std::string(c.name), std::string(c.type), std::string(c.path));
    d.admission_name = "validator." + lower(kind.resource->kind) + ".training-operator.kubeflow.org";
    d.admission = [&kind](apiserver::admission_request const& r) { return judge(kind, r.object); };
    return d;
}

} // namespace kftrain::local
