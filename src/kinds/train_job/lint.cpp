#include "kinds/train_job/kind.hpp"

#include "job/contract/field_error.hpp"
#include "model/rules/label_of.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace kftrain::trainer {
namespace {

using enum issue::severity;

/// Places in all_rules.
enum rule : std::uint8_t {
    long_name,
    too_few_nodes,
    no_trainer,
    other_subdomain,
    uncounted_gpus,
    jax_environment,
    kept_args,
    managed_by_another,
    starts_suspended,
    unnamed_ports
};

constexpr std::array all_rules{
    lint_rule("lint.train.name", error,
              "The webhook of JobSets rejects names whose longest pod name has more than 63 characters, but that of "
              "TrainJobs accepts them. The job then has no pods, and an event is the only report."),
    lint_rule("lint.train.nodes", error,
              "A Job without pods completes at once, so the TrainJob succeeds without training; the server rejects a "
              "Job with a negative number of pods, and the operator retries forever."),
    lint_rule("lint.train.no-trainer", warning,
              "The operator injects ports, ranks and the rendezvous address only if spec.trainer is set; an empty "
              "trainer is enough."),
    lint_rule("lint.train.subdomain", error,
              "The operator sets the rendezvous address to the service with the name of the job. A runtime with its "
              "own network.subdomain has a service of another name, so the pods do not find each other."),
    lint_rule("lint.train.uncounted-gpus", warning,
              "resourcesPerNode is added to the resources of the runtime, but the operator counts it alone. GPUs of "
              "the runtime stay in the pod, and one process for each CPU starts."),
    lint_rule("lint.train.jax-environment", warning,
              "The operator does not reserve these variables: a value in spec.trainer.env replaces the injected one."),
    lint_rule("lint.train.kept-args", info,
              "spec.trainer.command replaces the command of the runtime, not its arguments. They follow the new "
              "command."),
    lint_rule("lint.train.managed-by", info,
              "The operator ignores a job that another controller manages. It does not even write a status."),
    lint_rule("lint.train.suspended", info, "A suspended job has no pods until you set suspend to false."),
    lint_rule("lint.train.ports", error,
              "The operator counts unnamed ports as one port and replaces them by its own, so that several unnamed "
              "ports become equal. The server rejects the JobSet, and the job has no pods."),
};

class checks {
public:
    checks(train_job const& job, issues& found) : job_(job), found_(found) {}

    void of_job() {
        auto const* const own = job_.spec.trainer ? &*job_.spec.trainer : nullptr;
        if (own != nullptr && own->num_nodes && *own->num_nodes < 1)
            add(too_few_nodes, "spec.trainer.numNodes", std::to_string(*own->num_nodes) + ", expected at least 1");
        if (job_.spec.suspend.value_or(false)) add(starts_suspended, "spec.suspend", "the job starts suspended");
        if (auto const& by = job_.spec.managed_by; by && *by != own_manager)
            add(managed_by_another, "spec.managedBy", in_quotes(*by) + " manages the job, not the operator");
    }

    void of_runtime(training_runtime_spec const& runtime) {
        auto const l = lay_out_template(job_, runtime);
        auto const* const own = job_.spec.trainer ? &*job_.spec.trainer : nullptr;
        static ml_policy const none;
        auto const& policy = runtime.ml_policy ? *runtime.ml_policy : none;
        of_name(lay_out_runtime(job_, runtime));
        bool const meets = policy.torch || policy.jax || policy.xgboost;
        if (meets && own == nullptr) add(no_trainer, "spec.trainer", "is absent, expected at least an empty trainer");
        if (meets && own != nullptr && l.spec.network && !l.spec.network->subdomain.empty() &&
            l.spec.network->subdomain != job_.metadata.name)
            add(other_subdomain, "spec.runtimeRef",
                "the runtime has the network.subdomain " + in_quotes(l.spec.network->subdomain));
        if (own == nullptr) return;
        if (policy.jax)
            for (std::size_t i = 0; i < own->env.size(); ++i)
                if (is_of_jax(own->env[i].name))
                    add(jax_environment, "spec.trainer.env[" + std::to_string(i) + "]",
                        own->env[i].name + " replaces the value of the operator");
        if (auto const* const c = trainer_container(runtime)) of_container(*c, *own, policy);
    }

private:
    /// The longest pod is `<job>-<entry>-<last Job>-<last pod>-<five random characters>`.
    void of_name(layout const& l) {
        constexpr std::size_t longest_label = 63, random = 6;
        std::size_t longest = longest_label;
        std::string entry;
        for (auto const& j : l.spec.replicated_jobs) {
            auto const* const pods = l.find(j.name);
            auto const last = [](std::int32_t count) { return 1 + std::to_string(std::max(count, 1) - 1).size(); };
            auto const used = 1 + j.name.size() + last(j.replicas.value_or(1)) + last(pods ? pods->count : 1) + random;
            auto const left = longest_label - std::min(used, longest_label);
            if (left < longest) entry = j.name;
            longest = std::min(longest, left);
        }
        auto const size = job_.metadata.name.size();
        if (size > longest)
            add(long_name, "metadata.name",
                std::to_string(size) + " characters, expected at most " + std::to_string(longest) +
                    " for the pods of the entry " + in_quotes(entry) + " of the runtime");
    }

    void add(rule which, std::string path, std::string const& text) {
        report(found_, all_rules[which], std::move(path), text);
    }

    static bool is_of_jax(std::string_view name) {
        return name == "JAX_NUM_PROCESSES" || name == "JAX_PROCESS_ID" || name == "JAX_COORDINATOR_ADDRESS";
    }

    static core::container const* trainer_container(training_runtime_spec const& runtime) {
        for (auto const& j : runtime.template_.spec.replicated_jobs)
            if (label_of(j.template_.metadata, ancestor_label) == trainer_step)
                return find_named(j.template_.spec.template_.spec.containers, node);
        return nullptr;
    }

    void of_container(core::container const& c, job_trainer const& own, ml_policy const& policy) {
        if (policy.torch && own.resources_per_node && !own.num_proc_per_node && gpu_count(c.resources) > 0 &&
            gpu_count(*own.resources_per_node) == 0)
            add(uncounted_gpus, "spec.trainer.resourcesPerNode",
                "has no GPU, and the runtime has " + std::to_string(gpu_count(c.resources)));
        if (!own.command.empty() && own.args.empty() && !c.args.empty())
            add(kept_args, "spec.trainer.command",
                "is followed by the arguments of the runtime: " + c.args.front() + (c.args.size() > 1 ? " ..." : ""));
        bool const opens = policy.torch || policy.jax || policy.xgboost;
        auto const unnamed =
            std::ranges::count_if(c.ports, [](core::container_port const& p) { return p.name.empty(); });
        if (opens && unnamed > 1)
            add(unnamed_ports, "spec.runtimeRef",
                "the runtime has " + std::to_string(unnamed) + " ports without a name");
    }

    train_job const& job_;
    issues& found_;
};

} // namespace

void lint(train_job const& job, any_object const& runtime, issues& found) {
    checks all(job, found);
    all.of_job();
    if (auto const* const spec = spec_of(runtime)) all.of_runtime(*spec);
}

std::span<lint_rule const> lint_rules() noexcept { return all_rules; }

} // namespace kftrain::trainer
