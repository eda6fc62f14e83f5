#include "job/v1/labels.hpp"
#include "job/v1/lint/lint_rules.hpp"
#include "job/v1/lint/lint_table.hpp"

#include <map>

namespace kftrain::kubeflow_v1 {
namespace {

/// Services, and labels of pods, one of which is the name of the job.
void lint_name(replica_job const& job, std::string_view type, std::int32_t count, issues& found) {
    constexpr std::size_t limit = 63;
    bool const serves = !job.constants.own_members;
    if (!serves && type != job.types().front()) return; // the same name for all types
    auto const longest = serves ? job.name_of(type, count - 1) : job.metadata.name;
    if (longest.size() <= limit) return;
    report(found, lint::child_name, "metadata.name",
           in_quotes(longest) +
               (serves ? ", the name of a pod and a service of the job" : ", the value of a label of the job's pods") +
               ", has " + std::to_string(longest.size()) + " characters, expected at most " + std::to_string(limit) +
               ": shorten the name by " + std::to_string(longest.size() - limit));
}

void lint_template_metadata(replica_job const& job, std::string_view type, member const* first, issues& found) {
    auto const& metadata = job.spec_of(type)->template_.metadata;
    std::string const path = job.path_of(type) + ".template.metadata";
    auto const dropped = [&](bool set, std::string_view name) {
        if (set) report(found, lint::template_metadata, path + "." + std::string(name), "is ignored by the operator");
    };
    dropped(!metadata.name.empty(), "name");
    dropped(!metadata.generate_name.empty(), "generateName");
    dropped(!metadata.namespace_.empty() && metadata.namespace_ != job.metadata.namespace_, "namespace");
    dropped(!metadata.owner_references.empty(), "ownerReferences");
    dropped(!metadata.finalizers.empty() && !job.constants.keeps_finalizers, "finalizers");

    if (first == nullptr) return;
    string_map const own = replica_labels(job, *first);
    for (auto const& [key, value] : metadata.labels)
        if (own.contains(key) || key == label::job_role)
            report(found, lint::reserved_label, path + ".labels[" + key + "]",
                   in_quotes(value) + " is overwritten: the label " + key + " belongs to the operator");
}

using values = std::map<std::string, std::string, std::less<>>;

values environment_of(replica_job const& job, membership const& layout, member const& r, core::container const& c) {
    values result;
    for (auto& v : job.environment(layout, r, c)) result[std::move(v.name)] = std::move(v.value);
    return result;
}

/// The kind determines what is reserved, for the first and the last replica: a value that holds for one is no variable
/// set for all of them.
void lint_environment(replica_job const& job, std::string_view type, membership const& layout, member const& first,
                      member const& last, issues& found) {
    auto const& containers = job.spec_of(type)->template_.spec.containers;
    for (std::size_t i = 0; i < containers.size(); ++i) {
        auto const& c = containers[i];
        if (c.env.empty()) continue;
        values const at_first = environment_of(job, layout, first, c);
        values const at_last = environment_of(job, layout, last, c);
        std::map<std::string_view, std::size_t> first_index;
        for (std::size_t k = 0; k < c.env.size(); ++k) {
            auto const& v = c.env[k];
            auto const path = container_path(job, type, i) + ".env[" + std::to_string(k) + "]";
            if (auto const [it, added] = first_index.emplace(v.name, k); !added)
                report(found, lint::duplicate_environment, path,
                       v.name + " is already set by env[" + std::to_string(it->second) + "], expected once");
            auto const reserved = at_first.find(v.name);
            if (reserved == at_first.end()) continue;
            auto const other = at_last.find(v.name);
            bool const same = reserved->second == v.value && other != at_last.end() && other->second == v.value;
            if (!same)
                report(found, lint::reserved_environment, path,
                       v.name + "=" + in_quotes(v.value) + " has no effect: the operator sets " + v.name + "=" +
                           in_quotes(reserved->second) + " in " + first.pod_name);
        }
    }
}

/// Checks the environment that the kind gives to the pods of a type.
void lint_length(replica_job const& job, std::string_view type, membership const& layout, member const& first,
                 issues& found) {
    constexpr std::size_t limit = 128 * 1024; // MAX_ARG_STRLEN, with the zero behind the text
    for (auto const& c : job.spec_of(type)->template_.spec.containers)
        for (auto const& v : job.environment(layout, first, c)) {
            auto const size = v.name.size() + 1 + v.value.size() + 1;
            if (size <= limit) continue;
            return report(found, lint::long_environment, job.path_of(type) + ".replicas",
                          v.name + " of " + first.pod_name + " takes " + std::to_string(size) +
                              " bytes, expected at most " + std::to_string(limit) +
                              "; use fewer replicas or a shorter name");
        }
}

} // namespace

void lint_children(replica_job const& job, std::string_view type, membership const& layout, issues& found) {
    auto const& spec = *job.spec_of(type);
    std::int32_t const count = spec.replicas.value_or(1);
    if (count < 1 && !job.constants.own_members)
        report(found, lint::replicas, job.path_of(type) + ".replicas",
               std::to_string(count) + " replicas, expected at least 1");
    else if (count > 0)
        lint_name(job, type, count, found);
    member const* first = nullptr;
    member const* last = nullptr;
    for (auto const& r : layout.members) {
        if (r.role != type) continue;
        if (first == nullptr) first = &r;
        last = &r;
    }
    lint_template_metadata(job, type, first, found);
    if (first == nullptr) return;
    lint_environment(job, type, layout, *first, *last, found);
    lint_length(job, type, layout, *first, found);
}

} // namespace kftrain::kubeflow_v1
