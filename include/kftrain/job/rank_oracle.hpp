#ifndef KFTRAIN_JOB_RANK_ORACLE_HPP
#define KFTRAIN_JOB_RANK_ORACLE_HPP

#include <kftrain/job/any_job.hpp>
#include <kftrain/job/operator_options.hpp>
#include <kftrain/job/told_file.hpp>
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

    std::int64_t first = 0;
    std::int64_t count = 0;

    friend bool operator==(process_range const&, process_range const&) = default;
};

/// What one container of a pod is told.
struct container_environment {
    container_environment() = default;

    std::string container;
    bool init = false;              ///< an init container
    std::vector<core::env_var> env; ///< as in the pod, in order; a name may occur twice

    /** What the process sees: of variables of equal name only the last, at its place. References such as `$(NAME)` are
        left as they are. @par Upstream kubelet 1.31 `pkg/kubelet/kubelet_pods.go`, `makeEnvironmentVariables` */
    std::vector<core::env_var> effective() const;
};

/// The files by which one container of a pod is told something.
struct container_files {
    container_files() = default;

    std::string container;
    bool init = false; ///< an init container
    std::vector<told_file> files;
};

/** Tells of any member of a job who it is: from the name of its pod, its host name or address, its rank, the rank of one of
    its processes, or its role and index to all the others, and to the environment and files of its containers, which are
    those of the pods that render() makes. Look-ups take constant time; making the oracle takes time linear in the members.

    @par Errors A look-up that finds none fails with `errc::invalid_argument`; the message names what was asked for and what there is.
    @par Thread safety Distinct objects: safe. Shared objects: safe as long as none is assigned. */
class rank_oracle {
public:
    /// Takes a valid job; defaults are applied to the copy kept here.
    explicit rank_oracle(any_job job, operator_options const& options = operator_options());

    /// The job with its defaults; the reference holds as long as the oracle, as that of layout() does.
    any_job const& job() const noexcept { return job_; }
    /// All members, with names and ranks.
    membership const& layout() const noexcept { return layout_; }

    /// The member by the name of its pod; where its end is random, by what stands before that. Linear in the members where the pod's host
    /// has another name.
    result<member> of_pod(std::string_view name) const;
    /** The member by the host name of its pod, or by address: what address_of() says, cut at a point or with any domain behind. A host name that
        a template gives to several pods is refused. */
    result<member> of_host(std::string_view host) const;
    /// The member by its rank, as in `RANK`. Fails for jobs whose ranks are known at run time only; says why.
    result<member> of_rank(std::int64_t rank) const;
    /** The member by the rank of a process, for jobs that start several per member: rank `r` runs `r * n` to `r * n + n - 1`. Fails where
        ranks or the number of processes are known at run time only; says why. */
    result<member> of_process(std::int64_t rank) const;
    /// The member by role, as the job spells it, and 0-based index within it.
    result<member> of_index(std::string_view role, std::int32_t index) const;

    /// The ranks of its processes; absent where ranks or the number of processes are known at run time only.
    std::optional<process_range> processes_of(member const&) const noexcept;
    /// Host name and domain, e.g. `<name>.<namespace>.svc`: resolves from every namespace. A job without namespace is looked
    /// for in `default`. Of a job without services, the host name alone.
    std::string address_of(member const&) const;
    /// The pod that is created for a member of this job.
    pod pod_of(member const&) const;
    /// Of each container of the pod, init containers first.
    std::vector<container_environment> environment_of(member const&) const;
    /** Of each container of the pod, init containers first, the files in mounted ConfigMaps and Secrets that the operator creates, as it
        creates them: a script that lists running hosts lists none yet; then what its init containers write. Files of Secrets have no text.
        Objects of the author's own are not told, nor are files under a `subPathExpr`. A name that is drawn at run time ends in `-*`.
        The first call for a member with such volumes renders all objects of the job; each takes time and memory linear in the texts. */
    std::vector<container_files> files_of(member const&) const;

private:
    // Both are shared by copies, which are of one job.
    struct places;
    struct mounted_objects;

    static std::shared_ptr<mounted_objects> no_objects_yet();
    result<member> of_template_host(std::string_view host) const;
    std::string known_names() const;

    any_job job_;
    std::shared_ptr<rules::job_rules const> rules_; ///< told what the operator is told
    membership layout_;
    std::shared_ptr<places const> places_;
    std::shared_ptr<mounted_objects> objects_;
};

} // namespace kftrain

#endif
