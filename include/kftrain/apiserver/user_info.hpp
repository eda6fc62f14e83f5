#ifndef KFTRAIN_APISERVER_USER_INFO_HPP
#define KFTRAIN_APISERVER_USER_INFO_HPP

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::apiserver {

/// A user, to whom the bindings of roles refer by its name or by one of its groups.
struct user_info {
    user_info() = default;
    user_info(std::string n, std::vector<std::string> g = {}) : name(std::move(n)), groups(std::move(g)) {}

    std::string name;                                      ///< e.g. `jane`, `system:serviceaccount:NAMESPACE:NAME`
    std::vector<std::string> groups;                       ///< members of `system:masters` have all permissions
    std::string uid;                                       ///< distinguishes users of the same name; empty: none
    std::map<std::string, std::vector<std::string>> extra; ///< further facts about the user; no effect on permissions

    /// Returns the user `kubernetes-admin`, which has all permissions.
    static user_info cluster_admin() { return {"kubernetes-admin", {"system:masters", "system:authenticated"}}; }
    /// Returns the user that a service account is, with its groups.
    static user_info service_account(std::string const& ns, std::string const& account) {
        return {"system:serviceaccount:" + ns + ":" + account,
                {"system:serviceaccounts", "system:serviceaccounts:" + ns, "system:authenticated"}};
    }
};

} // namespace kftrain::apiserver

#endif
