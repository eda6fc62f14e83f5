#include "kinds/volcano_job/admission/admission.hpp"
#include "kinds/volcano_job/controller.hpp"
#include "kinds/volcano_job/members.hpp"
#include "kinds/volcano_job/plan/state.hpp"
#include "kinds/volcano_job/render.hpp"

#include <kftrain/job/job_rules.hpp>

#include <algorithm>
#include <array>

namespace kftrain::volcano {
namespace {

constexpr std::array columns{rules::printed_column("STATUS", "string", ".status.state.phase"),
                             rules::printed_column("minAvailable", "integer", ".status.minAvailable"),
                             rules::printed_column("RUNNINGS", "integer", ".status.running"),
                             rules::printed_column("AGE", "date", ".metadata.creationTimestamp"),
                             rules::printed_column("QUEUE", "string", ".spec.queue", 1)};
constexpr std::array<std::string_view, 2> short_names{"vcjob", "vj"};

/// The rules of Volcano Jobs, for rules::job_rules_of.
class job_rules : public job_controller {
public:
    explicit job_rules(operator_options const& options) : job_controller(options.get<volcano_operator_options>()) {}

    static std::span<operator_flag const> flags() noexcept { return operator_flags(); }
    static rules::resource_form const& form() noexcept {
        static constexpr rules::resource_form served = [] {
            rules::resource_form f;
            f.columns = columns;
            f.short_names = short_names;
            f.admission_name = "validatejob.volcano.sh";
            return f;
        }();
        return served;
    }
    static rules::kind_facts const& facts() noexcept {
        // The controller writes the names of the claims that it makes before the status lists them.
        static constexpr std::array<std::string_view, 1> of_new_jobs{"volcano.volumes"};
        static constexpr std::array<std::string_view, 1> drawn{"volumeClaimName"};
        static constexpr std::array<std::string_view, 3> refusals{"PodGroupError", "PluginError", "PVCError"};
        static constexpr auto of_kind = [] {
            rules::kind_facts f;
            f.creation_rules = of_new_jobs;
            f.drawn_fields = drawn;
            f.refusal_reasons = refusals;
            return f;
        }();
        return of_kind;
    }
    static resource_schema const& schema() {
        static resource_schema const compiled = resource_schema::parse(volcano::schema()).value();
        return compiled;
    }

    void set_defaults(job& j) const { volcano::set_defaults(j, options()); }
    void validate(job const& j, job const* before, issues& found) const {
        job completed = j;
        if (before == nullptr) volcano::set_defaults(completed, options());
        auto all = before == nullptr ? volcano::validate(completed, options()) : validate_update(j, *before, options());
        for (auto& i : all) found.push_back(std::move(i));
    }
    rules::admission_answer admit(job const& j, rules::admission_context const& context) const {
        return volcano::admit(j, context, options());
    }
    void lint(job const& j, issues& found) const { volcano::lint(j, found, options()); }
    static std::span<lint_rule const> lint_rules() noexcept { return volcano::lint_rules(); }

    membership lay_out(job const& j) const { return volcano::lay_out(j, options()); }
    std::vector<any_object> render(job const& j) const {
        std::vector<any_object> all;
        for (auto& made : volcano::render(j, {}, options())) all.push_back(std::move(made.object));
        return all;
    }
    core::pod render_pod(job const& j, membership const&, member const& m) const {
        // Reading each of many members must not copy the job each time.
        bool const named =
            std::ranges::none_of(j.spec.volumes, [](auto const& v) { return v.volume_claim_name.empty(); });
        return named ? pod_of(j, m) : pod_of(with_claim_names(j), m);
    }
    static rules::scaling scaling(job const& j) { return scaling_of(j); }
    static rules::suspending suspending(job const& j) { return suspending_of(j); }
    result<rules::job_write> scaled(job const& j, std::string_view task, std::int32_t members) const {
        return volcano::scaled(j, task, members, options());
    }
    static result<rules::job_write> suspended(job const& j, bool on) { return volcano::suspended(j, on); }

    static std::optional<rules::gang_settings> gang(job const& j) {
        rules::gang_settings g;
        g.queue = j.spec.queue;
        g.priority_class = j.spec.priority_class_name;
        g.path = "spec";
        g.needs_queue = true;
        return g;
    }

    static rules::job_policies policies(job const& j) {
        rules::job_policies p;
        auto& r = p.restarts.emplace();
        r.done = j.status.retry_count;
        r.limit = j.spec.max_retry;
        return p;
    }

    /// The phases that the job went into; it is in the last.
    static std::vector<meta::condition> conditions(job const& j) {
        std::vector<meta::condition> all;
        for (auto const& c : j.status.conditions) {
            auto& condition = all.emplace_back();
            condition.type = c.status;
            condition.status = &c == &j.status.conditions.back() ? "True" : "False";
            condition.last_transition_time = c.last_transition_time;
        }
        if (!all.empty()) {
            all.back().reason = j.status.state.reason;
            all.back().message = j.status.state.message;
        }
        return all;
    }
    static job_phase phase(job const& j) noexcept { return stored_phase(j); }

private:
    core::pod pod_of(job const& j, member const& m) const {
        auto const* const task = find_task(j, m.role);
        return task == nullptr ? core::pod() : volcano::render_pod(j, *task, m.index, options());
    }
};

} // namespace

rules::job_rules const& kftrain_job_rules(type_tag<job>) noexcept {
    static rules::job_rules_of<job_rules> const instance;
    return instance;
}

} // namespace kftrain::volcano
