#include "local/cluster/job_resources.hpp"

#include "base/make_failure.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/controllers/registry.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/local/kubelet.hpp>
#include <kftrain/local/local_cluster.hpp>
#include <kftrain/local/served_kinds.hpp>
#include <kftrain/model/codec.hpp>

#include <algorithm>
#include <set>

namespace kftrain::local {
namespace {

/// Signs what the local cluster itself refuses.
constexpr std::string_view own_webhook = "local-cluster.kftrain";

/// Empty if there is none, or none that kftrain can read.
any_object read(apiserver::admission_request const& request, rules::reference const& t) {
    auto const text = request.look_up(*t.type->info, t.namespace_, t.name);
    auto object = text.empty() ? result<erased_object>(erased_object()) : t.type->decode(text);
    return object && *object ? any_object(*t.type, *std::move(object)) : any_object();
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
    any_job job(kind, object), before(kind, old);
    auto const look_up = [&](rules::reference const& t) { return read(request, t); };
    job.resolve(look_up);
    before.resolve(look_up);
    auto const next = update ? prepared_job::stored(std::move(job)) : prepared_job::admitted(std::move(job));
    if (!kind.form().admission_name.empty()) {
        rules::admission_context context;
        context.before = update ? before.get() : nullptr;
        if (!update) context.prepared = &next;
        context.look_up = look_up;
        auto answer = kind.admit(next->get(), context);
        verdict.warnings = std::move(answer.warnings);
        if (answer.denied) {
            verdict.denied.emplace(std::move(answer.denied->text));
            verdict.denied->code = answer.denied->code;
            verdict.denied->why = answer.denied->why;
            return verdict;
        }
        if (!answer.patch.empty()) verdict.patch = std::move(answer.patch);
    }
    auto const found = limits ? limits(next) : issues();
    // The finalizers of a stored job with such limits can still be removed.
    if (has_errors(found) && !(update && !limits(prepared_job::stored(std::move(before))).empty())) {
        verdict.denied.emplace(rules::answer_of(found).denied->text);
        verdict.denied->webhook = own_webhook;
    }
    return verdict;
}

apiserver::admission_verdict judge_companion(rules::companion const& kind,
                                             apiserver::admission_request const& request) {
    apiserver::admission_verdict verdict;
    if (request.is_update() && !kind.checks_updates) return verdict;
    auto const object = kind.type->make();
    if (auto const r = request.read(*kind.type->model, object.get()); !r) {
        verdict.denied.emplace(r.error().to_string());
        verdict.denied->code = 400;
        verdict.denied->why = reason::unknown; // upstream names none
        return verdict;
    }
    auto answer = rules::answer_of(kind.validate(object.get()));
    verdict.warnings = std::move(answer.warnings);
    if (answer.denied) verdict.denied.emplace(std::move(answer.denied->text));
    return verdict;
}

void set_columns(apiserver::resource_definition& d, std::span<rules::printed_column const> columns) {
    for (auto const& c : columns) {
        auto& column = d.columns.emplace_back(std::string(c.name), std::string(c.type), std::string(c.path));
        column.priority = c.priority;
    }
}

apiserver::resource_definition definition_of(rules::companion const& kind) {
    apiserver::resource_definition d(*kind.type->info);
    set_columns(d, kind.columns);
    d.has_status = kind.has_status;
    d.schema = kind.schema();
    if (kind.validate == nullptr) return d;
    d.admission_name = kind.admission_name;
    d.admission = [&kind](apiserver::admission_request const& r) { return judge_companion(kind, r); };
    return d;
}

/// Whether the definition of a kind that operators create has a subresource for the status.
bool has_status_subresource(resource_info const& kind) {
    return std::ranges::none_of(controllers::known_gang_schedulers(), [&](auto const& scheduler) {
        return scheduler->primary().info == &kind && scheduler->status() == rules::status_form::whole_object;
    });
}

} // namespace

apiserver::resource_definition resource_for(rules::job_rules const& kind, job_limits limits) {
    auto const& form = kind.form();
    apiserver::resource_definition d(*kind.primary().info);
    set_columns(d, form.columns);
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

std::vector<apiserver::resource_definition> child_resources_for(rules::job_rules const& kind) {
    std::vector<apiserver::resource_definition> result;
    std::set<object_type const*> seen; // rows may share a type
    for (auto const& c : kind.form().companions) {
        result.push_back(definition_of(c));
        seen.insert(c.type);
    }
    for (auto const& t : kind.watches()) {
        auto const& info = *t.type->info;
        // Groups of Kubernetes itself are served already.
        if (info.group.find('.') == std::string_view::npos || info.group.ends_with(".k8s.io") ||
            !seen.insert(t.type).second)
            continue;
        result.emplace_back(info).has_status = has_status_subresource(info);
    }
    return result;
}

void add_installed_objects(apiserver::api_server& server, rules::job_rules const& kind) {
    auto* const objects = kind.form().installed_objects;
    if (objects == nullptr) return;
    // A program may serve the kinds again; the objects that are there stay.
    for (auto const& o : objects()) (void)server.add_object(o);
}

result<void> serve_kind(apiserver::api_server& server, rules::job_rules const& kind, job_limits limits) {
    if (auto r = server.register_resource(resource_for(kind, std::move(limits))); !r) return r;
    for (auto& d : child_resources_for(kind))
        if (auto r = server.register_resource(std::move(d)); !r) return r;
    add_installed_objects(server, kind);
    return {};
}

result<void> serve_job_kinds(apiserver::api_server& server, job_kinds kinds) {
    for (auto const* kind : kinds) {
        if (kind == nullptr) return make_failure(errc::invalid_argument, "kinds: expected job kinds, got null");
        if (auto r = serve_kind(server, *kind, {}); !r) return r;
    }
    return {};
}

} // namespace kftrain::local
