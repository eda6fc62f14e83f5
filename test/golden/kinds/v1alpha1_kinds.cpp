#include "golden/checks/operator_pass.hpp"
#include "golden/checks/traces.hpp"
#include "golden/kinds/flags.hpp"
#include "golden/kinds/random_names.hpp"
#include "golden/kinds/recorded_kind.hpp"
#include "local/cluster/job_resources.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/training_job.hpp>
#include <kftrain/kinds/chainer_job.hpp>
#include <kftrain/kinds/pytorch_job_v1alpha1.hpp>

namespace golden {
namespace {

using namespace kftrain;

/// `Creating/Running`, with a word if there is a reason, and a line for each set: `WORKER=Running Running:1,Unknown:2`.
json::value stored_phase(json::object const& status) {
    json::array lines;
    bool const reason = !text(status, "reason").empty();
    lines.emplace_back(text(status, "phase") + "/" + text(status, "state") + (reason ? " reason" : ""));
    for (auto const& entry : list_of(status, "replicaStatuses")) {
        auto const& set = entry.as_object();
        std::map<std::string, std::string> counts; // in order
        for (auto const& [state, count] : child_of(set, "ReplicasStates"))
            counts[state] = std::string(state) + ":" + json::serialize(count);
        std::string all;
        for (auto const& [state, count] : counts) all += (all.empty() ? "" : ",") + count;
        lines.emplace_back(text(set, "replica_type") + "=" + text(set, "state") + " " + all);
    }
    return lines;
}

recorded_kind recorded_pytorch_job(recorded_case const& c, operator_options const& reported) {
    recorded_kind k;
    k.own.described_status = stored_phase;
    k.own.random_names = true;
    k.own.random_id = text(child_of(c.job, "spec"), "RuntimeId").empty();
    k.render = [reported, random = k.own.random_id](json::object const& stored) {
        std::vector<rendered_body> bodies;
        random_names names;
        for (auto const& child : decode_job(stored).render(reported)) {
            json::value body = json::parse(child.to_json());
            auto& meta = body.as_object()["metadata"].as_object();
            if (random) names.learn_id(text(child_of(meta, "labels"), "runtime_id"));
            if (child.get_if<core::pod>() != nullptr) {
                auto const name = text(meta, "name");
                meta["name"] = name.substr(0, name.rfind('-') + 1) + "<rand5>";
            }
            names.rewrite(body);
            bodies.emplace_back(collection_path(child.resource()), std::move(body));
        }
        return bodies;
    };
    return k;
}

/// `Complete=True/CompletionsReached`, then the counts, and the times that are set.
json::value described_job(json::object const& status) {
    json::value lines = as_conditions(status);
    for (auto const* name : {"active", "succeeded", "failed"})
        if (auto const* n = status.if_contains(name); n != nullptr && n->to_number<std::int64_t>() != 0)
            lines.as_array().emplace_back(std::string(name) + "=" + json::serialize(*n));
    for (auto const* name : {"startTime", "completionTime"})
        if (status.contains(name)) lines.as_array().emplace_back(std::string(name) + " set");
    return lines;
}

recorded_kind recorded_chainer_job(operator_options const& reported) {
    recorded_kind k;
    k.own.described_status = described_job;
    k.render = [reported](json::object const& stored) {
        std::vector<rendered_body> bodies;
        auto const job = decode_job(stored);
        if (!job.validate().empty()) return bodies; // an invalid job has no children
        for (auto const& child : job.render(reported))
            bodies.emplace_back(collection_path(child.resource()), json::parse(child.to_json()));
        return bodies;
    };
    return k;
}

} // namespace

std::optional<recorded_kind> kind_of_v1alpha1(recorded_case const& c) {
    if (text(c.job, "apiVersion") != "kubeflow.org/v1alpha1") return std::nullopt;
    bool const chainer = text(c.job, "kind") == "ChainerJob";
    auto const& kind =
        chainer ? job_rules_for<kftrain::chainer_job>() : job_rules_for<kubeflow_v1alpha1::pytorch_job>();
    auto const reported = read_flags(c.about);
    auto k = chainer ? recorded_chainer_job(reported) : recorded_pytorch_job(c, reported);
    k.own.whole = true;
    auto const rules = kind.with(reported);
    k.rules = rules;
    k.served = local::resource_for(kind);
    k.others = local::child_resources_for(*rules);
    return k;
}

} // namespace golden
