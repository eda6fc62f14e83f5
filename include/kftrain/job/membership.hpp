#ifndef KFTRAIN_JOB_MEMBERSHIP_HPP
#define KFTRAIN_JOB_MEMBERSHIP_HPP

#include <kftrain/model/meta.hpp>
#include <kftrain/model/name_map.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/// One member of a job: a pod and its place among the others.
struct member {
    member() = default;

    std::string role;                 ///< as the job names it: a replica type, e.g. `Worker`
    std::int32_t index = 0;           ///< 0-based within its role
    std::optional<std::int32_t> rank; ///< 0-based over the job; absent where the framework assigns ranks at run time
    std::string pod_name;             ///< empty where nobody knows it beforehand, as of pods that a Job makes
    std::string host;                 ///< host name by which its peers find it; empty: its pod_name

    std::string const& host_name() const noexcept { return host.empty() ? pod_name : host; }

    friend bool operator==(member const&, member const&) = default;
};

/// What the pods of a role have in common.
struct role {
    role() = default;

    std::string name;
    string_map labels; ///< all of its pods bear these, and none of another role does
    /// The label whose value is the index of a pod within the role; empty: there is one pod at a time.
    std::string_view index_label;
    std::int32_t first_label = 0; ///< value of that label of the member of index 0

    /// As a label selector: `a=b,c=d`.
    std::string label_selector() const;

    friend bool operator==(role const&, role const&) = default;
};

/** The environment variables by which the operator tells each ranked member of a job its place. Of a container's variables of equal name
    the last one counts. A name is empty where no variable tells this of the job; names live as long as the program. */
struct rank_variables {
    rank_variables() = default;

    std::string_view rank; ///< the rank of the member, e.g. `RANK`
    /// How many processes all ranked members start; one each counts where that is decided at run time.
    std::string_view world_size;
    std::string_view address; ///< the host where all meet; PyTorchJobs of v1alpha1 tell its pod `localhost`
    std::string_view port;    ///< the port where all meet
    /// The only container that is told; empty: all are that are no init containers.
    std::string_view container;

    friend bool operator==(rank_variables const&, rank_variables const&) = default;
};

/// Who belongs to a job: computed once from the spec, everything that pods are told is a projection of it.
struct membership {
    membership() = default;

    std::vector<kftrain::role> roles; ///< in the kind's canonical order
    std::vector<member> members;      ///< role by role, then by index
    /// What stands behind the host name of a member in its address, e.g. `team-a.svc`; empty: there are no services, and no addresses.
    std::string domain;
    std::optional<std::int32_t> world_size; ///< number of ranks; absent where the framework counts them at run time
    /// Processes that each ranked member starts, at least 1; absent where that is decided at run time.
    std::optional<std::int64_t> processes_per_member;
    /// One clause that says why ranks are absent, or how far they are to be trusted; may be empty.
    std::string rank_note;
    /// How pods are told ranks. `rank` is empty only where a note says why or one member alone has one; the others may be.
    rank_variables told_by;

    /// The member of this pod name, or null. Takes time linear in the members.
    member const* find(std::string_view pod_name) const noexcept;

    /// The member whose pod this is, by its labels, and by its name where that is known; null for pods of others.
    member const* of(object_meta const& pod) const noexcept;

    /// The members of a role, by index.
    std::span<member const> of_role(std::string_view name) const noexcept;

    friend bool operator==(membership const&, membership const&) = default;
};

} // namespace kftrain

#endif
