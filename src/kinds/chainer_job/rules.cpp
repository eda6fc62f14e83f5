#include "kinds/chainer_job/controller.hpp"
#include "kinds/chainer_job/members.hpp"
#include "kinds/chainer_job/render.hpp"

#include "job/contract/conditions.hpp"

#include <kftrain/job/job_rules.hpp>

#include <array>

namespace kftrain {
namespace embedded {
extern std::string_view const chainer_job_schema; // schema.json
}

std::string_view kubeflow_v1alpha1::chainer_schema() noexcept { return embedded::chainer_job_schema; }

namespace kubeflow_v1alpha1 {
namespace {

/// The rules of ChainerJobs, for rules::job_rules_of.
class chainer_rules : public chainer::chainer_controller {
public:
    explicit chainer_rules(operator_options const&) {}

    static std::span<operator_flag const> flags() noexcept { return {}; }
    static rules::resource_form const& form() noexcept {
        static constexpr std::array<std::string_view, 4> short_names{"chj", "chjs", "chjob", "chjobs"};
        static constexpr std::array<std::string_view, 1> categories{"all"};
        static constexpr auto served = [] {
            rules::resource_form f; // the CRD names no columns, and there is no webhook
            f.short_names = short_names;
            f.categories = categories;
            f.has_status = false;
            return f;
        }();
        return served;
    }
    static rules::kind_facts const& facts() noexcept {
        static constexpr std::array<std::string_view, 1> refusals{"ErrResourceExists"};
        static constexpr auto of_kind = [] {
            rules::kind_facts f;
            f.refusal_reasons = refusals;
            return f;
        }();
        return of_kind;
    }
    static resource_schema const& schema() {
        static resource_schema const compiled = resource_schema::parse(chainer_schema()).value();
        return compiled;
    }

    static void set_defaults(chainer_job& job) { kubeflow_v1alpha1::set_defaults(job); }
    static void validate(chainer_job const& job, chainer_job const*, issues& found) {
        chainer_job complete = job;
        kubeflow_v1alpha1::set_defaults(complete);
        for (auto& i : kubeflow_v1alpha1::validate(complete)) found.push_back(std::move(i));
    }
    static void lint(chainer_job const& job, issues& found) { kubeflow_v1alpha1::lint(job, found); }
    static std::span<lint_rule const> lint_rules() noexcept { return chainer_lint_rules(); }

    static membership lay_out(chainer_job const& job) { return chainer::lay_out(job); }
    static std::vector<any_object> render(chainer_job const& job) { return chainer::render(job); }
    static core::pod render_pod(chainer_job const& job, membership const&, member const& m) {
        return chainer::render_pod(job, m);
    }
    static std::vector<injected_file> written_files(chainer_job const& job, membership const& all, member const& m) {
        return chainer::written_files(job, all, m);
    }
    static rules::scaling scaling(chainer_job const& job) { return chainer::scaling_of(job); }
    static rules::suspending suspending(chainer_job const&) {
        rules::suspending s;
        s.refused = "jobs of this API cannot be suspended";
        return s;
    }
    static result<rules::job_write> scaled(chainer_job const& job, std::string_view set, std::int32_t workers) {
        return chainer::scaled(job, set, workers);
    }
    static result<rules::job_write> suspended(chainer_job const& job, bool) {
        return rules::cannot("spec", suspending(job).refused);
    }

    static std::vector<meta::condition> conditions(chainer_job const& job) {
        return as_conditions(job.status.conditions);
    }
    static job_phase phase(chainer_job const& job) noexcept { return chainer::phase_of(job); }
};

} // namespace

rules::job_rules const& kftrain_job_rules(type_tag<chainer_job>) noexcept {
    static rules::job_rules_of<chainer_rules> const instance;
    return instance;
}

} // namespace kubeflow_v1alpha1
} // namespace kftrain
