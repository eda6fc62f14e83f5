#ifndef KFTRAIN_SRC_APISERVER_ACCESS_POLICY_RULES_HPP
#define KFTRAIN_SRC_APISERVER_ACCESS_POLICY_RULES_HPP

#include <kftrain/apiserver/object_store.hpp>
#include <kftrain/objects/rbac/role.hpp>

#include "apiserver/access/access_request.hpp"

#include <string>
#include <vector>

namespace kftrain::apiserver {

/** Whether a rule permits a request.
    @par Upstream kubernetes `pkg/apis/rbac/v1/evaluation_helpers.go`, v1.31 */
bool rule_allows(rbac::policy_rule const&, access_request const&);

/** Returns the permissions of `given` that `own` does not contain, sorted and one a line, as a server prints them.
    @par Upstream component-helpers `auth/rbac/validation/policy_comparator.go`, v0.31 */
std::string missing_permissions(std::vector<rbac::policy_rule> const& own, std::vector<rbac::policy_rule> const& given);

/// Everything on all resources and paths.
std::vector<rbac::policy_rule> all_permissions();

/** Stores the roles that every cluster has, and their bindings, as far as they are for users.
    @par Upstream kubernetes `plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go`, v1.31 */
void add_default_roles(object_store&, time_point now);

} // namespace kftrain::apiserver

#endif
