#ifndef KFTRAIN_SRC_BASE_DEBIAN_PACKAGES_HPP
#define KFTRAIN_SRC_BASE_DEBIAN_PACKAGES_HPP

#include <array>
#include <string_view>
#include <utility>

namespace kftrain {

/// Programs that the pods of jobs often run, with the Debian package that contains each.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 12> debian_packages{{
    {"nslookup", "bind9-dnsutils"},
    {"dig", "bind9-dnsutils"},
    {"host", "bind9-host"},
    {"ssh", "openssh-client"},
    {"sshd", "openssh-server"},
    {"mpirun", "openmpi-bin"},
    {"mpiexec", "openmpi-bin"},
    {"python3", "python3"},
    {"curl", "curl"},
    {"wget", "wget"},
    {"nc", "netcat-openbsd"},
    {"ping", "iputils-ping"},
}};

/// The Debian package of a program; empty if it is not in the table.
constexpr std::string_view debian_package_of(std::string_view program) noexcept {
    auto const slash = program.rfind('/');
    if (slash != program.npos) program.remove_prefix(slash + 1);
    for (auto const& [name, package] : debian_packages)
        if (name == program) return package;
    return {};
}

} // namespace kftrain

#endif
