#ifndef KFTRAIN_OBJECTS_CORE_SECURITY_HPP
#define KFTRAIN_OBJECTS_CORE_SECURITY_HPP

/** @file
    Security contexts of pods and containers.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>

namespace kftrain::core {

/// Linux capabilities, in addition to the default of the runtime.
struct capabilities {
    capabilities() = default;

    std::vector<std::string> add;  ///< names without the prefix `CAP_`, e.g. `NET_ADMIN`
    std::vector<std::string> drop; ///< names without the prefix `CAP_`; `ALL` removes all
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(capabilities, (add, drop))

/// Parts of an SELinux label; the runtime chooses the empty ones.
struct se_linux_options {
    se_linux_options() = default;

    std::string user;  ///< user of the label
    std::string role;  ///< role of the label
    std::string type;  ///< type of the label
    std::string level; ///< level of the label, e.g. `s0:c123,c456`
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(se_linux_options, (user, role, type, level))

/// The identity of processes on Windows nodes.
struct windows_security_context_options {
    windows_security_context_options() = default;

    std::optional<std::string> gmsa_credential_spec_name; ///< name of a credential of a group managed service account
    /// Text of that credential; an admission webhook sets it from the name.
    std::optional<std::string> gmsa_credential_spec;
    std::optional<std::string> run_as_user_name; ///< user of the first process; absent: that of the image
    std::optional<bool> host_process; ///< whether it runs as a process of the host; requires `host_network` of the pod
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(windows_security_context_options,
                 (gmsa_credential_spec_name, gmsa_credential_spec, run_as_user_name, host_process))

/// The filter of system calls.
struct seccomp_profile {
    seccomp_profile() = default;

    std::string type;                             ///< Localhost, RuntimeDefault or Unconfined
    std::optional<std::string> localhost_profile; ///< file on the node, with type Localhost
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(seccomp_profile, "type")
KFTRAIN_DESCRIBE(seccomp_profile, (type, localhost_profile))

/// The AppArmor profile of processes.
struct app_armor_profile {
    app_armor_profile() = default;

    std::string type;                             ///< Localhost, RuntimeDefault or Unconfined
    std::optional<std::string> localhost_profile; ///< name of a loaded profile, with type Localhost
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(app_armor_profile, "type")
KFTRAIN_DESCRIBE(app_armor_profile, (type, localhost_profile))

/// For one container; takes precedence over that of the pod.
struct security_context {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(security_context);

    boxed<kftrain::core::capabilities> capabilities; ///< absent: the default of the runtime
    std::optional<bool> privileged; ///< whether its processes have all rights of root on the node; absent means false
    boxed<kftrain::core::se_linux_options> se_linux_options; ///< absent: those of the pod
    boxed<windows_security_context_options> windows_options; ///< for Windows nodes only; absent: those of the pod
    std::optional<std::int64_t> run_as_user; ///< uid of the first process; absent: that of the pod, else of the image
    /// Gid of the first process; absent: that of the pod, else the default of the runtime.
    std::optional<std::int64_t> run_as_group;
    std::optional<bool> run_as_non_root; ///< if true, the kubelet does not start it as uid 0; absent: as in the pod
    std::optional<bool> read_only_root_filesystem; ///< absent means false
    /// Whether processes may gain privileges, e.g. by setuid programs; absent means true.
    std::optional<bool> allow_privilege_escalation;
    std::optional<std::string> proc_mount;                     ///< Default or Unmasked; absent means Default
    boxed<kftrain::core::seccomp_profile> seccomp_profile;     ///< absent: that of the pod
    boxed<kftrain::core::app_armor_profile> app_armor_profile; ///< absent: that of the pod
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(security_context, (capabilities, privileged, se_linux_options, windows_options, run_as_user,
                                    run_as_group, run_as_non_root, read_only_root_filesystem,
                                    allow_privilege_escalation, proc_mount, seccomp_profile, app_armor_profile))

/// A kernel parameter of the namespaces of the pod.
struct sysctl {
    sysctl() = default;

    std::string name;  ///< e.g. `net.core.somaxconn`
    std::string value; ///< text of the value, also for numbers
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(sysctl, "name", "value")
KFTRAIN_DESCRIBE(sysctl, (name, value))

/// For all containers of a pod, and its volumes.
struct pod_security_context {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(pod_security_context);

    boxed<kftrain::core::se_linux_options> se_linux_options; ///< absent: the runtime chooses a label for each container
    boxed<windows_security_context_options> windows_options; ///< for Windows nodes only
    std::optional<std::int64_t> run_as_user; ///< uid of the first process of each container; absent: that of the image
    /// Gid of the first process of each container; absent: the default of the runtime.
    std::optional<std::int64_t> run_as_group;
    std::optional<bool> run_as_non_root; ///< if true, the kubelet starts no container as uid 0; absent means false
    std::vector<std::int64_t> supplemental_groups; ///< further gids of the first process of each container
    /// Merge, with groups of the image, or Strict; absent means Merge.
    std::optional<std::string> supplemental_groups_policy;
    std::optional<std::int64_t> fs_group; ///< gid that owns the volumes; absent: their owners do not change
    std::vector<sysctl> sysctls; ///< kernel parameters by name; containers may fail to start if one is not supported
    std::optional<std::string> fs_group_change_policy;     ///< OnRootMismatch or Always; absent means Always
    boxed<std::string> se_linux_change_policy;             ///< how volumes get their labels: Recursive or MountOption
    boxed<kftrain::core::seccomp_profile> seccomp_profile; ///< absent: the default of the node
    boxed<kftrain::core::app_armor_profile> app_armor_profile; ///< absent: the default of the runtime
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_security_context,
                 (se_linux_options, windows_options, run_as_user, run_as_group, run_as_non_root, supplemental_groups,
                  supplemental_groups_policy, fs_group, sysctls, fs_group_change_policy, se_linux_change_policy,
                  seccomp_profile, app_armor_profile))

} // namespace kftrain::core

#endif
