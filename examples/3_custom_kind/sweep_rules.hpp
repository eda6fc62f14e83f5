// The rules of a controller of Sweeps: a pure function from an observation to a plan.
#ifndef ACME_SWEEP_RULES_HPP
#define ACME_SWEEP_RULES_HPP

// [rules]
#include "sweep.hpp"

#include <kftrain/job/any_job.hpp>
#include <kftrain/job/controller_rules.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kinds/pytorch_job_builder.hpp>
#include <kftrain/model/ownership.hpp>

namespace acme {

namespace rules = kftrain::rules;

struct sweep_rules {
    using object = sweep;
    static constexpr std::string_view name = "sweep-controller"; // in events

    /// Watch the PyTorchJobs whose controller is a Sweep.
    sweep_rules() { rows.emplace_back("jobs", kftrain::object_type_of<kftrain::pytorch_job>, rules::by_controller()); }
    std::span<rules::watched const> watches() const noexcept { return rows; }

    rules::plan make_plan(rules::look<sweep> const& look) const {
        rules::plan plan;
        auto next = look.object;
        next.status = sweep_status();
        for (std::size_t i = 0; i < look.object.spec.learning_rates.size(); ++i) {
            auto const job_name = look.object.metadata.name + "-" + std::to_string(i);
            auto const* const job = look.world.find<kftrain::pytorch_job>("jobs", job_name);
            if (job == nullptr) {
                rules::event_messages const events("CreatedJob", "Created PyTorchJob {}", //
                                                   "FailedCreate", "Error creating: {}");
                plan.steps.emplace_back().actions.emplace_back(rules::create(job_of(look.object, i, job_name), events));
                continue;
            }
            auto const phase = kftrain::any_job(*job).phase();
            next.status.created += 1;
            next.status.succeeded += phase == kftrain::job_phase::succeeded ? 1 : 0;
            next.status.failed += phase == kftrain::job_phase::failed ? 1 : 0;
        }
        if (next.status != look.object.status)
            plan.steps.emplace_back().actions.emplace_back(rules::write_status(std::move(next)));
        return plan;
    }

private:
    static kftrain::pytorch_job job_of(sweep const& s, std::size_t i, std::string job_name) {
        auto job = kftrain::pytorch_job_builder(std::move(job_name))
                       .image(s.spec.image)
                       .command(s.spec.command)
                       .env("LEARNING_RATE", s.spec.learning_rates[i])
                       .master()
                       .workers(s.spec.workers)
                       .build()
                       .value(); // a fault is thrown: the controller logs it and tries again later
        job.metadata.owner_references.push_back(kftrain::controller_reference(s)); // for by_controller()
        return job;
    }

    std::vector<rules::watched> rows;
};

} // namespace acme
// [rules end]

#endif
