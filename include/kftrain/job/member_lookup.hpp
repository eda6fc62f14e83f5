#ifndef KFTRAIN_JOB_MEMBER_LOOKUP_HPP
#define KFTRAIN_JOB_MEMBER_LOOKUP_HPP

#include <kftrain/job/injected_file.hpp>
#include <kftrain/job/operator_options.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/// Ranks of the processes of one member: `first`, `first + 1`, ... `first + count - 1`.
struct process_range {
    process_range() = default;

    std::int64_t first = 0; ///< lowest rank, 0-based over the job
    std::int64_t count = 0; ///< number of processes

    friend bool operator==(process_range const&, process_range const&) = default;
};

/// Environment variables of one container of a pod.
struct container_environment {
    container_environment() = default;

    std::string container;          ///< name of the container
    bool init = false;              ///< an init container
    std::vector<core::env_var> env; ///< as in the pod, in order; a name may occur twice

    /** Returns the variables that the process sees: if several have the same name, only the last, at its position.
        References such as `$(NAME)` are not expanded. @par Upstream kubelet 1.31 `pkg/kubelet/kubelet_pods.go`,
        `makeEnvironmentVariables` */
    std::vector<core::env_var> effective() const;
};

/// The files that the operator injects into one container of a pod.
struct container_files {
    container_files() = default;

    std::string container;            ///< name of the container
    bool init = false;                ///< an init container
    std::vector<injected_file> files; ///< mounted files, then files that init containers write
};

/** Finds a member of a job by pod name, host name or address, rank, process rank, or role and index. Returns its
    other identifiers and the environment and files of its containers, which are those of the pods that render()
    makes. Look-ups take constant time unless their comment states otherwise; the
    construction takes time linear in the members.

    @par Errors A look-up without a result fails with `errc::invalid_argument`; the message contains the query and
    the existing values.
    @par Thread safety Distinct objects: safe. Shared objects: safe as long as none is assigned. */
class member_lookup {
public:
    /// Takes a job as its author wrote it or, with a uid, as a server stores it. An invalid job has no members.
    explicit member_lookup(any_job job, operator_options const& options = operator_options());
    explicit member_lookup(prepared_job job);

    /// Returns the job with its defaults. The references of job() and layout() are valid as long as this object.
    any_job const& job() const { return job_.complete(); }
    /// Returns all members, with names and ranks.
    membership const& layout() const { return job_.layout(); }

    /// Finds a member by the name of its pod; if the name has a random suffix, by the part before it. Linear in the
    /// members if the host name differs from the pod name.
    [[nodiscard]] result<member> of_pod(std::string_view name) const;
    /** Finds a member by the host name of its pod, or by address: the result of address_of(), truncated at a dot or
        followed by any domain. A host name that a template gives to several pods is rejected. */
    [[nodiscard]] result<member> of_host(std::string_view host) const;
    /// Finds a member by its rank, as in `RANK`. If ranks are known only at run time, fails with the reason in the
    /// message.
    [[nodiscard]] result<member> of_rank(std::int64_t rank) const;
    /** Finds a member by the rank of one of its processes, for jobs that start several processes per member: the
        member of rank `r` runs `r * n` to `r * n + n - 1`. If ranks or the number of processes are known only at run
        time, fails with the reason in the message. */
    [[nodiscard]] result<member> of_process(std::int64_t rank) const;
    /// Finds a member by role, as the job spells it, and 0-based index within the role.
    [[nodiscard]] result<member> of_index(std::string_view role, std::int32_t index) const;

    /// Returns the ranks of its processes; absent if ranks or the number of processes are known only at run time.
    std::optional<process_range> processes_of(member const&) const noexcept;
    /// Returns host name and domain, e.g. `<name>.<namespace>.svc`: resolves from every namespace. A job without a
    /// namespace uses `default`. For a job without services, returns the host name alone.
    std::string address_of(member const&) const;
    /// Returns the pod of a member of this job.
    pod pod_of(member const&) const;
    /// Returns the environment of each container of the pod, init containers first.
    std::vector<container_environment> environment_of(member const&) const;
    /** Returns the injected files of each container of the pod, init containers first: files in mounted ConfigMaps
        and Secrets that the operator creates, in their initial form (a script that lists running hosts lists none
        yet), then files that init containers of the operator write. Files of Secrets have no text. Excludes objects
        of the job's author and files under a `subPathExpr`. A name that is generated at run time ends in `-*`. The
        first call for a member with such volumes renders all objects of the job; each call takes time and memory
        linear in the texts. */
    std::vector<container_files> files_of(member const&) const;

private:
    // Copies share both; they belong to the same job.
    struct places;
    struct mounted_objects;

    static std::shared_ptr<mounted_objects> no_objects_yet();
    [[nodiscard]] result<member> of_template_host(std::string_view host) const;
    std::string known_names() const;

    prepared_job job_;
    std::shared_ptr<places const> places_;
    std::shared_ptr<mounted_objects> objects_;
};

} // namespace kftrain

#endif
