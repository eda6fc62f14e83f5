#ifndef KFTRAIN_SRC_CONVERT_TO_VOLCANO_VOLCANO_PARTS_HPP
#define KFTRAIN_SRC_CONVERT_TO_VOLCANO_VOLCANO_PARTS_HPP

#include "convert/carried.hpp"

#include <kftrain/job/v1/job_types.hpp>
#include <kftrain/kinds/volcano_job.hpp>

#include <span>
#include <utility>

// Common parts of the conversions of kinds of kubeflow.org to the Job of Volcano.
namespace kftrain::convert {

/// The names that a source kind uses.
struct source_names {
    constexpr source_names() = default;

    std::string_view specs_field; ///< JSON name of the replica map
    std::string_view container;   ///< the one that trains
    std::string_view port_name;
    std::int32_t port = 0; ///< meant if none is named
    std::string_view default_restart_policy;
    std::span<std::string_view const> types; ///< in the order of the tasks
    bool exit_codes_restart = true;          ///< false: under ExitCode nothing is started again
    bool own_restarts = false;               ///< the conversion carries restart policies by itself
};

/// The names that a kind of the replica family uses.
source_names names_of(rules::job_rules const& kind);

/// Appends a policy to those of the task.
void add_policy(volcano::task_spec&, std::string_view event, std::string_view action);

/// Adds the variable to all containers of a task except its init containers.
void add_variable(volcano::task_spec&, std::string_view name, std::string const& value);
/// Adds a variable with the value of a field of the pod.
void add_field_variable(volcano::task_spec&, std::string_view name, std::string_view field_path);

/// A Job of Volcano in the making. Refers to the source.
class volcano_draft {
public:
    template <class K>
    volcano_draft(K const& source, kubeflow_v1::replica_spec_map const& replicas)
        : volcano_draft(source, replicas, names_of(job_rules_for<K>())) {}
    template <class K>
    volcano_draft(K const& source, kubeflow_v1::replica_spec_map const& replicas, source_names const& names)
        : names_(names), replicas_(replicas), policy_(source.spec.run_policy) {
        job.metadata = carried_head(source, unknown_field, changes);
        drop_status(source, changes);
    }

    static constexpr std::string_view unknown_field = "A job of kubeflow.org/v1 has no such field.";

    source_names const& names() const noexcept { return names_; }
    /// The key of a type with replicas, as the job spells it; empty if there is none.
    std::string key_of(std::string_view type) const;
    /// `spec.<map>[<key>]`.
    std::string path_of(std::string_view key) const;
    /// The port named like the kind's in the container that trains; absent if there is none.
    std::optional<std::int32_t> port_of(std::string_view key) const;

    /// Converts the run policy, and adds a task for each type that has replicas. If `leader` is not empty, the job ends
    /// with that task.
    void convert(std::string_view leader);
    // The steps of convert(), for kinds that replace some of them.
    void convert_policy();
    void convert_limit();
    void convert_tasks(std::string_view leader);
    /// For convert_policy(): the source's field for the clean-up policy if it is not in the run policy.
    void clean_by(std::string path, std::string const& policy) { cleaning_.emplace(std::move(path), policy); }
    /// For convert_policy(): only these pods can start together, for the given reason.
    void limit_gang(std::int32_t most, std::string_view why) { largest_gang_.emplace(most, why); }
    /// Appends a task of the type `key`.
    void add_task(volcano::task_spec, std::string const& key);
    /// Adds a plugin that opens this port in all containers. A port is not opened twice under one name.
    void add_plugin(std::string const& name, std::vector<std::string> arguments, std::int32_t port);
    /// Adds the variable to all containers of all tasks.
    void add_variable(std::string_view name, std::string const& value);
    /// Adds a variable with the index of the pod within its task, to all containers or to those of the task `only`.
    void add_index(std::string_view name, std::string_view only = {});
    /// The fault of a job whose name the server generates: its templates cannot name hosts. Empty for other jobs.
    std::optional<failure> generated_name_fault() const;
    /// The host name of a pod for other pods.
    std::string host_of(std::string_view task, std::int32_t index) const;
    result<converted<volcano_job>> finish() { return accepted(std::move(job), std::move(changes), moved_); }

    volcano_job job;
    change_list changes;

private:
    void convert_cleaning(std::string const& path, std::optional<std::string> const&);
    void convert_gang();
    void convert_gang_size(std::optional<std::int32_t> given);
    void convert_task(std::string const& key, bool leads);
    void convert_restarts(volcano::task_spec&, std::string const& from, std::string const& to,
                          std::string const& given);
    void clear_host(std::string& field, std::string const& path);

    source_names names_;
    kubeflow_v1::replica_spec_map const& replicas_;
    kubeflow_v1::run_policy const& policy_;
    moved_parts moved_;
    std::optional<std::pair<std::string, std::string>> cleaning_;
    std::optional<std::pair<std::int32_t, std::string_view>> largest_gang_;
};

} // namespace kftrain::convert

#endif
