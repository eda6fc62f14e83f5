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

/// One member of a job: a pod with its role, index and rank.
struct member {
    member() = default;

    std::string role;                 ///< as the job names it: a replica type, e.g. `Worker`
    std::int32_t index = 0;           ///< 0-based within its role
    std::optional<std::int32_t> rank; ///< 0-based over the job; absent if the framework assigns ranks at run time
    std::string pod_name;             ///< empty if unknown beforehand, as for pods that a Job creates
    std::string host;                 ///< host name that its peers use; empty: its pod_name

    std::string const& host_name() const noexcept { return host.empty() ? pod_name : host; }

    friend bool operator==(member const&, member const&) = default;
};

/// Common properties of the pods of a role.
struct role {
    role() = default;

    std::string name;  ///< as the job names it: a replica type, e.g. `Worker`
    string_map labels; ///< labels of all its pods, and of no pod of another role
    /// The label whose value is the index of a pod within the role; empty: there is only one pod at a time.
    std::string_view index_label;
    std::int32_t first_label = 0; ///< value of that label for the member of index 0

    /// Returns the labels as a label selector: `a=b,c=d`.
    std::string label_selector() const;

    friend bool operator==(role const&, role const&) = default;
};

/** The environment variables by which the operator passes ranks to the members of a job. If a container has several
    variables of the same name, the last one counts. A name is empty if no variable has this value; names have static
    storage duration. */
struct rank_variables {
    rank_variables() = default;

    std::string_view rank; ///< the rank of the member, e.g. `RANK`
    /// The number of processes of all ranked members; each member counts as one if the number is determined at run
    /// time.
    std::string_view world_size;
    std::string_view address; ///< rendezvous host; in PyTorchJobs of v1alpha1 its own pod has `localhost`
    std::string_view port;    ///< rendezvous port
    /// The only container with these variables; empty: all containers except init containers.
    std::string_view container;

    friend bool operator==(rank_variables const&, rank_variables const&) = default;
};

/// The members of a job, computed once from the spec. All data that the operator injects into pods derives from it.
struct membership {
    membership() = default;

    std::vector<kftrain::role> roles; ///< in the kind's canonical order
    std::vector<member> members;      ///< role by role, then by index
    /// The domain of a member, which follows its host name in the address, e.g. `team-a.svc`; empty: there are no
    /// services and no addresses.
    std::string domain;
    std::optional<std::int32_t> world_size; ///< number of ranks; absent if the framework counts them at run time
    /// Number of processes that each ranked member starts, at least 1; absent if determined at run time.
    std::optional<std::int64_t> processes_per_member;
    /// One clause that explains why ranks are absent, or how reliable they are; may be empty.
    std::string rank_note;
    /// The variables that carry ranks into pods. `rank` is empty only if a note explains it or if only one member has a
    /// rank; the other names may be empty.
    rank_variables rank_env;

    /// Returns the member with this pod name, or null. Takes time linear in the members.
    member const* find(std::string_view pod_name) const noexcept;

    /// Returns the member of this pod, by its labels and, if known, by its name; null for other pods.
    member const* of(object_meta const& pod) const noexcept;

    /// Returns the members of a role, by index.
    std::span<member const> of_role(std::string_view name) const noexcept;

    friend bool operator==(membership const&, membership const&) = default;
};

} // namespace kftrain

#endif
