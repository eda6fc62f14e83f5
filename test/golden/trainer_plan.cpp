// Plans for TrainJobs and JobSets, step by step, compared with the recordings.
#include "golden/trainer_cases.hpp"
#include "kinds/train_job/controller.hpp"
#include "kinds/train_job/render.hpp"

#include <kftrain/controllers/job_set.hpp>
#include <kftrain/objects/core/config_map.hpp>
#include <kftrain/objects/coscheduling/pod_group.hpp>

#include <set>

BOOST_AUTO_TEST_SUITE(golden_trainer_plan)

namespace {

using namespace golden::trainer_cases;
using namespace golden;

using bodies = std::map<std::string, json::object>;

/// What a plan writes, without status and events.
struct written {
    written() = default;

    bodies applied;
    std::set<std::string> created, removed, events;
};

std::string key_of(any_object const& o) { return std::string(o.resource().kind) + " " + o.metadata().name; }

written written_by(rules::plan const& plan) {
    written all;
    for (auto const& step : plan.steps)
        for (auto const& action : step.actions) {
            if (auto const* a = std::get_if<rules::apply>(&action))
                all.applied.emplace(key_of(a->object), json::parse(a->object.to_json()).as_object());
            if (auto const* a = std::get_if<rules::create>(&action)) {
                all.created.insert(key_of(a->object));
                // A creation of what is not there does what an apply of it does.
                all.applied.emplace(key_of(a->object), json::parse(a->object.to_json()).as_object());
            }
            if (auto const* a = std::get_if<rules::remove>(&action))
                all.removed.insert(std::string(a->of.type->kind) + " " + a->of.name);
            if (auto const* a = std::get_if<rules::emit_event>(&action))
                all.events.insert(a->type + " " + a->reason + ": " + a->message);
        }
    return all;
}

template <class K> any_object as(json::object const& body) { return from_json<K>(json::serialize(body)).value(); }

/// What stands in the cluster before a step: the objects as they were applied, and the JobSet with its status.
rules::world world_of(recorded_case const& c, bodies const& there, json::object const& set_status) {
    rules::world world;
    auto const job = stored_job(c);
    if (auto const runtime = runtime_for(c, job); !runtime.empty()) {
        world.add(trainer::row::runtimes, {runtime});
        if (there.contains("ConfigMap " + job.metadata.name + "-runtime-snapshot"))
            world.add(trainer::row::config_maps, {trainer::render_snapshot(job, runtime)});
    }
    for (auto const& [key, body] : there) {
        auto const kind = text(body, "kind");
        if (kind == "ConfigMap" && key.ends_with("-mpi-hostfile"))
            world.add(trainer::row::config_maps, {as<core::config_map>(body)});
        if (kind == "Secret") world.add(trainer::row::secrets, {trainer::render_ssh_secret(job)});
        if (kind == "PodGroup") world.add(trainer::row::gangs, {as<coscheduling::pod_group>(body)});
        if (kind != "JobSet") continue;
        auto whole = stored(trainer::job_set_schema(), body);
        whole["status"] = set_status;
        auto set = from_json<jobset::job_set>(to_times(json::serialize(whole))).value();
        controllers::job_sets::set_defaults(set);
        world.add(trainer::row::job_sets, {set});
    }
    return world;
}

written plan_step(recorded_case const& c, json::object const& job, rules::world const& world, std::size_t step) {
    auto decoded = job_of(json::parse(to_times(json::serialize(job))).as_object());
    decoded.metadata.uid = stored_job(c).metadata.uid;
    return written_by(job_rules_for<train_job>().make_plan(&decoded, world, nullptr, time_of(step)));
}

bool is_refused(json::object const& step) {
    auto const& results = list_of(step, "result");
    return !results.empty() && results.back().as_object().contains("code") &&
           results.back().at("code").to_number<int>() >= 400;
}

void compare_applied(recorded_case const& c, std::size_t i, bodies const& before, written const& ours) {
    auto const where = title(c) + ": steps[" + std::to_string(i) + "]: ";
    auto const recorded = applied(c, i);
    for (auto const& [key, body] : recorded) {
        auto const at = ours.applied.find(key);
        auto const old = before.find(key);
        // The operator applies some objects again as they are.
        bool const repeated = old != before.end() && pruned(comparable(old->second)) == pruned(comparable(body));
        if (at == ours.applied.end()) {
            BOOST_TEST(repeated, where + key + " is not applied");
            continue;
        }
        auto const d = first_difference(key, pruned(comparable(body)), pruned(comparable(at->second)));
        if (d && !differs_on_purpose(c)) BOOST_ERROR(where + *d);
    }
    for (auto const& [key, body] : ours.applied) BOOST_TEST(recorded.contains(key), where + key + " is not recorded");
}

} // namespace

BOOST_AUTO_TEST_CASE(each_step_applies_what_the_operator_applies) {
    std::size_t steps = 0;
    for (auto const& c : cases()) {
        if (!is_train_job(c) || c.steps.empty()) continue;
        if (title(c) == "curated/flux-gpu" || title(c) == "curated/mpi-implementation-empty") continue;
        auto job = c.admission.at("stored").as_object();
        job["metadata"].as_object()["creationTimestamp"] = "<t0>";
        bodies there;
        json::object set_status;
        for (std::size_t i = 0; i < c.steps.size(); ++i) {
            auto const& step = c.steps[i].as_object();
            if (step.contains("jobGone")) break;
            if (!is_refused(step)) change(job, child_of(step, "event"));
            compare_applied(c, i, there, plan_step(c, job, world_of(c, there, set_status), i));
            for (auto const& [key, body] : applied(c, i)) there[key] = body;
            set_status = child_of(child_of(step, "otherStatus"), "JobSet/" + name_of(c.job));
            job["status"] = step.at("status");
            ++steps;
        }
    }
    BOOST_TEST(steps > 100u, steps);
}

BOOST_AUTO_TEST_CASE(a_job_past_its_deadline_loses_its_job_set) {
    for (auto const& c : cases()) {
        if (title(c) != "curated/deadline") continue;
        auto job = c.admission.at("stored").as_object();
        job["metadata"].as_object()["creationTimestamp"] = "<t0>";
        auto const there = applied(c);
        auto const world = world_of(
            c, there, child_of(child_of(c.steps.at(0).as_object(), "otherStatus"), "JobSet/" + name_of(c.job)));
        BOOST_TEST(plan_step(c, job, world, 0).removed.empty());
        BOOST_TEST(plan_step(c, job, world, 1).removed.contains("JobSet " + name_of(c.job)));
    }
}

BOOST_AUTO_TEST_CASE(objects_that_cannot_be_rendered_are_reported_by_an_event) {
    for (auto const& c : cases()) {
        bool const mpi = title(c) == "curated/mpi-implementation-empty";
        if (!mpi && title(c) != "curated/flux-gpu") continue;
        auto const ours = plan_step(c, c.admission.at("stored").as_object(), world_of(c, {}, {}), 0);
        BOOST_TEST(ours.applied.size() == 1u); // the copy of the runtime
        BOOST_TEST(
            ours.events.contains("Warning TrainJobResourcesCreationFailed: TrainJob resources reconciliation failed: " +
                                 std::string(mpi ? "MPI implementation \"\" is not supported"
                                                 : "runtimes with the policy flux are not supported")));
    }
}

BOOST_AUTO_TEST_CASE(a_new_job_set_gets_the_children_and_events_of_its_controller) {
    static rules::controller_of<controllers::job_set_rules> const rules;
    std::size_t sets = 0;
    for (auto const* c : rendered_cases()) {
        auto const set = job_set_of(*c);
        if (!set || title(*c) == "curated/torch-merge" || title(*c) == "curated/torch-ports-3") continue;
        std::set<std::string> created, events;
        auto const& first = c->steps.at(0).as_object();
        for (auto const& entry : list_of(first, "requests"))
            if (auto const& r = entry.as_object(); text(r, "operator") == "jobset" && text(r, "method") == "POST")
                created.insert(text(child_of(r, "body"), "kind") + " " + name_of(child_of(r, "body")));
        for (auto const& entry : list_of(first, "events"))
            if (auto const& e = entry.as_object(); text(e, "type") == "Normal")
                events.insert("Normal " + text(e, "reason") + ": " + text(e, "message"));
        auto const ours = written_by(rules.make_plan(&*set, rules::world(), nullptr, time_of(0)));
        BOOST_TEST(ours.created == created, boost::test_tools::per_element());
        BOOST_TEST(ours.events == events, boost::test_tools::per_element());
        ++sets;
    }
    BOOST_TEST(sets > 60u, sets);
}

BOOST_AUTO_TEST_SUITE_END()
