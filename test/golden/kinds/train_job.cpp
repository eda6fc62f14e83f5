// TrainJobs and runtimes of `trainer.kubeflow.org/v1alpha1`, whose recordings have the requests of two operators.
#include "base/sha1.hpp"
#include "golden/kinds/recorded_kind.hpp"
#include "golden/kinds/secret_description.hpp"
#include "kinds/train_job/kind.hpp"
#include "local/cluster/job_resources.hpp"

#include <kftrain/control/content_maker.hpp>
#include <kftrain/controllers/job_set.hpp>
#include <kftrain/job/any_job.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/train_job.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/dynamic_object.hpp>
#include <kftrain/objects/scheduling/priority_class.hpp>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace golden {
namespace {

using namespace kftrain;

std::string name_of(json::object const& object) { return text(child_of(object, "metadata"), "name"); }

/// The runtimes that stood there before each case, and what its script creates before the job.
std::vector<json::object> standing_objects(recorded_case const& c) {
    static auto const installed = read_json(KFTRAIN_SOURCE_DIR "/test/golden/trainer/runtimes.json").as_array();
    std::vector<json::object> all;
    for (auto const& runtime : installed) all.push_back(runtime.as_object());
    for (auto const& event : list_of(c.about, "before")) {
        auto object = child_of(event.as_object(), "object");
        auto& meta = object["metadata"].as_object();
        if (meta.contains("namespace")) meta["namespace"] = "corpus";
        all.push_back(std::move(object));
    }
    return all;
}

/// As the server stores it.
any_object decode_runtime(json::object const& object) {
    auto const& schema = trainer::runtime_schema();
    auto const whole = set_schema_defaults(schema, prune(schema, json::serialize(object)).value().json).value();
    if (text(object, "kind") == "TrainingRuntime") return from_json<trainer::training_runtime>(whole).value();
    return from_json<trainer::cluster_training_runtime>(whole).value();
}

std::vector<rendered_body> render_job(json::object const& stored, std::vector<json::object> const& objects) {
    auto const job = from_json<train_job>(json::serialize(stored)).value();
    std::vector<rendered_body> bodies;
    for (auto const& r : objects) {
        if (text(r, "kind") != job.spec.runtime_ref.kind || name_of(r) != job.spec.runtime_ref.name) continue;
        auto const maker = control::make_content_maker();
        for (auto object : trainer::render(job, decode_runtime(r)).value()) {
            auto const recipe = trainer::ssh_recipe();
            if (object.is<core::secret>())
                object = recipe.filled(object, maker->make(std::get<rules::ssh_key>(recipe.what)).value(), recipe.slot);
            json::value body = json::parse(object.to_json());
            describe_secret(body);
            write_comparably(body);
            bodies.emplace_back(collection_path(object.resource()), std::move(body));
        }
    }
    return bodies;
}

/// The runtime in its copy, without what only a server writes: `#trainer-snapshot`.
json::value runtime_in(std::string snapshot) {
    constexpr std::string_view time = "<time>";
    for (std::size_t at = 0; (at = snapshot.find(time)) != snapshot.npos;)
        snapshot.replace(at, time.size(), "2026-01-01T00:00:00Z");
    dynamic_object decoded;
    decode_options options;
    options.keep_managed_fields = true;
    decode_yaml(snapshot, descriptor_of<dynamic_object>(), &decoded, options).value();
    json::value runtime = json::parse(to_json(decoded));
    auto& meta = runtime.as_object()["metadata"].as_object();
    for (auto const* key : {"managedFields", "uid", "resourceVersion", "creationTimestamp", "generation"})
        meta.erase(key);
    return runtime;
}

void replace_text(json::value& v, std::string_view from, std::string const& to) {
    if (v.is_string() && v.get_string() == from) v = to;
    if (v.is_array())
        for (auto& e : v.get_array()) replace_text(e, from, to);
    if (v.is_object())
        for (auto& [key, value] : v.get_object()) replace_text(value, from, to);
}

void write_object(json::object& o) {
    auto const kind = text(o, "kind");
    if (auto* data = kind == "ConfigMap" ? o.if_contains("data") : nullptr; data != nullptr && data->is_object())
        if (auto* runtime = data->get_object().if_contains("runtime"); runtime != nullptr && runtime->is_string())
            *runtime = pruned(runtime_in(std::string(runtime->get_string())));
    if (auto* policies = o.if_contains("volumeClaimPolicies"); policies != nullptr && policies->is_array())
        for (auto& policy : policies->get_array()) // claims in templates have a type in kftrain
            for (auto& claim : policy.as_object()["templates"].as_array())
                for (auto const* key : {"apiVersion", "kind"}) claim.as_object().erase(key);
    if (auto* jobs = o.if_contains("jobsStatus"); jobs != nullptr && jobs->is_array())
        std::ranges::sort(jobs->get_array(), {}, [](json::value const& v) { return text(v.as_object(), "name"); });
    if (auto* patches = o.if_contains("runtimePatches"); patches != nullptr && patches->is_array())
        for (auto& p : patches->get_array()) p.as_object().erase("time"); // `#trainer-patch-time`
}

/// An apply of what is there already, and a creation of it, have no effect: `#trainer-repeated`.
bool is_without_effect(json::object const& request, std::set<std::string>& applied) {
    auto const* code = request.if_contains("code");
    if (code != nullptr) return *code == 409;
    return text(request, "method") == "POST" && text(request, "operator") == "trainer" &&
           !applied.insert(json::serialize(request.at("body"))).second;
}

} // namespace

void write_comparably(json::value& v) {
    if (v.is_array())
        for (auto& e : v.get_array()) write_comparably(e);
    if (!v.is_object()) return;
    auto& o = v.get_object();
    write_object(o);
    for (auto& [key, value] : o) write_comparably(value);
    if (text(o, "kind") != "Job") return;
    auto const path = "corpus/" + name_of(o);
    replace_text(v, sha1_hex(path), "<sha1:" + path + ">");
}

void write_applies_as_creations(recorded_case& c) {
    if (text(c.about, "operator") != "trainer") return;
    std::string const time = R"("time":"<time>",)";
    json::value admission = c.admission;
    write_comparably(admission);
    c.admission = admission.as_object();
    if (auto* status = c.admission.if_contains("status"))
        if (auto message = text(status->as_object(), "message"); message.find(time) != message.npos) {
            for (std::size_t at = 0; (at = message.find(time)) != message.npos;) message.erase(at, time.size());
            status->as_object()["message"] = message;
        }
    std::set<std::string> applied;
    for (auto& step : c.steps) {
        json::array sent, repeated = list_of(step.as_object(), "maybeRequests");
        for (auto const& entry : list_of(step.as_object(), "requests")) {
            auto r = entry.as_object();
            if (text(r, "contentType") == "application/apply-patch+yaml") {
                auto const path = text(r, "path");
                r["method"] = "POST";
                r["path"] = path.substr(0, path.rfind('/'));
            }
            (is_without_effect(r, applied) ? repeated : sent).push_back(std::move(r));
        }
        // The operator patches only what changes in the status, so recordings do not contain the whole status.
        step.as_object().erase("transitions");
        if (text(c.job, "kind") != "TrainJob") { // no TrainJob was there
            step.as_object().erase("jobGone");
            step.as_object()["status"] = json::object();
        }
        replace_text(step.as_object()["event"], "<time>", "<t?>");
        step.as_object()["requests"] = std::move(sent);
        step.as_object()["maybeRequests"] = std::move(repeated);
        write_comparably(step);
    }
}

recorded_kind train_job_kind(recorded_case const& c) {
    auto const& kind = job_rules_for<train_job>();
    recorded_kind k;
    k.rules = kind.with(operator_options());
    k.served = local::resource_for(kind);
    k.others = local::child_resources_for(kind);
    for (auto& other : k.others)
        if (other.kind == text(c.job, "kind")) std::swap(other, k.served); // a recording of a runtime
    k.partners.push_back(std::make_shared<rules::controller_of<controllers::job_set_rules>>());
    k.others.emplace_back(scheduling::priority_class::resource).has_status = false;
    k.standing = standing_objects(c);
    k.comparable = &write_comparably;
    k.render = [objects = k.standing](json::object const& stored) { return render_job(stored, objects); };
    return k;
}

} // namespace golden
