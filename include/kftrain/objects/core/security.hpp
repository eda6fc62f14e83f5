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

    std::vector<std::string> add;
    std::vector<std::string> drop;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(capabilities, (add, drop))

struct se_linux_options {
    se_linux_options() = default;

    std::string user;
    std::string role;
    std::string type;
    std::string level;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(se_linux_options, (user, role, type, level))

struct windows_security_context_options {
    windows_security_context_options() = default;

    std::optional<std::string> gmsa_credential_spec_name;
    std::optional<std::string> gmsa_credential_spec; ///< text of the group managed service account
    std::optional<std::string> run_as_user_name;
    std::optional<bool> host_process; ///< whether it runs as a process of the host
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(windows_security_context_options,
                 (gmsa_credential_spec_name, gmsa_credential_spec, run_as_user_name, host_process))

struct seccomp_profile {
    seccomp_profile() = default;

    std::string type;                             ///< Localhost, RuntimeDefault or Unconfined
    std::optional<std::string> localhost_profile; ///< file on the node, with type Localhost
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(seccomp_profile, "type")
KFTRAIN_DESCRIBE(seccomp_profile, (type, localhost_profile))

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

    boxed<kftrain::core::capabilities> capabilities;
    std::optional<bool> privileged;
    boxed<kftrain::core::se_linux_options> se_linux_options;
    boxed<windows_security_context_options> windows_options;
    std::optional<std::int64_t> run_as_user;  ///< uid
    std::optional<std::int64_t> run_as_group; ///< gid
    std::optional<bool> run_as_non_root;      ///< do not run as uid 0
    std::optional<bool> read_only_root_filesystem;
    std::optional<bool> allow_privilege_escalation;
    std::optional<std::string> proc_mount; ///< Default or Unmasked
    boxed<kftrain::core::seccomp_profile> seccomp_profile;
    boxed<kftrain::core::app_armor_profile> app_armor_profile;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(security_context, (capabilities, privileged, se_linux_options, windows_options, run_as_user,
                                    run_as_group, run_as_non_root, read_only_root_filesystem,
                                    allow_privilege_escalation, proc_mount, seccomp_profile, app_armor_profile))

/// A kernel parameter of the namespaces of the pod.
struct sysctl {
    sysctl() = default;

    std::string name;
    std::string value;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(sysctl, "name", "value")
KFTRAIN_DESCRIBE(sysctl, (name, value))

/// For all containers of a pod, and its volumes.
struct pod_security_context {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(pod_security_context);

    boxed<kftrain::core::se_linux_options> se_linux_options;
    boxed<windows_security_context_options> windows_options;
    std::optional<std::int64_t> run_as_user;               ///< uid
    std::optional<std::int64_t> run_as_group;              ///< gid
    std::optional<bool> run_as_non_root;                   ///< do not run as uid 0
    std::vector<std::int64_t> supplemental_groups;         ///< gids of the first process
    std::optional<std::string> supplemental_groups_policy; ///< Merge, with groups of the image, or Strict
    std::optional<std::int64_t> fs_group;                  ///< gid that owns the volumes
    std::vector<sysctl> sysctls;
    std::optional<std::string> fs_group_change_policy; ///< OnRootMismatch or Always; absent means Always
    boxed<std::string> se_linux_change_policy;         ///< how volumes get their labels: Recursive or MountOption
    boxed<kftrain::core::seccomp_profile> seccomp_profile;
    boxed<kftrain::core::app_armor_profile> app_armor_profile;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_security_context,
                 (se_linux_options, windows_options, run_as_user, run_as_group, run_as_non_root, supplemental_groups,
                  supplemental_groups_policy, fs_group, sysctls, fs_group_change_policy, se_linux_change_policy,
                  seccomp_profile, app_armor_profile))

} // namespace kftrain::core

#endif
