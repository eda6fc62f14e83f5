#include "job/contract/conditions.hpp"
#include "job/contract/gang_settings.hpp"
#include "kinds/mpi_job_v2beta1/controller.hpp"
#include "kinds/mpi_job_v2beta1/lint/lint_rules.hpp"
#include "kinds/mpi_job_v2beta1/plan/conditions.hpp"
#include "kinds/mpi_job_v2beta1/render/creation.hpp"
#include "kinds/mpi_job_v2beta1/render/members.hpp"

#include <kftrain/job/job_rules.hpp>

#include <array>

namespace kftrain::kubeflow_v2beta1 {
namespace {

mpi_job with_defaults(mpi_job job) {
    kubeflow_v2beta1::set_defaults(job);
    return job;
}

/// The rules of MPIJobs, for rules::job_rules_of.
class mpi_rules : public mpi_controller {
public:
    explicit mpi_rules(operator_options const& options) : mpi_controller(options.get<mpi_operator_options>()) {}

    static std::span<operator_flag const> flags() noexcept { return operator_flags(); }
    static rules::resource_form const& form() noexcept {
        static constexpr rules::resource_form served; // the CRD names no columns, and there is no webhook
        return served;
    }
    static rules::kind_facts const& facts() noexcept {
        static constexpr std::array<std::string_view, 1> refusals{"ErrResourceExists"};
        static constexpr auto of_kind = [] {
            rules::kind_facts f;
            f.launcher = launcher_type;
            f.manager = own_manager;
            f.refusal_reasons = refusals;
            return f;
        }();
        return of_kind;
    }
    static resource_schema const& schema() {
        static resource_schema const compiled = resource_schema::parse(kubeflow_v2beta1::schema()).value();
        return compiled;
    }

    static void set_defaults(mpi_job& job) { kubeflow_v2beta1::set_defaults(job); }
    static void validate(mpi_job const& job, mpi_job const*, issues& found) {
        for (auto& i : kubeflow_v2beta1::validate(with_defaults(job))) found.push_back(std::move(i));
    }
    void lint(mpi_job const& job, issues& found) const { kubeflow_v2beta1::lint(job, options(), found); }
    static std::span<lint_rule const> lint_rules() noexcept { return kubeflow_v2beta1::lint_rules(); }

    membership lay_out(mpi_job const& job) const { return kubeflow_v2beta1::lay_out(job, options()); }
    std::vector<any_object> render(mpi_job const& job) const {
        std::vector<any_object> all;
        for (auto& made : kubeflow_v2beta1::render(job, {}, options())) all.push_back(std::move(made.object));
        return all;
    }
    core::pod render_pod(mpi_job const& job, membership const&, member const& m) const {
        if (m.role == worker_type) return render_worker(job, m.index, options());
        auto made = render_launcher_template(job, options());
        core::pod pod;
        pod.metadata = std::move(made.metadata);
        pod.metadata.namespace_ = job.metadata.namespace_;
        pod.metadata.generate_name = launcher_name(job) + "-";
        pod.spec = std::move(made.spec);
        return pod;
    }
    static rules::scaling scaling(mpi_job const& job) { return scaling_of(job); }
    static rules::suspending suspending(mpi_job const& job) { return suspending_of(job); }
    static result<rules::job_write> scaled(mpi_job const& job, std::string_view role, std::int32_t members) {
        return kubeflow_v2beta1::scaled(job, role, members);
    }
    static result<rules::job_write> suspended(mpi_job const& job, bool on) {
        return kubeflow_v2beta1::suspended(job, on);
    }

    static std::optional<rules::gang_settings> gang(mpi_job const& job) {
        return rules::gang_settings_of(job.spec.run_policy.scheduling_policy);
    }
    static std::vector<meta::condition> conditions(mpi_job const& job) { return as_conditions(job.status.conditions); }
    static job_phase phase(mpi_job const& job) noexcept { return phase_of(job); }
};

} // namespace

rules::job_rules const& kftrain_job_rules(type_tag<mpi_job>) noexcept {
    static rules::job_rules_of<mpi_rules> const instance;
    return instance;
}

} // namespace kftrain::kubeflow_v2beta1
