#include "local/cluster/job_resources.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/types.hpp>
#include <kftrain/local/kubelet.hpp>
#include <kftrain/local/local_cluster.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <algorithm>
#include <set>

namespace kftrain::local {
namespace {

/// Signs what the local cluster itself refuses.
constexpr std::string_view own_webhook = "local-cluster.kftrain";

/// Empty if there is none, or none that kftrain can read.
any_object read(apiserver::admission_request const& request, rules::target const& t) {
    auto const* const type = find_type(t.type->api_version(), t.type->kind);
    if (type == nullptr) return {};
    auto const text = request.look_up(*t.type, t.namespace_, t.name);
    auto object = text.empty() ? result<erased_object>(erased_object()) : type->decode(text);
    return object && *object ? any_object(*type, *std::move(object)) : any_object();
}

apiserver::admission_verdict judge(rules::job_rules const& kind, job_limits const& limits,
                                   apiserver::admission_request const& request) {
    apiserver::admission_verdict verdict;
    auto const& type = kind.primary();
    auto const object = type.make();
    if (auto const r = request.read(*type.model, object.get()); !r) {
        // The schema lets pass what the type of a field cannot hold: an integer beyond its 32 bits, a bad quantity.
        verdict.denied.emplace(r.error().to_string());
        verdict.denied->code = 400;
        verdict.denied->why = reason::unknown; // upstream names none
        return verdict;
    }
    auto const old = type.make();
    bool const update = request.is_update() && request.read_old(*type.model, old.get()).has_value();
    any_job const job(kind, object), before(kind, old);
    if (!kind.form().admission_name.empty()) {
        rules::admission_question asked;
        asked.before = update ? before.get() : nullptr;
        asked.look_up = [&](rules::target const& t) { return read(request, t); };
        auto answer = kind.admit(job.get(), asked);
        verdict.warnings = std::move(answer.warnings);
        if (answer.denied) {
            verdict.denied.emplace(std::move(answer.denied->text));
            verdict.denied->code = answer.denied->code;
            verdict.denied->why = answer.denied->why;
            return verdict;
        }
        if (!answer.patch.empty()) verdict.patch = std::move(answer.patch);
    }
    // Whether an invalid job could be served nobody can say.
    bool const judged = limits && (!kind.form().admission_name.empty() || !has_errors(job.validate()));
    auto const found = judged ? limits(job) : issues();
    // Else nobody could take the finalizers from a job that has some already.
    if (has_errors(found) && !(update && !limits(before).empty())) {
        verdict.denied.emplace(rules::answer_of(found).denied->text);
        verdict.denied->webhook = own_webhook;
    }
    return verdict;
}

} // namespace

apiserver::resource_definition resource_for(rules::job_rules const& kind, job_limits limits) {
    auto const& form = kind.form();
    apiserver::resource_definition d(*kind.primary().info);
    for (auto const& c : form.columns) {
        auto& column = d.columns.emplace_back(std::string(c.name), std::string(c.type), std::string(c.path));
        column.priority = c.priority;
    }
    d.short_names.assign(form.short_names.begin(), form.short_names.end());
    d.categories.assign(form.categories.begin(), form.categories.end());
    d.has_status = form.has_status;
    d.schema = kind.schema();
    d.scale = d.schema.scale();
    d.admission_name = form.admission_name.empty() ? own_webhook : form.admission_name;
    d.admission = [&kind, limits = std::move(limits)](apiserver::admission_request const& r) {
        return judge(kind, limits, r);
    };
    return d;
}

std::vector<apiserver::resource_definition> child_resources_for(rules::job_rules const& told) {
    std::vector<apiserver::resource_definition> result;
    std::set<object_type const*> seen; // rows may share a type
    for (auto const& t : told.watches()) {
        auto const& info = *t.type->info;
        // Groups of Kubernetes itself are served already.
        if (info.group.find('.') == std::string_view::npos || info.group.ends_with(".k8s.io") ||
            !seen.insert(t.type).second)
            continue;
        auto& d = result.emplace_back(info);
        // Volcano's definition of PodGroup has no subresource: the status is a field like others.
        d.has_status = t.type->model != &descriptor_of<volcano::pod_group>();
    }
    return result;
}

} // namespace kftrain::local
