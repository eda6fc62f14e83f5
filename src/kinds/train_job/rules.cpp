#include "controllers/job_set/children.hpp"
#include "kinds/train_job/kind.hpp"

#include <kftrain/job/job_patch.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/train_job.hpp>
#include <kftrain/model/codec.hpp>

#include <algorithm>
#include <array>

namespace kftrain::embedded {
extern std::string_view const train_job_schema;        // schema.json
extern std::string_view const training_runtime_schema; // runtime_schema.json
extern std::string_view const job_set_schema;          // job_set_schema.json
extern std::string_view const job_set_template_schema; // job_set_template_schema.json
extern std::string_view const train_runtimes;          // runtimes.yaml
} // namespace kftrain::embedded

namespace kftrain::trainer {
namespace {

resource_schema compiled(std::string_view text) {
    std::array<schema_file, 1> const shared{{{"job_set_template_schema.json", embedded::job_set_template_schema}}};
    return resource_schema::parse(text, shared).value();
}

constexpr std::array columns{rules::printed_column("State", "string", ".status.conditions[-1:].type"),
                             rules::printed_column("Age", "date", ".metadata.creationTimestamp")};
constexpr std::array job_set_columns{
    rules::printed_column("TerminalState", "string", ".status.terminalState"),
    rules::printed_column("Restarts", "string", ".status.restarts"),
    rules::printed_column("Completed", "string", ".status.conditions[?(@.type==\"Completed\")].status"),
    rules::printed_column("Suspended", "string", ".spec.suspend"),
    rules::printed_column("Age", "date", ".metadata.creationTimestamp")};

template <class Runtime> rules::companion runtime_kind(std::string_view webhook, bool checks_updates) {
    rules::companion c(object_type_of<Runtime>, runtime_schema);
    c.admission_name = webhook;
    c.validate = [](void const* object) { return trainer::validate(static_cast<Runtime const*>(object)->spec); };
    c.checks_updates = checks_updates;
    return c;
}

std::span<rules::companion const> companions() noexcept {
    static std::array const all{
        runtime_kind<training_runtime>("validator.trainingruntime.trainer.kubeflow.org", false),
        runtime_kind<cluster_training_runtime>("validator.clustertrainingruntime.trainer.kubeflow.org", true), [] {
            rules::companion c(object_type_of<jobset::job_set>, job_set_schema);
            c.columns = job_set_columns;
            c.has_status = true;
            return c;
        }()};
    return all;
}

any_object const& runtime_in(train_job const& job) {
    static any_object const none;
    return job.runtime ? *job.runtime : none;
}

/// The layout of a job whose runtime is there; absent without it.
std::optional<layout> layout_of(train_job const& job) {
    auto const* const stored = spec_of(runtime_in(job));
    if (stored == nullptr) return std::nullopt;
    auto spec = *stored;
    trainer::set_defaults(spec);
    return lay_out_runtime(job, spec);
}

/// The rules of TrainJobs, for rules::job_rules_of.
class train_rules {
public:
    using object = train_job;
    static constexpr std::string_view name = "trainjob-controller";
    static constexpr rules::status_form status = rules::status_form::merge_patch;

    explicit train_rules(operator_options const&) : rows_(watched_rows()) {}

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    static rules::plan make_plan(rules::job_look<train_job> const& look) { return trainer::make_plan(look); }

    static std::span<operator_flag const> flags() noexcept { return {}; }
    static rules::resource_form const& form() noexcept {
        static rules::resource_form const served = [] {
            rules::resource_form f;
            f.columns = columns;
            f.admission_name = "validator.trainjob.trainer.kubeflow.org";
            f.companions = companions();
            f.installed_objects = installed_runtimes;
            return f;
        }();
        return served;
    }
    static rules::kind_facts const& facts() noexcept {
        static constexpr std::array<std::string_view, 2> refusals{"JobCreationFailed",
                                                                  "TrainJobResourcesCreationFailed"};
        static constexpr auto of_kind = [] {
            rules::kind_facts f;
            f.manager = own_manager;
            f.refusal_reasons = refusals;
            return f;
        }();
        return of_kind;
    }
    static resource_schema const& schema() { return trainer::schema(); }

    static std::vector<rules::reference> references(train_job const& job) {
        auto runtime = runtime_of(job);
        if (runtime.type == nullptr || runtime.name.empty()) return {};
        return {std::move(runtime)};
    }
    static void resolve(train_job& job, rules::reference const&, any_object runtime) {
        job.runtime = std::move(runtime);
    }

    static void set_defaults(train_job& job) { trainer::set_defaults(job); }
    static void validate(train_job const& job, train_job const* before, issues& found) {
        // The kind of the runtime is known without the runtime.
        if (!job.runtime && has_known_runtime(job)) return;
        for (auto& i : trainer::validate(job, runtime_in(job), before)) found.push_back(std::move(i));
        if (auto const l = layout_of(job); l && !l->fault.empty() && !has_errors(found)) {
            auto& i = found.emplace_back();
            i.rule = "kftrain.train.runtime";
            i.path = "spec.runtimeRef";
            i.message = i.path + ": " + l->fault;
        }
    }
    static rules::admission_answer admit(train_job const& job, rules::admission_context const& context) {
        return trainer::admit(job, context);
    }
    static void lint(train_job const& written, train_job const&, issues& found) {
        trainer::lint(written, runtime_in(written), found);
    }
    static std::span<lint_rule const> lint_rules() noexcept { return trainer::lint_rules(); }

    static membership lay_out(train_job const& job) { return trainer::lay_out(job, runtime_in(job)); }
    static std::vector<any_object> render(train_job const& job) {
        auto all = trainer::render(job, runtime_in(job));
        return all ? *std::move(all) : std::vector<any_object>();
    }
    static core::pod render_pod(train_job const& job, membership const&, member const& m) {
        return trainer::render_pod(job, m);
    }

    static rules::scaling scaling(train_job const&) {
        rules::scaling s;
        s.refused = "spec.trainer is immutable; delete the job and create it again with another numNodes";
        return s;
    }
    static result<rules::job_write> scaled(train_job const& job, std::string_view, std::int32_t) {
        return rules::cannot("spec.trainer.numNodes", scaling(job).refused);
    }
    static rules::suspending suspending(train_job const& job) {
        return rules::suspending_of(is_suspended(job), is_finished(phase_of(job)));
    }
    static result<rules::job_write> suspended(train_job const& job, bool on) {
        return rules::patch_of_suspend(suspending(job), train_job::resource, job.metadata, {"suspend"}, on);
    }

    static std::vector<meta::condition> conditions(train_job const& job) { return job.status.conditions; }
    static job_phase phase(train_job const& job) noexcept { return phase_of(job); }

private:
    std::vector<rules::watched> rows_;
};

} // namespace
resource_schema const& schema() {
    static resource_schema const s = compiled(embedded::train_job_schema);
    return s;
}

resource_schema const& runtime_schema() {
    static resource_schema const s = compiled(embedded::training_runtime_schema);
    return s;
}

resource_schema const& job_set_schema() {
    static resource_schema const s = compiled(embedded::job_set_schema);
    return s;
}

core::pod render_pod(train_job const& job, member const& m) {
    core::pod pod;
    auto const l = layout_of(job);
    if (!l || !l->fault.empty()) return pod;
    auto set = render_job_set(job, *l);
    controllers::job_sets::set_defaults(set);
    for (auto const& j : set.spec.replicated_jobs)
        for (std::int32_t k = 0; k < j.replicas.value_or(1); ++k) {
            auto const name = controllers::job_sets::job_name(set, j, k);
            if (m.host != name + "-" + std::to_string(m.index)) continue;
            auto made = controllers::job_sets::new_job(set, j, k);
            pod.metadata = std::move(made.spec.template_.metadata);
            pod.metadata.namespace_ = job.metadata.namespace_;
            pod.metadata.generate_name = m.host + "-";
            for (auto* marks : {&pod.metadata.labels, &pod.metadata.annotations})
                (*marks)["batch.kubernetes.io/job-completion-index"] = std::to_string(m.index);
            pod.spec = std::move(made.spec.template_.spec);
            pod.spec.hostname = m.host;
            return pod;
        }
    return pod;
}

std::vector<any_object> const& installed_runtimes() {
    static std::vector<any_object> const all = [] {
        std::vector<any_object> runtimes;
        for (auto const& document : split_yaml(embedded::train_runtimes))
            runtimes.emplace_back(from_yaml<cluster_training_runtime>(document.text).value());
        return runtimes;
    }();
    return all;
}

rules::job_rules const& kftrain_job_rules(type_tag<train_job>) noexcept {
    static rules::job_rules_of<train_rules> const instance;
    return instance;
}

} // namespace kftrain::trainer
