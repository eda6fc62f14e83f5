#include "kinds/pytorch_job_v1alpha1/controller.hpp"
#include "kinds/pytorch_job_v1alpha1/members.hpp"
#include "kinds/pytorch_job_v1alpha1/render.hpp"
#include "kinds/pytorch_job_v1alpha1/status.hpp"

#include <kftrain/job/job_rules.hpp>

namespace kftrain {
namespace embedded {
extern std::string_view const pytorch_job_v1alpha1_schema; // schema.json
}

std::string_view kubeflow_v1alpha1::pytorch_schema() noexcept { return embedded::pytorch_job_v1alpha1_schema; }

namespace kubeflow_v1alpha1 {
namespace {

/// The rules of these PyTorchJobs, for rules::job_rules_of.
class pytorch_rules : public pytorch::pytorch_controller {
public:
    explicit pytorch_rules(operator_options const& options)
        : pytorch_controller(options.get<pytorch_operator_options>()) {}

    /// What upstream's flag names is a file: read_controller_config() reads its text.
    static std::span<operator_flag const> flags() noexcept { return {}; }
    static rules::resource_form const& form() noexcept {
        static constexpr auto served = [] {
            rules::resource_form f; // the CRD names no columns, and there is no webhook
            f.has_status = false;
            return f;
        }();
        return served;
    }
    static resource_schema const& schema() {
        static resource_schema const compiled = resource_schema::parse(pytorch_schema()).value();
        return compiled;
    }

    static void set_defaults(pytorch_job& job) { kubeflow_v1alpha1::set_defaults(job); }
    static void validate(pytorch_job const& job, pytorch_job const*, issues& found) {
        pytorch_job complete = job;
        kubeflow_v1alpha1::set_defaults(complete);
        for (auto& i : kubeflow_v1alpha1::validate(complete)) found.push_back(std::move(i));
    }
    static void lint(pytorch_job const& job, issues& found) { kubeflow_v1alpha1::lint(job, found); }
    static std::span<lint_rule const> lint_rules() noexcept { return pytorch_lint_rules(); }

    static membership lay_out(pytorch_job const& job) { return pytorch::lay_out(job); }
    std::vector<any_object> render(pytorch_job const& job) const { return pytorch::render(set_up(job)); }
    core::pod render_pod(pytorch_job const& given, membership const&, member const& m) const {
        auto const job = set_up(given);
        auto const& sets = job.spec.replica_specs;
        for (auto const& r : pytorch::replicas_of(sets))
            if (pytorch::type_of(*r.set) == m.role && r.index == m.index)
                return pytorch::pod_maker(job, sets).make(*r.set, *m.rank);
        return {};
    }
    static rules::scaling scaling(pytorch_job const&) {
        rules::scaling s;
        s.refused = "the operator applies a new number of replicas only after its own restart";
        return s;
    }
    static rules::suspending suspending(pytorch_job const&) {
        rules::suspending s;
        s.refused = "jobs of this API cannot be suspended";
        return s;
    }
    static result<rules::job_write> scaled(pytorch_job const& job, std::string_view, std::int32_t) {
        return rules::cannot("spec.replicaSpecs", scaling(job).refused);
    }
    static result<rules::job_write> suspended(pytorch_job const& job, bool) {
        return rules::cannot("spec", suspending(job).refused);
    }

    static std::vector<meta::condition> conditions(pytorch_job const& job) { return pytorch::conditions_of(job); }
    static job_phase phase(pytorch_job const& job) noexcept { return pytorch::phase_of(job); }

private:
    /// What the operator puts into the spec when it sets a job up, unless it has done so.
    pytorch_job set_up(pytorch_job job) const {
        if (job.status.phase.empty()) pytorch::add_accelerators(job.spec, options());
        return job;
    }
};

} // namespace

rules::job_rules const& kftrain_job_rules(type_tag<pytorch_job>) noexcept {
    static rules::job_rules_of<pytorch_rules> const instance;
    return instance;
}

} // namespace kubeflow_v1alpha1
} // namespace kftrain
