#include "model/rules/value_syntax.hpp"
#include "objects/pod_validation/checks.hpp"

#include <array>
#include <set>

namespace kftrain::pod_checks {
namespace {

constexpr std::array<std::string_view, 3> profile_types{"Localhost", "RuntimeDefault", "Unconfined"};
constexpr std::array<std::string_view, 2> change_policies{"Always", "OnRootMismatch"};

void check_id(std::optional<std::int64_t> const& id, std::string const& field, field_faults& found) {
    if (!id) return;
    for (auto const& why : owner_id_faults(*id)) found.invalid(field, *id, why);
}

void check_seccomp(boxed<core::seccomp_profile> const& p, field_path const& parent, field_faults& found) {
    if (!p) return;
    field_path const at(parent, "seccompProfile");
    if (p->type.empty())
        found.required(at.text("type"), "type is required when seccompProfile is set");
    else if (!is_one_of(p->type, profile_types))
        found.unsupported(at.text("type"), p->type, profile_types);
    auto const field = at.text("localhostProfile");
    if (p->type != "Localhost") {
        if (p->localhost_profile)
            // Upstream prints the address of the profile's name.
            found.invalid(field,
                          std::string_view("core.SeccompProfile{Type:" + go_text::quoted(p->type) +
                                           ", LocalhostProfile:(*string)(" + go_text::quoted(*p->localhost_profile) +
                                           ")}"),
                          "can only be set when seccomp type is Localhost");
    } else if (!p->localhost_profile) {
        found.required(field, "must be set when seccomp type is Localhost");
    } else {
        check_descending(*p->localhost_profile, field, found);
    }
}

void check_app_armor(boxed<core::app_armor_profile> const& p, field_path const& parent, field_faults& found) {
    if (!p) return;
    field_path const at(parent, "appArmorProfile");
    auto const field = at.text("localhostProfile");
    auto const& name = p->localhost_profile;
    constexpr std::string_view demand = "must be set when AppArmor type is Localhost";
    if (p->type == "Localhost") {
        constexpr std::string_view blanks = " \t\n\v\f\r";
        constexpr std::size_t longest = 4095;
        if (!name || name->empty())
            found.required(field, demand);
        else if (blanks.find(name->front()) != blanks.npos || blanks.find(name->back()) != blanks.npos)
            found.invalid_text(field, *name, "must not be padded with whitespace");
        if (name && name->size() > longest) found.too_long(field, "may not be longer than " + std::to_string(longest));
    } else if (p->type.empty()) {
        found.required(at.text("type"), "type is required when appArmorProfile is set");
    } else if (!is_one_of(p->type, profile_types)) {
        found.unsupported(at.text("type"), p->type, profile_types);
    } else if (name) {
        found.invalid_text(field, *name, "can only be set when AppArmor type is Localhost");
    }
}

/// `[a-z0-9]([-_a-z0-9]*[a-z0-9])?`, several of them joined by dots and slashes.
bool is_sysctl(std::string_view name) {
    auto const end = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    if (name.empty() || name.size() > 253) return false;
    bool fresh = true;
    for (std::size_t i = 0; i < name.size(); ++i) {
        char const c = name[i];
        if (c == '.' || c == '/') {
            if (fresh || !end(name[i - 1])) return false;
            fresh = true;
        } else {
            if (!end(c) && (fresh || (c != '-' && c != '_'))) return false;
            fresh = false;
        }
    }
    return !fresh && end(name.back());
}

void check_sysctls(std::vector<core::sysctl> const& list, field_path const& at, field_faults& found) {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto const& name = list[i].name;
        field_path const here(at, "sysctls", i);
        if (name.empty())
            found.required(here.text("name"));
        else if (!is_sysctl(name))
            found.invalid_text(here.text("name"), name,
                               "must have at most 253 characters and match regex "
                               "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$");
        else if (names.contains(name))
            found.duplicate(here.text("name"), name);
        names.insert(name);
    }
}

} // namespace

void check_container_security(core::security_context const& sc, field_path const& at, field_faults& found) {
    check_id(sc.run_as_user, at.text("runAsUser"), found);
    check_id(sc.run_as_group, at.text("runAsGroup"), found);
    check_seccomp(sc.seccomp_profile, at, found);
    if (sc.allow_privilege_escalation && !*sc.allow_privilege_escalation) {
        // Upstream prints the context with the addresses of its parts.
        constexpr std::string_view printed = "core.SecurityContext{...}";
        constexpr std::string_view both = "cannot set `allowPrivilegeEscalation` to false and ";
        if (sc.privileged.value_or(false))
            found.invalid(at.text(), printed, std::string(both) + "`privileged` to true");
        if (sc.capabilities)
            for (auto const& added : sc.capabilities->add)
                if (added == "CAP_SYS_ADMIN")
                    found.invalid(at.text(), printed, std::string(both) + "`capabilities.Add` CAP_SYS_ADMIN");
    }
    check_app_armor(sc.app_armor_profile, at, found);
}

void check_pod_security(core::pod_spec const& spec, field_path const& path, field_faults& found) {
    field_path const at(path, "securityContext");
    if (spec.security_context) {
        auto const& sc = *spec.security_context;
        check_id(sc.fs_group, at.text("fsGroup"), found);
        check_id(sc.run_as_user, at.text("runAsUser"), found);
        check_id(sc.run_as_group, at.text("runAsGroup"), found);
        for (std::size_t i = 0; i < sc.supplemental_groups.size(); ++i)
            check_id(sc.supplemental_groups[i], at.text("supplementalGroups", i), found);
    }
    if (spec.share_process_namespace.value_or(false) && spec.host_pid)
        found.invalid(at.text("shareProcessNamespace"), "true",
                      "ShareProcessNamespace and HostPID cannot both be enabled");
    if (!spec.security_context) return;
    auto const& sc = *spec.security_context;
    check_sysctls(sc.sysctls, at, found);
    if (auto const& policy = sc.fs_group_change_policy; policy && !is_one_of(*policy, change_policies))
        found.unsupported(at.text("fsGroupChangePolicy"), *policy, change_policies);
    check_seccomp(sc.seccomp_profile, at, found);
    check_app_armor(sc.app_armor_profile, at, found);
}

} // namespace kftrain::pod_checks
