#include "golden/operator_pass.hpp"

#include <kftrain/kinds/registry.hpp>

#include <stdexcept>

namespace golden {
namespace {

using namespace kftrain;

bool is_controlled_by(json::object const& object, std::string const& uid) {
    for (auto const& r : list_of(child_of(object, "metadata"), "ownerReferences"))
        if (text(r.as_object(), "uid") == uid && r.as_object().contains("controller")) return true;
    return false;
}

template <class K> std::shared_ptr<K const> decode(json::object const& object) {
    return std::make_shared<K const>(from_json<K>(json::serialize(object)).value());
}

observed look(cluster const& world, object_meta const& job) {
    observed result;
    for (auto const& [name, p] : world.pods)
        if (is_controlled_by(p, job.uid)) result.pods.push_back(decode<pod>(p));
    for (auto const& [name, s] : world.services)
        if (text(child_of(child_of(s, "metadata"), "labels"), "training.kubeflow.org/job-name") == job.name)
            result.services.push_back(decode<service>(s));
    return result;
}

std::string path_of(resource_info const& type) {
    return (type.group.empty() ? "/api/" : "/apis/" + std::string(type.group) + "/") + std::string(type.version) +
           "/namespaces/corpus/" + std::string(type.plural);
}

/// Carries out actions; each returns whether to go on.
struct executor {
    cluster& world;
    refusals const& refused;
    any_job const& job;
    traces& seen;

    void tell(std::string type, std::string reason, std::string message) {
        seen.events.emplace(std::move(type), std::move(reason), std::move(message));
    }

    static std::string lower_kind(resource_info const& type) { return type.kind == "Pod" ? "pod" : "service"; }

    bool operator()(create_child const& action) {
        auto const& type = action.object.resource();
        auto const& name = action.object.metadata().name;
        std::string const kind(type.kind);
        auto object = json::parse(action.object.to_json()).as_object();
        request made("POST", path_of(type), name);
        made.body = pruned(object);
        // The path says the namespace, so a client may leave it out of the body.
        if (text(child_of(object, "metadata"), "namespace") == "corpus")
            made.body.as_object()["metadata"].as_object().erase("namespace");
        auto const refusal = refused.find(std::string(type.plural) + "/" + name);
        bool const taken = (type.plural == "pods" ? world.pods : world.services).contains(name);
        made.code = taken ? 409 : refusal != refused.end() ? refusal->second.code : 0;
        seen.requests.push_back(made);
        // Events about names that are taken are not kept in the recordings.
        if (!taken && made.code != 0)
            tell("Warning", "FailedCreate" + kind, "Error creating: " + refusal->second.message);
        if (made.code != 0) return false;
        world.create(std::string(type.plural), std::move(object));
        tell("Normal", "SuccessfulCreate" + kind, "Created " + lower_kind(type) + ": " + name);
        return true;
    }

    bool operator()(replace_child const&) { throw std::runtime_error("this replay does not know replace_child"); }

    bool operator()(delete_child const& action) {
        std::string const plural(action.type->plural);
        auto const& in = plural == "pods" ? world.pods : world.services;
        auto const it = in.find(action.name);
        if (it == in.end() || text(child_of(it->second, "metadata"), "uid") != action.uid)
            throw std::runtime_error("the plan deletes " + plural + "/" + action.name + ", which does not exist");
        seen.requests.emplace_back("DELETE", path_of(*action.type) + "/" + action.name, action.name);
        world.remove(plural, action.name);
        tell("Normal", "SuccessfulDelete" + std::string(action.type->kind),
             "Deleted " + lower_kind(*action.type) + ": " + action.name);
        return true;
    }

    bool operator()(raise_event const& action) {
        tell(action.type, action.reason, action.message);
        return true;
    }

    bool operator()(write_status const& action) {
        json::value status = json::parse(action.status.text);
        if (!world.job) throw std::runtime_error("the plan writes the status of a job that it has deleted");
        auto& stored = (*world.job)["status"];
        if (stored == status) throw std::runtime_error("the plan writes a status that is already there");
        stored = std::move(status);
        world.changed = true;
        return true;
    }

    bool operator()(delete_job const&) {
        auto const& name = job.metadata().name;
        seen.requests.emplace_back("DELETE", path_of(job.resource()) + "/" + name, name);
        world.job.reset();
        tell("Normal", "SuccessfulDeletePod", "Deleted job: " + name);
        return true;
    }
};

} // namespace

any_job decode_job(json::object const& object) {
    auto const* kind = find_job_kind(text(object, "apiVersion"), text(object, "kind"));
    if (kind == nullptr) throw std::runtime_error("no such job kind: " + text(object, "kind"));
    any_job job(*kind);
    job.read_json(json::serialize(object)).value();
    return job;
}

std::optional<time_point> operate(cluster& world, refusals const& refused, operator_options const& options,
                                  time_point now, traces& seen) {
    if (!world.job) return std::nullopt;
    any_job const job = decode_job(*world.job);
    plan const todo = job.make_plan(look(world, job.metadata()), now, options);
    executor act{world, refused, job, seen};
    for (auto const& a : todo.actions)
        if (!std::visit(act, a)) break;
    return todo.look_again;
}

} // namespace golden
