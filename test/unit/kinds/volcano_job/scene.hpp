#ifndef KFTRAIN_TEST_UNIT_KINDS_VOLCANO_JOB_SCENE_HPP
#define KFTRAIN_TEST_UNIT_KINDS_VOLCANO_JOB_SCENE_HPP

#include "kinds/volcano_job/kind.hpp"
#include "kinds/volcano_job/plan/state.hpp"
#include "unit/kinds/volcano_job/sample.hpp"

#include <kftrain/objects/volcano/command.hpp>

#include <memory>
#include <optional>
#include <utility>
#include <variant>

namespace volcano_sample {

/// A job beside its objects, planned for step by step.
class scene {
public:
    explicit scene(volcano_job j, volcano_release r = volcano_release::v1_9_0) : scene(std::move(j), release(r)) {}
    scene(volcano_job j, volcano_operator_options const& own) : job(std::move(j)) {
        operator_options options;
        options.set(own);
        rules_ = job_rules_for<volcano_job>().with(options);
        job.metadata.creation_timestamp = at(0);
        job.metadata.generation = 1;
    }

    /// The steps of the next plan: `POST Pod j-a-0`, `status Running`, `event X`.
    lines look(int seconds = 1) {
        rules::world world;
        std::vector<any_object> all(pods.begin(), pods.end());
        world.add(row::pods, all);
        if (group) world.add(row::groups, {any_object(*group)});
        queue q;
        q.metadata.name = "default";
        world.add(row::queue, {any_object(q)});
        if (!config_maps.empty()) world.add(row::hosts, {config_maps.begin(), config_maps.end()});
        if (secret) world.add(row::secret, {any_object(*secret)});
        world.add(row::commands, {commands.begin(), commands.end()});
        world.set_changes(std::exchange(changes, {}));
        last = rules_->make_plan(&job, world, memory, at(seconds));
        memory = last.remember;
        lines reported;
        for (auto const& s : last.steps)
            for (auto const& a : s.actions) std::visit([&](auto const& what) { append_line(reported, what); }, a);
        return reported;
    }

    core::pod pod(std::string name, std::string phase) const {
        auto p = pod_of(job, "a", 0);
        p.metadata.name = std::move(name);
        p.metadata.uid = p.metadata.name;
        p.status.phase = std::move(phase);
        return p;
    }
    void start(std::string phase) {
        job = complete(job);
        go(std::move(phase));
    }
    /// Of a job with its defaults: all of its gang is there.
    void running() { go("Running"); }
    void go(std::string phase) {
        job.status.state.phase = std::move(phase);
        group = render_pod_group(job, {}, volcano_release::v1_9_0);
        group->status.phase = "Running";
    }

    volcano_job job;
    std::vector<core::pod> pods;
    std::optional<pod_group> group;
    std::optional<core::secret> secret;
    std::vector<core::config_map> config_maps;
    std::vector<command> commands;
    std::vector<rules::change> changes;
    std::shared_ptr<rules::memory const> memory;
    rules::plan last;
    rules::emit_event reported; ///< the last event

private:
    void append_line(lines& reported, rules::create const& a) {
        reported.push_back("POST " + std::string(a.object.resource().kind) + " " + a.object.metadata().name);
    }
    void append_line(lines& reported, rules::replace const& a) {
        reported.push_back("PUT " + std::string(a.object.resource().kind) + " " + a.object.metadata().name);
    }
    void append_line(lines& reported, rules::remove const& a) {
        reported.push_back("DELETE " + std::string(a.of.type->kind) + " " + a.of.name);
    }
    void append_line(lines& reported, rules::write_status const& a) {
        job.status = a.object.get_if<volcano_job>()->status;
        reported.push_back("status " + job.status.state.phase);
    }
    void append_line(lines& all, rules::emit_event const& a) {
        reported = a;
        all.push_back("event " + a.reason);
    }
    void append_line(lines& all, rules::change_self const& a) {
        if (a.made.empty()) job = *a.object.get_if<volcano_job>();
        all.push_back(a.made.empty() ? "PUT Job " + job.metadata.name : "other");
    }
    template <class Other> void append_line(lines& reported, Other const&) { reported.emplace_back("other"); }

    std::shared_ptr<rules::job_rules const> rules_;
};

} // namespace volcano_sample

#endif
