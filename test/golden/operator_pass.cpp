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

std::string collection_of(resource_info const& type) {
    return (type.group.empty() ? "/api/" : "/apis/" + std::string(type.group) + "/") + std::string(type.version) + "/" +
           std::string(type.plural);
}

std::string path_of(resource_info const& type) {
    return (type.group.empty() ? "/api/" : "/apis/" + std::string(type.group) + "/") + std::string(type.version) +
           "/namespaces/corpus/" + std::string(type.plural);
}

/// What an operator sees of the types that the kind asks for: what the job controls, and, of types of which there is one
/// per job, what bears its name.
observed look(cluster const& world, any_job const& job, operator_options const& options) {
    observed result;
    auto const& meta = job.metadata();
    for (auto const& t : job.kind().child_types(options)) {
        auto const collection = collection_of(*t.type->info);
        bool const many = collection == pods_path || collection == services_path;
        for (auto const& [name, object] : world.in(collection))
            if (is_controlled_by(object, meta.uid) || (!many && name == meta.name))
                result.add(any_object(*t.type, t.type->decode(json::serialize(object)).value()));
    }
    return result;
}

/// Carries out actions; each returns whether to go on.
struct executor {
    cluster& world;
    refusals const& refused;
    any_job const& job;
    traces& seen;

    void tell(std::string type, std::string reason, std::string message) {
        seen.events.emplace(std::move(type), std::move(reason), std::move(message),
                            std::string(job.resource().kind) + ' ' + job.metadata().name);
    }

    /// The words of events: `Create`, `Created`, `creating`.
    struct verb {
        char const *reason, *done, *doing;
    };
    void tell(event_words const& words, verb const& v, resource_info const& type, std::string const& name,
              std::optional<refusal> const& no) {
        if (words.noun.empty()) return;
        auto const subject = std::string(v.reason).append(type.kind);
        if (!no)
            tell("Normal", "Successful" + subject, std::string(v.done).append(" ").append(words.noun) + ": " + name);
        else if (no->code != 409) // events about names that are taken are not kept in the recordings
            tell("Warning", "Failed" + subject,
                 std::string("Error ").append(v.doing).append(": ").append(words.error_prefix) + no->message);
    }

    bool go_on(std::optional<refusal> const& no, std::optional<write_status> const& otherwise) {
        if (no && otherwise && no->code != 409) (*this)(*otherwise);
        return !no;
    }

    request& note(request r, std::optional<refusal> const& no) {
        if (no) {
            r.code = no->code;
            r.message = no->message;
        }
        seen.requests.push_back(std::move(r));
        return seen.requests.back();
    }

    bool operator()(create_child const& action) {
        auto const& type = action.object.resource();
        auto const& name = action.object.metadata().name;
        auto object = json::parse(action.object.to_json()).as_object();
        request made("POST", path_of(type), name);
        made.body = normal_body(object);
        std::optional<refusal> no;
        if (auto const known = refused.find(collection_of(type) + "/" + name);
            known != refused.end() && !world.in(collection_of(type)).contains(name))
            no = known->second;
        else
            no = world.create(collection_of(type), std::move(object));
        note(std::move(made), no);
        tell(action.words, {"Create", "Created", "creating"}, type, name, no);
        return go_on(no, action.otherwise);
    }

    bool operator()(replace_child const& action) {
        auto const& type = action.object.resource();
        auto const& name = action.object.metadata().name;
        auto object = json::parse(action.object.to_json()).as_object();
        request made("PUT", path_of(type) + "/" + name, name);
        made.body = normal_body(object);
        auto const no = world.replace(collection_of(type), std::move(object));
        note(std::move(made), no);
        return go_on(no, action.otherwise);
    }

    bool operator()(delete_child const& action) {
        auto const collection = collection_of(*action.type);
        auto const& all = world.in(collection);
        auto const it = all.find(action.name);
        if (it == all.end() || text(child_of(it->second, "metadata"), "uid") != action.uid)
            throw std::runtime_error("the plan deletes " + collection + "/" + action.name + ", which does not exist");
        note(request("DELETE", path_of(*action.type) + "/" + action.name, action.name), std::nullopt);
        world.remove(collection, action.name);
        tell(action.words, {"Delete", "Deleted", "deleting"}, *action.type, action.name, std::nullopt);
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
        seen.conditions.push_back(told_conditions(status.as_object()));
        stored = std::move(status);
        world.changed = true;
        return true;
    }

    bool operator()(delete_job const&) {
        auto const& name = job.metadata().name;
        note(request("DELETE", path_of(job.resource()) + "/" + name, name), std::nullopt);
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
    plan const todo = job.make_plan(look(world, job, options), now, options);
    executor act{world, refused, job, seen};
    for (auto const& a : todo.actions)
        if (!std::visit(act, a)) break;
    return todo.look_again;
}

} // namespace golden
