#include "golden/checks/operator_pass.hpp"

#include "golden/kinds/recorded_kind.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>

#include <set>
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

/// The names by which an operator looks for objects of a row.
std::set<std::string> names_of(rules::by_name_of_primary const& by, any_job const& job) {
    if (by.names == nullptr) return {job.metadata().name};
    std::set<std::string> all;
    for (auto const& n : by.names(job.get())) all.insert(n.name);
    return all;
}

/// The objects that an operator observes, of the types that the kind watches: those that the job controls, and those
/// with a name that it needs.
rules::world look(cluster const& world, any_job const& job, std::span<rules::watched const> rows) {
    rules::world result;
    auto const& meta = job.metadata();
    for (auto const& row : rows) {
        auto const* const by_name = std::get_if<rules::by_name_of_primary>(&row.by);
        auto const names = by_name == nullptr ? std::set<std::string>() : names_of(*by_name, job);
        std::vector<any_object> found;
        for (auto const& [name, object] : world.in(collection_of(*row.type->info)))
            if (by_name != nullptr ? names.contains(name) : is_controlled_by(object, meta.uid))
                found.emplace_back(*row.type, row.type->decode(json::serialize(object)).value());
        result.add(row.name, std::move(found));
    }
    return result;
}

/// Carries out actions; each returns why it was refused, if it was.
struct executor {
    using answer = std::optional<refusal>;

    cluster& world;
    refusals const& refused;
    any_job const& job;
    traces& seen;

    void note_event(std::string type, std::string reason, std::string message) {
        seen.events.emplace(std::move(type), std::move(reason), std::move(message),
                            std::string(job.resource().kind) + ' ' + job.metadata().name);
    }

    /// Events about names that are taken are not kept in the recordings.
    void note_event(rules::event_messages const& words, std::string const& name, std::optional<refusal> const& no) {
        auto const filled = [](std::string_view text, std::string const& what) {
            std::string all(text);
            return all.replace(all.find("{}"), 2, what);
        };
        if (!no && !words.done_reason.empty())
            note_event("Normal", std::string(words.done_reason), filled(words.done_text, name));
        if (no && no->code != 409 && !words.failed_reason.empty())
            note_event("Warning", std::string(words.failed_reason), filled(words.failed_text, no->message));
    }

    /// Returns whether to go on.
    bool carry_out(rules::step const& step) {
        for (auto const& action : step.actions) {
            auto const no = std::visit(*this, action);
            if (!no) continue;
            if (step.refused && no->code != 409) (*this)(*step.refused);
            return false;
        }
        return true;
    }

    request& note(request r, std::optional<refusal> const& no) {
        if (no) {
            r.code = no->code;
            r.message = no->message;
        }
        seen.requests.push_back(std::move(r));
        return seen.requests.back();
    }

    answer operator()(rules::create const& action) {
        auto const& type = action.object.resource();
        auto const& name = action.object.metadata().name;
        auto object = json::parse(action.object.to_json()).as_object();
        request made("POST", collection_path(type), name);
        made.body = normal_body(object);
        std::optional<refusal> no;
        if (auto const known = refused.find(collection_of(type) + "/" + name);
            known != refused.end() && !world.in(collection_of(type)).contains(name))
            no = known->second;
        else
            no = world.create(collection_of(type), std::move(object));
        note(std::move(made), no);
        note_event(action.event, name, no);
        return no;
    }

    answer operator()(rules::replace const& action) {
        auto const& type = action.object.resource();
        auto const& name = action.object.metadata().name;
        auto object = json::parse(action.object.to_json()).as_object();
        request made("PUT", collection_path(type) + "/" + name, name);
        made.body = normal_body(object);
        auto no = world.replace(collection_of(type), std::move(object));
        note(std::move(made), no);
        return no;
    }

    answer operator()(rules::remove const& action) {
        auto const& of = action.of;
        if (of.type == &job.resource()) {
            world.remove_job();
        } else {
            auto const collection = collection_of(*of.type);
            auto const& all = world.in(collection);
            auto const it = all.find(of.name);
            if (it == all.end() || text(child_of(it->second, "metadata"), "uid") != of.uid)
                throw std::runtime_error("the plan deletes " + collection + "/" + of.name + ", which does not exist");
            // An object that is visible only while it is being deleted counts as deleted.
            if (auto const no = world.remove(collection, of.name)) {
                note(request("DELETE", collection_path(*of.type) + "/" + of.name, of.name), no);
                return std::nullopt;
            }
        }
        note(request("DELETE", collection_path(*of.type) + "/" + of.name, of.name), std::nullopt);
        note_event(action.event, of.name, std::nullopt);
        return std::nullopt;
    }

    answer operator()(rules::emit_event const& action) {
        note_event(action.type, action.reason, action.message);
        return std::nullopt;
    }

    answer operator()(rules::write_status const& action) {
        json::value status = child_of(json::parse(action.object.to_json()).as_object(), "status");
        if (!world.job) throw std::runtime_error("the plan writes the status of a job that it has deleted");
        auto& stored = (*world.job)["status"];
        if (stored == status) throw std::runtime_error("the plan writes a status that is already there");
        seen.conditions.push_back(as_conditions(status.as_object()));
        stored = std::move(status);
        world.changed = true;
        return std::nullopt;
    }

    template <class Other> answer operator()(Other const&) {
        throw std::runtime_error("the plan has an action that no operator of training-operator carries out");
    }
};

} // namespace

any_job decode_job(json::object const& object) {
    auto const* kind = find_job_rules(text(object, "apiVersion"), text(object, "kind"));
    if (kind == nullptr) throw std::runtime_error("no such job kind: " + text(object, "kind"));
    any_job job(*kind);
    job.read_json(json::serialize(object)).value();
    return job;
}

std::optional<time_point> operate(cluster& world, refusals const& refused, operator_options const& options,
                                  time_point now, traces& seen) {
    if (!world.job) return std::nullopt;
    any_job const job = decode_job(*world.job);
    auto const rules_with_flags = job.rules().with(options);
    rules::plan const todo =
        rules_with_flags->make_plan(job.get(), look(world, job, rules_with_flags->watches()), nullptr, now);
    executor act{world, refused, job, seen};
    for (auto const& step : todo.steps)
        if (!act.carry_out(step)) break;
    return todo.requeue_at;
}

} // namespace golden
