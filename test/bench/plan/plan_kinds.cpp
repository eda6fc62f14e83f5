// usage: bench_plan_kinds [REPLICAS [PLANS]]
//
// Measures the plans of jobs with REPLICAS (10000) of every registered kind, and with a tenth of it: processor time
// until all children exist, after all pods started at once, and after all succeeded at once; with the number of plans.
// The actions of plans are applied in memory. A linear kind shows ratios near 10. A stage ends after PLANS (1000)
// plans, with a `+`. Jobs whose pods list all others grow with the square: they are as large as their rules permit, up
// to 2000 replicas.
#include "bench/plan/scaled_job.hpp"
#include "bench/support/paired.hpp"

#include <kftrain/controllers/volcano_queue.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/operator_options.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/kinds/volcano_job.hpp>
#include <kftrain/objects/core/pod.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace kftrain::bench {
namespace {

/// A job and what plans have made of it.
class planned_job {
public:
    planned_job(any_job const& job, operator_options const& options, std::size_t most_plans)
        : rules_(job.rules().with(options)), job_(rules_->primary(), copy(job)), most_plans_(most_plans) {
        auto& meta = metadata(job_);
        meta.uid = "uid-of-job";
        if (meta.namespace_.empty()) meta.namespace_ = "team";
        store(any_object(controllers::default_volcano_queue()));
        changes_.clear();
    }

    /// Plans until there is nothing to do. @return Processor time of the plans
    double settle() {
        double seconds = 0;
        for (plans = 0; plans != most_plans_; ++plans) {
            auto const world = look();
            double const start = processor_seconds();
            auto plan = rules_->make_plan(job_.erased().get(), world, remembered_, now);
            seconds += processor_seconds() - start;
            if (plan.remember) remembered_ = plan.remember;
            bool const again = plan.requeue_at && *plan.requeue_at <= now;
            bool any = false;
            for (auto const& step : plan.steps)
                for (auto const& action : step.actions) any = carry_out(action) || any;
            if (!any && !again) break;
        }
        return seconds;
    }

    void set_pods(std::string const& phase) {
        for (auto& [at, object] : objects_) {
            auto const* const before = object.get_if<core::pod>();
            if (before == nullptr) continue;
            core::pod next = *before;
            next.status.phase = phase;
            next.status.container_statuses.assign(1, core::container_status());
            auto& c = next.status.container_statuses.front();
            if (!next.spec.containers.empty()) c.name = next.spec.containers.front().name;
            c.ready = phase == "Running";
            if (phase == "Succeeded") c.state.terminated.emplace();
            change(object, any_object(std::move(next)));
        }
    }

    std::size_t size() const { return objects_.size(); }
    std::size_t plans = 0; ///< of the last stage

private:
    using key = std::pair<std::string, std::string>;

    static std::shared_ptr<void> copy(any_job const& job) {
        auto complete = job;
        complete.set_defaults(); // as a server with the kind's webhooks would store it
        return complete.type().copy(complete.get());
    }
    static object_meta& metadata(any_object& o) {
        return o.type().metadata_of(const_cast<void*>(o.erased().get())); // this is the only reference
    }

    void change(any_object& at, any_object next) {
        metadata(next).resource_version = std::to_string(++version_);
        changes_.emplace_back(at, next);
        at = std::move(next);
    }
    void store(any_object o) {
        auto& meta = metadata(o);
        if (meta.name.empty()) meta.name = meta.generate_name + std::to_string(++version_);
        if (meta.uid.empty()) meta.uid = "uid-" + std::to_string(++version_);
        change(objects_[key(o.type().info->plural, meta.name)], std::move(o));
    }

    rules::world look() {
        rules::world world;
        std::vector<rules::change> changes;
        auto const rows = rules_->watches();
        for (std::size_t i = 0; i != rows.size(); ++i) {
            std::vector<any_object> all;
            for (auto const& [name, object] : objects_)
                if (object.type().model == rows[i].type->model) all.push_back(object);
            world.add(rows[i].name, std::move(all));
            if (!rows[i].changes) continue;
            for (auto const& [before, after] : changes_)
                if ((after.empty() ? before : after).type().model == rows[i].type->model)
                    changes.emplace_back(i, before, after);
        }
        changes_.clear();
        world.set_changes(std::move(changes));
        return world;
    }

    any_object filled(any_object object, std::vector<rules::recipe> const& recipes) {
        for (auto const& r : recipes) {
            rules::content made = std::to_string(++version_);
            if (std::holds_alternative<rules::ssh_key>(r.what)) made = rules::key_texts();
            object = r.filled(object, made, r.slot);
        }
        return object;
    }

    /// Whether something changed.
    bool carry_out(rules::action const& a) {
        if (auto const* c = std::get_if<rules::create>(&a)) {
            auto object = filled(c->object, c->made);
            if (auto const* group = object.get_if<volcano::pod_group>()) { // the scheduler lets it in
                auto open = *group;
                open.status.phase = "Inqueue";
                object = any_object(std::move(open));
            } else if (auto const* pod = object.get_if<core::pod>()) {
                auto pending = *pod;
                pending.status.phase = "Pending";
                object = any_object(std::move(pending));
            }
            return store(std::move(object)), true;
        }
        if (auto const* r = std::get_if<rules::replace>(&a)) return store(filled(r->object, r->made)), true;
        if (auto const* r = std::get_if<rules::remove>(&a)) {
            auto const at = objects_.find(key(r->of.type->plural, r->of.name));
            if (at == objects_.end()) return false;
            changes_.emplace_back(at->second, any_object());
            objects_.erase(at);
            return true;
        }
        if (auto const* c = std::get_if<rules::change_self>(&a)) return job_ = filled(c->object, c->made), true;
        if (auto const* w = std::get_if<rules::write_status>(&a)) return job_ = w->object, true;
        return false;
    }

    static constexpr time_point now{std::chrono::seconds(1767225600)};

    std::shared_ptr<rules::job_rules const> rules_;
    any_object job_;
    std::size_t most_plans_;
    std::shared_ptr<rules::memory const> remembered_;
    std::map<key, any_object> objects_;
    std::vector<std::pair<any_object, any_object>> changes_;
    std::size_t version_ = 0;
};

constexpr std::array<char const*, 2> phases{"Running", "Succeeded"};

struct measured {
    std::array<double, 3> seconds{};
    std::array<std::size_t, 3> plans{};
    std::size_t objects = 0;
};

measured measure(any_job const& job, operator_options const& options, std::size_t most_plans) {
    measured m;
    planned_job planned(job, options, most_plans);
    m.seconds[0] = planned.settle();
    m.plans[0] = planned.plans;
    m.objects = planned.size();
    for (std::size_t i = 0; i != phases.size(); ++i) {
        planned.set_pods(phases[i]);
        m.seconds[i + 1] = planned.settle();
        m.plans[i + 1] = planned.plans;
    }
    return m;
}

/// The most memory that this process ever had, in MiB.
long peak() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss / 1024;
}

void print_row(std::string const& name, any_job const& job, operator_options const& options, std::int64_t replicas,
               std::size_t most_plans) {
    auto large = scaled(job, replicas);
    if (large && has_errors(large->validate())) large = scaled(job, replicas = std::min<std::int64_t>(replicas, 2'000));
    auto const tenth = scaled(job, replicas / 10);
    if (!large || !tenth || has_errors(large->validate())) {
        std::printf("%-44s no valid job of %lld replicas\n", name.c_str(), static_cast<long long>(replicas));
        return;
    }
    auto const part = measure(*tenth, options, most_plans), whole = measure(*large, options, most_plans);
    std::printf("%-44s %8lld %8zu", name.c_str(), static_cast<long long>(replicas), whole.objects);
    for (std::size_t i = 0; i != whole.seconds.size(); ++i)
        std::printf("  %8.3f s x%-6.1f %5zu%s", whole.seconds[i], whole.seconds[i] / part.seconds[i], whole.plans[i],
                    whole.plans[i] == most_plans ? "+" : " ");
    std::printf("  %6ld MiB\n", peak());
    std::fflush(stdout);
}

void print_table(std::int64_t replicas, std::size_t most_plans) {
    std::printf("%-44s %8s %8s  %-24s  %-24s  %-24s  %s\n", "kind", "replicas", "objects", "created: x tenth, plans",
                "running", "succeeded", "most memory so far");
    auto const jobs = jobs_with_replicas();
    for (auto const* rules : known_job_rules()) {
        std::string const name = rules->primary().info->api_version() + " " + std::string(rules->primary().info->kind);
        auto const job = std::find_if(jobs.begin(), jobs.end(), [&](any_job const& j) { return &j.rules() == rules; });
        if (job == jobs.end()) {
            std::printf("%-44s no manifest with replicas\n", name.c_str());
            continue;
        }
        print_row(name, *job, {}, replicas, most_plans);
        if (!job->is<volcano::job>()) continue;
        volcano::volcano_operator_options later; // each pod has its own event
        later.release = volcano::volcano_release::v1_12_3;
        print_row(name + ", v1.12.3", *job, operator_options().set(later), replicas, most_plans);
    }
}

} // namespace
} // namespace kftrain::bench

int main(int argc, char** argv) {
    auto const replicas = argc > 1 ? std::atoll(argv[1]) : 10'000;
    auto const plans = argc > 2 ? std::atoll(argv[2]) : 1'000;
    kftrain::bench::print_table(std::max<std::int64_t>(replicas, 1'000),
                                static_cast<std::size_t>(std::max(plans, 1LL)));
}
