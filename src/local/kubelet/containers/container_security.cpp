#include "local/kubelet/containers/container_security.hpp"

#include <algorithm>
#include <array>

namespace kftrain::local {
namespace {

/// In the order of their numbers. @par Upstream Linux 6.1 `include/uapi/linux/capability.h`
constexpr std::array<std::string_view, 41> capability_names{"CHOWN",
                                                            "DAC_OVERRIDE",
                                                            "DAC_READ_SEARCH",
                                                            "FOWNER",
                                                            "FSETID",
                                                            "KILL",
                                                            "SETGID",
                                                            "SETUID",
                                                            "SETPCAP",
                                                            "LINUX_IMMUTABLE",
                                                            "NET_BIND_SERVICE",
                                                            "NET_BROADCAST",
                                                            "NET_ADMIN",
                                                            "NET_RAW",
                                                            "IPC_LOCK",
                                                            "IPC_OWNER",
                                                            "SYS_MODULE",
                                                            "SYS_RAWIO",
                                                            "SYS_CHROOT",
                                                            "SYS_PTRACE",
                                                            "SYS_PACCT",
                                                            "SYS_ADMIN",
                                                            "SYS_BOOT",
                                                            "SYS_NICE",
                                                            "SYS_RESOURCE",
                                                            "SYS_TIME",
                                                            "SYS_TTY_CONFIG",
                                                            "MKNOD",
                                                            "LEASE",
                                                            "AUDIT_WRITE",
                                                            "AUDIT_CONTROL",
                                                            "SETFCAP",
                                                            "MAC_OVERRIDE",
                                                            "MAC_ADMIN",
                                                            "SYSLOG",
                                                            "WAKE_ALARM",
                                                            "BLOCK_SUSPEND",
                                                            "AUDIT_READ",
                                                            "PERFMON",
                                                            "BPF",
                                                            "CHECKPOINT_RESTORE"};

constexpr std::string_view all_capabilities = "ALL";

/// Adds issues below a path.
class unkept_list {
public:
    unkept_list(std::string path, issues& found) : path_(std::move(path)), found_(found) {}

    void add(std::string_view field, std::string message) const {
        auto& one = found_.emplace_back();
        one.path = path_ + "." + std::string(field);
        one.message = std::move(message);
    }

private:
    std::string path_;
    issues& found_;
};

/// Checks the common part of the contexts of pods and containers.
template <class Context>
void check_shared(Context const& context, sandbox_abilities const& sandbox, unkept_list const& found) {
    if (context.se_linux_options && *context.se_linux_options != core::se_linux_options())
        found.add("seLinuxOptions", "the sandbox sets no SELinux label");
    if (context.windows_options && *context.windows_options != core::windows_security_context_options())
        found.add("windowsOptions", "this machine runs Linux");
    if (context.seccomp_profile && context.seccomp_profile->type == "Localhost")
        found.add("seccompProfile", "the sandbox filters no system call");
    if (context.app_armor_profile && context.app_armor_profile->type == "Localhost")
        found.add("appArmorProfile", "the sandbox applies no AppArmor profile");
    if (sandbox.is_root || sandbox.has_namespaces) return;
    if (context.run_as_user) found.add("runAsUser", "without namespaces, only root can run containers as other users");
    if (context.run_as_group)
        found.add("runAsGroup", "without namespaces, only root can run containers with other groups");
}

template <class T, class Member>
std::optional<T> own_or_shared(core::container const& c, pod const& p, Member own, std::optional<T> shared) {
    if (c.security_context && (*c.security_context).*own) return (*c.security_context).*own;
    return p.spec.security_context ? shared : std::nullopt;
}

std::optional<std::int64_t> group_of(pod const& p, core::container const& c) {
    return own_or_shared<std::int64_t>(c, p, &core::security_context::run_as_group,
                                       p.spec.security_context ? p.spec.security_context->run_as_group : std::nullopt);
}

bool must_not_be_root(pod const& p, core::container const& c) {
    return own_or_shared<bool>(c, p, &core::security_context::run_as_non_root,
                               p.spec.security_context ? p.spec.security_context->run_as_non_root : std::nullopt)
        .value_or(false);
}

bool lists_capability(std::vector<std::string> const& names, std::int64_t capability) {
    return std::ranges::any_of(names, [&](std::string const& name) {
        return name == all_capabilities || number_of_capability(name) == capability;
    });
}

} // namespace

std::optional<std::int64_t> user_of(pod const& p, core::container const& c) {
    return own_or_shared<std::int64_t>(c, p, &core::security_context::run_as_user,
                                       p.spec.security_context ? p.spec.security_context->run_as_user : std::nullopt);
}

std::optional<std::int64_t> number_of_capability(std::string_view name) {
    if (name.starts_with("CAP_")) name.remove_prefix(4);
    auto const* const found = std::ranges::find(capability_names, name);
    return found == capability_names.end() ? std::nullopt
                                           : std::optional<std::int64_t>(found - capability_names.begin());
}

bool has_read_only_root(core::container const& c) {
    return c.security_context && c.security_context->read_only_root_filesystem.value_or(false);
}

process_rights rights_of(pod const& p, core::container const& c, image_config const* image) {
    process_rights s;
    if (image != nullptr && !image->user.empty()) s.user = image->user;
    if (auto const user = user_of(p, c)) s.user = std::to_string(*user);
    if (auto const group = group_of(p, c)) {
        auto const name = s.user.value_or("0");
        s.user = name.substr(0, name.find(':')) + ":" + std::to_string(*group);
    }
    if (p.spec.security_context) {
        s.groups = p.spec.security_context->supplemental_groups;
        if (p.spec.security_context->fs_group) s.groups.push_back(*p.spec.security_context->fs_group);
    }
    if (!c.security_context) return s;
    auto const& own = *c.security_context;
    s.no_new_privileges = !own.allow_privilege_escalation.value_or(true);
    if (!own.capabilities) return s;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(capability_names.size()); ++i)
        if (lists_capability(own.capabilities->drop, i) && !lists_capability(own.capabilities->add, i))
            s.dropped_capabilities.push_back(i);
    return s;
}

std::string fault_of_root(pod const& p, core::container const& c, std::string_view image_user) {
    if (!must_not_be_root(p, c)) return {};
    auto const place = " (pod: \"" + p.metadata.name + "_" + p.metadata.namespace_ + "(" + p.metadata.uid +
                       ")\", container: " + c.name + ")";
    if (auto const user = user_of(p, c))
        return *user == 0 ? "container's runAsUser breaks non-root policy" + place : std::string();
    auto const name = image_user.substr(0, image_user.find(':'));
    if (name.empty() || name.find_first_not_of('0') == name.npos)
        return "container has runAsNonRoot and image will run as root" + place;
    if (name.find_first_not_of("0123456789") == name.npos) return {};
    return "container has runAsNonRoot and image has non-numeric user (" + std::string(name) +
           "), cannot verify user is non-root" + place;
}

issues unkept_parts(core::pod_security_context const& context, sandbox_abilities const& sandbox) {
    issues found;
    unkept_list const to("spec.securityContext", found);
    check_shared(context, sandbox, to);
    if (!context.sysctls.empty()) to.add("sysctls", "the sandbox sets no kernel parameters");
    if (context.supplemental_groups_policy && *context.supplemental_groups_policy == "Strict")
        to.add("supplementalGroupsPolicy", "the groups of an image are always merged");
    if (!context.supplemental_groups.empty() && !sandbox.is_root)
        to.add("supplementalGroups", "only root can give containers further groups");
    return found;
}

issues unkept_parts(pod const& p, core::container const& c, image_source const* source,
                    sandbox_abilities const& sandbox) {
    issues found;
    bool const has_root = source != nullptr && source->has_root();
    unkept_list const to("securityContext", found);
    if (must_not_be_root(p, c) && !user_of(p, c) && (source == nullptr || !source->is_unpacked()))
        to.add("runAsNonRoot", "the container would run as root; set runAsUser");
    if (!c.security_context) return found;
    auto const& own = *c.security_context;
    check_shared(own, sandbox, to);
    if (own.privileged.value_or(false) && !sandbox.is_root)
        to.add("privileged", "only root can give containers all rights on the machine");
    if (has_read_only_root(c) && !has_root)
        to.add("readOnlyRootFilesystem",
               "the container uses the file system of the machine; serve its image from dir, oci or archive");
    if (!own.capabilities) return found;
    for (auto const& [field, names] :
         {std::pair{"capabilities.add", &own.capabilities->add}, {"capabilities.drop", &own.capabilities->drop}})
        for (auto const& name : *names)
            if (name != all_capabilities && !number_of_capability(name))
                to.add(field, "Linux has no capability \"" + name + "\"");
    return found;
}

} // namespace kftrain::local
