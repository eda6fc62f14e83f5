#ifndef KFTRAIN_TEST_GOLDEN_TRAINER_CASES_HPP
#define KFTRAIN_TEST_GOLDEN_TRAINER_CASES_HPP

#include "controllers/job_set/children.hpp"
#include "golden/compare.hpp"
#include "golden/recordings.hpp"
#include "kinds/train_job/layout.hpp"

#include <kftrain/kinds/train_job.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/dynamic_object.hpp>

#include <boost/test/unit_test.hpp>

#include <map>
#include <string>
#include <vector>

/// Recordings of Kubeflow Trainer v2.3.0 and JobSet v0.12.0.
namespace golden::trainer_cases {

using namespace kftrain;

/// Where kftrain differs on purpose, by the row of docs/reference/upstream-differences.md.
inline std::map<std::string, std::string, std::less<>> const on_purpose{
    {"curated/torch-merge", "#trainer-ports"},
    {"curated/torch-ports-3", "#trainer-ports"},
    {"curated/flux-gpu", "#trainer-flux"},
    {"curated/mpi-implementation-empty", "#trainer-mpi-implementation"},
    {"curated/runtime-container", "#trainer-runtime-text"},
};

inline std::vector<recorded_case> const& cases() {
    static auto const all = read_recordings(KFTRAIN_SOURCE_DIR "/test/golden/trainer/v2.3.0");
    return all;
}

/// `curated/torch-merge`
inline std::string title(recorded_case const& c) { return c.group.substr(c.group.rfind('/') + 1) + "/" + c.name; }

inline bool differs_on_purpose(recorded_case const& c) { return on_purpose.contains(title(c)); }

inline bool is_train_job(recorded_case const& c) { return text(c.job, "kind") == "TrainJob"; }

inline std::string name_of(json::object const& object) { return text(child_of(object, "metadata"), "name"); }

/// As a server stores an object of this schema.
inline json::object stored(resource_schema const& schema, json::object const& object) {
    auto const clean = prune(schema, json::serialize(object)).value();
    return json::parse(set_schema_defaults(schema, clean.json).value()).as_object();
}

inline any_object decode_runtime(json::object const& object) {
    auto const whole = json::serialize(stored(trainer::runtime_schema(), object));
    if (text(object, "kind") == "TrainingRuntime") return from_json<trainer::training_runtime>(whole).value();
    return from_json<trainer::cluster_training_runtime>(whole).value();
}

/// The runtimes that were there before every case.
inline json::array const& standing_runtimes() {
    static auto const all = read_json(KFTRAIN_SOURCE_DIR "/test/golden/trainer/runtimes.json").as_array();
    return all;
}

inline any_object find_runtime(recorded_case const& c, std::string_view kind, std::string_view name) {
    auto const fits = [&](json::object const& o) { return text(o, "kind") == kind && name_of(o) == name; };
    for (auto const& event : list_of(c.about, "before"))
        if (auto const& o = child_of(event.as_object(), "object"); fits(o)) {
            auto copy = o;
            copy["metadata"].as_object().erase("namespace");
            if (kind == "TrainingRuntime") copy["metadata"].as_object()["namespace"] = "corpus";
            return decode_runtime(copy);
        }
    for (auto const& o : standing_runtimes())
        if (fits(o.as_object())) return decode_runtime(o.as_object());
    return {};
}

/// The runtime of a job as it is stored.
inline any_object runtime_for(recorded_case const& c, trainer::train_job const& job) {
    return find_runtime(c, job.spec.runtime_ref.kind.value_or(""), job.spec.runtime_ref.name);
}

inline constexpr std::string_view day = "2026-01-01T00:";

/// `<t2>` for step 2 becomes a time, and back.
inline std::string to_times(std::string all) {
    for (std::size_t at = 0; (at = all.find("\"<t", at)) != all.npos; ++at) {
        auto const end = all.find(">\"", at);
        auto step = all.substr(at + 3, end - at - 3);
        if (step == "?") step = "0";
        all.replace(at, end + 2 - at, "\"" + std::string(day) + std::string(2 - step.size(), '0') + step + ":00Z\"");
    }
    return all;
}

inline std::string to_steps(std::string all) {
    for (std::size_t at = 0; (at = all.find(day, at)) != all.npos;) {
        auto const step = std::stoi(all.substr(at + day.size(), 2));
        all.replace(at, day.size() + 6, "<t" + std::to_string(step) + ">");
    }
    return all;
}

inline time_point time_of(std::size_t step) {
    time_point t;
    auto const number = std::to_string(step);
    parse_scalar(std::string(day) + std::string(2 - number.size(), '0') + number + ":00Z", t);
    return t;
}

inline trainer::train_job job_of(json::object const& object) {
    return from_json<trainer::train_job>(to_times(json::serialize(object))).value();
}

/// The job as it was stored, with the uid of the recordings.
inline trainer::train_job stored_job(recorded_case const& c) {
    auto job = job_of(c.admission.at("stored").as_object());
    job.metadata.uid = "<uid:" + job.metadata.name + ">";
    return job;
}

inline void compare(recorded_case const& c, std::string const& where, json::value const& recorded,
                    json::value const& ours) {
    if (auto const d = first_difference(where, pruned(recorded), pruned(ours))) BOOST_ERROR(title(c) + ": " + *d);
}

/// The objects that the operator applied when the job was created, by kind and name.
inline std::map<std::string, json::object> applied(recorded_case const& c, std::size_t step = 0) {
    std::map<std::string, json::object> all;
    for (auto const& entry : list_of(c.steps.at(step).as_object(), "requests")) {
        auto const& r = entry.as_object();
        if (text(r, "operator") != "trainer" || text(r, "method") != "PATCH") continue;
        auto const& body = child_of(r, "body");
        all.emplace(text(body, "kind") + " " + name_of(body), body);
    }
    return all;
}

/// Without what only a server knows of the copy of a runtime: `#trainer-snapshot`.
inline json::object runtime_in(std::string snapshot) {
    constexpr std::string_view time = "<time>";
    for (std::size_t at = 0; (at = snapshot.find(time)) != snapshot.npos;)
        snapshot.replace(at, time.size(), "2026-01-01T00:00:00Z");
    dynamic_object decoded;
    decode_options options;
    options.keep_managed_fields = true;
    if (auto const r = decode_yaml(snapshot, descriptor_of<dynamic_object>(), &decoded, options); !r)
        throw std::runtime_error(r.error().to_string());
    auto runtime = json::parse(to_json(decoded)).as_object();
    auto& meta = runtime["metadata"].as_object();
    for (auto const* key : {"managedFields", "uid", "resourceVersion", "creationTimestamp", "generation"})
        meta.erase(key);
    return runtime;
}

/// Claims in templates have a type in kftrain.
inline void erase_claim_types(json::value& v) {
    auto* const o = v.if_object();
    if (o == nullptr) return;
    if (auto* policies = o->if_contains("volumeClaimPolicies"))
        for (auto& policy : policies->as_array())
            for (auto& claim : policy.as_object()["templates"].as_array())
                for (auto const* key : {"apiVersion", "kind"}) claim.as_object().erase(key);
    for (auto& member : *o) erase_claim_types(member.value());
}

inline json::object comparable(json::object body) {
    body["metadata"].as_object().erase("namespace");
    if (text(body, "kind") == "Secret") body.erase("data"); // recipes make it
    auto* const data = text(body, "kind") == "ConfigMap" ? body.if_contains("data") : nullptr;
    if (data != nullptr && data->as_object().contains("runtime"))
        body["data"] = runtime_in(text(data->as_object(), "runtime"));
    json::value whole(std::move(body));
    erase_claim_types(whole);
    return std::move(whole.get_object());
}

inline std::vector<recorded_case const*> rendered_cases() {
    std::vector<recorded_case const*> found;
    for (auto const& c : cases())
        if (is_train_job(c) && !c.steps.empty() && !applied(c).empty()) found.push_back(&c);
    return found;
}

/// The JobSet that was applied, as the server stores it.
inline std::optional<jobset::job_set> job_set_of(recorded_case const& c) {
    auto const all = applied(c);
    auto const at = all.find("JobSet " + name_of(c.job));
    if (at == all.end()) return std::nullopt;
    auto const whole = stored(trainer::job_set_schema(), at->second);
    auto set = from_json<jobset::job_set>(json::serialize(whole)).value();
    set.metadata.uid = "<uid:JobSet/" + set.metadata.name + ">";
    controllers::job_sets::set_defaults(set);
    return set;
}

/// Changes of the job by the script of a step.
inline void change(json::object& job, json::object const& event) {
    if (text(event, "type") == "patch-job" && text(event, "subresource").empty()) {
        json::value target(job);
        golden::merge(target, event.at("patch"));
        job = target.as_object();
    }
    for (auto const& part : list_of(event, "events")) change(job, part.as_object());
}

} // namespace golden::trainer_cases

#endif
