#ifndef KFTRAIN_SRC_APISERVER_ACCESS_DEFAULT_ROLES_HPP
#define KFTRAIN_SRC_APISERVER_ACCESS_DEFAULT_ROLES_HPP

#include <kftrain/apiserver/object_store.hpp>

namespace kftrain::apiserver {

/** Stores the roles that every cluster has, and their bindings, as far as they are for users.
    @par Upstream kubernetes `plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go`, v1.31 */
void add_default_roles(object_store&, time_point now);

} // namespace kftrain::apiserver

#endif
