#include "job/contract/field_error.hpp"
#include "kinds/mpi_job_v2beta1/kind.hpp"
#include "kinds/mpi_job_v2beta1/lint/lint_rules.hpp"
#include "model/json/json_document.hpp"
#include "model/rules/object_meta.hpp"
#include "objects/pod_validation.hpp"

#include <kftrain/model/codec.hpp>

#include <map>

namespace kftrain::kubeflow_v2beta1 {
namespace {

namespace of = lint_rule_of;

void lint_metadata(mpi_job const& job, object_meta const& given, std::string_view role, std::string const& path,
                   issues& found) {
    auto const dropped = [&](bool set, std::string_view name) {
        if (set) report(found, of::template_metadata, path + "." + std::string(name), "is ignored by the operator");
    };
    dropped(!given.name.empty(), "name");
    dropped(!given.generate_name.empty(), "generateName");
    dropped(!given.namespace_.empty() && given.namespace_ != job.metadata.namespace_, "namespace");
    dropped(!given.owner_references.empty(), "ownerReferences");
    dropped(!given.finalizers.empty(), "finalizers");

    string_map const own = role_labels(job, role);
    for (auto const& [key, value] : given.labels)
        if (own.contains(key) || (key == label::replica_index && role == worker_role))
            report(found, of::labels, path + ".labels[" + key + "]",
                   in_quotes(value) + " is overwritten: the label " + key + " belongs to the operator");
}

/// Labels and annotations, which pods get as they are.
void lint_labels(object_meta const& given, std::string const& path, issues& found) {
    object_meta taken;
    taken.labels = given.labels;
    taken.annotations = given.annotations;
    if (taken == object_meta()) return;
    error_code ec;
    auto const parsed = kftrain::detail::parse_json(to_json(taken), ec);
    auto const* const metadata = ec ? nullptr : parsed.if_object();
    if (metadata == nullptr) return;
    for (auto const& f : common_meta_faults(*metadata)) report(found, of::pod, path + f.place, f.what.message);
}

/// Compares what the template has with what stands behind it in the pod.
void lint_environment(core::container const& written, core::container const& made, std::string const& path,
                      issues& found) {
    std::map<std::string_view, std::string_view> appended;
    for (std::size_t i = written.env.size(); i < made.env.size(); ++i) appended[made.env[i].name] = made.env[i].value;
    for (std::size_t i = 0; i < written.env.size(); ++i) {
        auto const& v = written.env[i];
        auto const own = appended.find(v.name);
        if (own == appended.end() || (own->second == v.value && !v.value_from)) continue;
        report(found, of::environment, path + ".env[" + std::to_string(i) + "]",
               v.name + "=" + in_quotes(v.value) + " has no effect: the operator sets " + v.name + "=" +
                   in_quotes(own->second));
    }
}

core::pod sample_of(mpi_job const& job, std::string_view type, mpi_operator_options const& options) {
    if (type == worker_type) return render_worker(job, 0, options);
    auto made = render_launcher_template(job, options);
    core::pod p;
    p.metadata = std::move(made.metadata);
    p.metadata.name = launcher_name(job);
    p.metadata.namespace_ = job.metadata.namespace_;
    p.spec = std::move(made.spec);
    return p;
}

} // namespace

void lint_template(mpi_job const& job, std::string_view type, mpi_operator_options const& options, issues& found) {
    auto const* const spec = spec_of(job, type);
    if (spec == nullptr) return;
    std::string const path = path_of(type) + ".template";
    lint_metadata(job, spec->template_.metadata, type == launcher_type ? launcher_role : worker_role,
                  path + ".metadata", found);
    lint_labels(spec->template_.metadata, path + ".", found);
    auto const& inner = spec->template_.spec.restart_policy;
    if (!inner.empty() && inner != spec->restart_policy)
        report(found, of::template_restart_policy, path + ".spec.restartPolicy",
               in_quotes(inner) + " is overwritten by " + in_quotes(spec->restart_policy));
    if (spec->template_.spec.containers.empty()) return; // validate() reports it
    auto const pod = sample_of(job, type, options);
    lint_environment(spec->template_.spec.containers.front(), pod.spec.containers.front(), path + ".spec.containers[0]",
                     found);
    for (auto const& f : created_pod_faults(pod))
        if (f.field != "spec.restartPolicy") report(found, of::pod, path + "." + f.field, f.message);
}

} // namespace kftrain::kubeflow_v2beta1
