// The rules of GridJobs: pure functions from a job, or from what an operator observes, to values.
#include "grid_job.hpp"

// [rules]
#include <kftrain/job/job_patch.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/model/ownership.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace acme {
namespace {

namespace rules = kftrain::rules;

std::string const name_label = "acme.example.com/job";
std::string const index_label = "acme.example.com/index";

constexpr std::string_view schema_text = R"({
"group": "acme.example.com", "version": "v1", "kind": "GridJob", "plural": "gridjobs", "scope": "Namespaced",
"subresources": {"status": {}},
"schema": {"type": "object", "required": ["spec"], "properties": {
  "spec": {"type": "object", "required": ["workers", "template"], "properties": {
    "workers": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 1000},
    "template": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}},
  "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}})";

struct grid_job_rules {
    using object = grid_job;
    static constexpr std::string_view name = "gridjob-controller"; // in events

    explicit grid_job_rules(kftrain::operator_options const&) {
        rows.emplace_back("pods", kftrain::object_type_of<kftrain::pod>, rules::by_controller());
    }

    // The form in which servers serve the kind.
    static kftrain::resource_schema const& schema() {
        static auto const compiled = kftrain::resource_schema::parse(schema_text).value();
        return compiled;
    }
    static rules::resource_form const& form() noexcept {
        static constexpr auto served = [] {
            rules::resource_form f;
            f.admission_name = "validator.gridjob.acme.example.com"; // so that servers apply validate(), too
            return f;
        }();
        return served;
    }
    static std::span<kftrain::operator_flag const> flags() noexcept { return {}; }
    static std::span<kftrain::lint_rule const> lint_rules() noexcept { return {}; }

    // The meaning of a job.
    static void set_defaults(grid_job& job) {
        auto& policy = job.spec.template_.spec.restart_policy;
        if (policy.empty()) policy = "Never";
    }
    static void validate(grid_job const& job, grid_job const*, kftrain::issues& found) {
        auto const refuse = [&](std::string path, std::string const& why) {
            auto& issue = found.emplace_back();
            issue.rule = "grid.spec";
            issue.message = path + ": " + why;
            issue.path = std::move(path);
        };
        if (job.spec.workers < 1 || job.spec.workers > 1000) // clients lay out each worker
            refuse("spec.workers", "expected 1 to 1000, got " + std::to_string(job.spec.workers));
        if (job.spec.template_.spec.containers.empty())
            refuse("spec.template.spec.containers", "expected at least one");
    }
    static void lint(grid_job const&, grid_job const&, kftrain::issues&) {}
    static kftrain::membership lay_out(grid_job const& job) {
        kftrain::membership all;
        auto& role = all.roles.emplace_back();
        role.name = "Worker";
        role.labels = {{name_label, job.metadata.name}};
        role.index_label = index_label;
        for (std::int32_t i = 0; i < job.spec.workers; ++i) {
            auto& member = all.members.emplace_back();
            member.role = role.name;
            member.index = i;
            member.rank = i;
            member.pod_name = job.metadata.name + "-" + std::to_string(i);
        }
        all.world_size = job.spec.workers;
        all.rank_env.rank = "GRID_INDEX";
        return all;
    }
    static kftrain::core::pod render_pod(grid_job const& job, kftrain::membership const&, kftrain::member const& m) {
        kftrain::core::pod pod;
        pod.metadata = job.spec.template_.metadata;
        pod.metadata.name = m.pod_name;
        pod.metadata.namespace_ = job.metadata.namespace_;
        pod.metadata.labels[name_label] = job.metadata.name;
        pod.metadata.labels[index_label] = std::to_string(m.index);
        pod.metadata.owner_references.push_back(kftrain::controller_reference(job)); // for by_controller()
        pod.spec = job.spec.template_.spec;
        for (auto& container : pod.spec.containers) container.env.emplace_back("GRID_INDEX", std::to_string(m.index));
        return pod;
    }
    static std::vector<kftrain::any_object> render(grid_job const& job) {
        std::vector<kftrain::any_object> pods;
        auto const all = lay_out(job);
        for (auto const& m : all.members) pods.emplace_back(render_pod(job, all, m));
        return pods;
    }

    // The meaning of its status.
    static std::vector<kftrain::meta::condition> conditions(grid_job const&) { return {}; }
    static kftrain::job_phase phase(grid_job const& job) {
        for (auto p : {kftrain::job_phase::running, kftrain::job_phase::succeeded, kftrain::job_phase::failed})
            if (job.status.phase == to_string(p)) return p;
        return kftrain::job_phase::created;
    }

    // Changes that clients may make.
    static rules::scaling scaling(grid_job const&) {
        rules::scaling s;
        s.refused = "the number of workers is fixed";
        return s;
    }
    static kftrain::result<rules::job_write> scaled(grid_job const& job, std::string_view, std::int32_t) {
        return rules::cannot("spec.workers", scaling(job).refused);
    }
    static rules::suspending suspending(grid_job const&) {
        rules::suspending s;
        s.refused = "GridJobs cannot be suspended";
        return s;
    }
    static kftrain::result<rules::job_write> suspended(grid_job const& job, bool) {
        return rules::cannot("spec", suspending(job).refused);
    }

    // The plan of the operator.
    std::span<rules::watched const> watches() const noexcept { return rows; }
    rules::plan make_plan(rules::job_look<grid_job> const& look) const {
        rules::plan plan;
        auto next = look.object;
        if (is_finished(phase(next)) || !look.job.is_valid()) return plan;
        next.status.succeeded = 0;
        bool failed = false;
        auto const& all = look.job.layout();
        for (auto const& m : all.members) {
            auto const* const pod = look.world.find<kftrain::pod>("pods", m.pod_name);
            if (pod == nullptr)
                plan.steps.emplace_back().actions.emplace_back(rules::create(look.job.pod_of(m)));
            else if (pod->status.phase == "Succeeded")
                next.status.succeeded += 1;
            else if (pod->status.phase == "Failed")
                failed = true;
        }
        bool const succeeded = next.status.succeeded == next.spec.workers;
        next.status.phase = to_string(failed      ? kftrain::job_phase::failed
                                      : succeeded ? kftrain::job_phase::succeeded
                                                  : kftrain::job_phase::running);
        if (!next.status.start_time) next.status.start_time = look.now;
        if (failed || succeeded) next.status.completion_time = look.now;
        if (next.status != look.object.status)
            plan.steps.emplace_back().actions.emplace_back(rules::write_status(std::move(next)));
        return plan;
    }

private:
    std::vector<rules::watched> rows;
};

} // namespace

kftrain::rules::job_rules const& kftrain_job_rules(kftrain::type_tag<grid_job>) noexcept {
    static rules::job_rules_of<grid_job_rules> const instance;
    return instance;
}

} // namespace acme
// [rules end]
