#include "job/contract/field_error.hpp"
#include "kinds/volcano_job/lint/lint_rules.hpp"
#include "kinds/volcano_job/render.hpp"
#include "objects/pod_validation.hpp"

#include <map>
#include <set>

namespace kftrain::volcano {
namespace {

namespace of = lint_rule_of;

/// What stands behind the template's own variables in the pod.
void lint_environment(core::container const& written, core::container const& made, std::string const& path,
                      issues& found) {
    std::map<std::string_view, core::env_var const*> appended;
    for (std::size_t i = written.env.size(); i < made.env.size(); ++i) appended[made.env[i].name] = &made.env[i];
    for (std::size_t i = 0; i < written.env.size(); ++i) {
        auto const& v = written.env[i];
        auto const own = appended.find(v.name);
        if (own == appended.end() || *own->second == v) continue;
        report(found, of::environment, path + ".env[" + std::to_string(i) + "]",
               v.name + "=" + in_quotes(v.value) + " has no effect: a plugin sets " + v.name);
    }
}

void lint_metadata(string_map const& written, string_map const& made, std::string const& path, issues& found) {
    for (auto const& [name, value] : written) {
        auto const own = made.find(name);
        if (own != made.end() && own->second != value)
            report(found, of::labels, path + "[" + name + "]",
                   in_quotes(value) + " is overwritten: " + name + " belongs to the operator");
    }
}

/// Faults that the template does not have by itself: admission refuses those.
void lint_pod(core::pod const& pod, task_spec const& task, std::string const& path, issues& found) {
    core::pod plain;
    plain.metadata.name = pod.metadata.name;
    plain.spec = task.template_.spec;
    std::set<std::string> known;
    for (auto const& f : created_pod_faults(plain)) known.insert(f.text());
    for (auto const& f : created_pod_faults(pod))
        if (!known.contains(f.text())) report(found, of::pod, path + "." + f.field, f.message);
}

} // namespace

void lint_templates(job const& given, volcano_operator_options const& options, issues& found) {
    if (environment_bytes(given, options) > most_environment_bytes) return; // admission reports it
    auto const named = with_claim_names(given);
    for (std::size_t i = 0; i < named.spec.tasks.size(); ++i) {
        auto const& task = named.spec.tasks[i];
        std::string const path = "spec.tasks[" + std::to_string(i) + "].template";
        auto const& when = task.template_.spec.restart_policy;
        if (when.empty() || when == "Always")
            report(found, of::restart_policy, path + ".spec.restartPolicy", "Always, expected OnFailure or Never");
        auto const pod = render_pod(named, task, 0, options);
        lint_metadata(task.template_.metadata.labels, pod.metadata.labels, path + ".metadata.labels", found);
        lint_metadata(task.template_.metadata.annotations, pod.metadata.annotations, path + ".metadata.annotations",
                      found);
        auto const& written = task.template_.spec;
        for (std::size_t c = 0; c < written.containers.size(); ++c)
            lint_environment(written.containers[c], pod.spec.containers[c],
                             path + ".spec.containers[" + std::to_string(c) + "]", found);
        for (std::size_t c = 0; c < written.init_containers.size(); ++c)
            lint_environment(written.init_containers[c], pod.spec.init_containers[c],
                             path + ".spec.initContainers[" + std::to_string(c) + "]", found);
        lint_pod(pod, task, path, found);
    }
}

} // namespace kftrain::volcano
