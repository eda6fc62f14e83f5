#ifndef KFTRAIN_SRC_APISERVER_ACCESS_AUTHORIZER_HPP
#define KFTRAIN_SRC_APISERVER_ACCESS_AUTHORIZER_HPP

#include <kftrain/apiserver/object_store.hpp>
#include <kftrain/objects/rbac/role.hpp>

#include "apiserver/access/access_request.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace kftrain::apiserver {

/// Whether a user may do something, and why.
struct access_decision {
    access_decision() = default;

    bool allowed = false;
    std::string reason; ///< of a server: `RBAC: allowed by ...`, or which roles are missing
};

/// The rules of a user in a namespace.
struct granted_rules {
    granted_rules() = default;

    std::vector<rbac::policy_rule> rules;
    std::string errors; ///< roles that bindings name and that do not exist
};

/** Decides by the roles and bindings that a store contains. Keeps the parsed form of up to some thousand of them.
    @par Upstream kubernetes `plugin/pkg/auth/authorizer/rbac/rbac.go`, `pkg/registry/rbac/validation/rule.go`, v1.31 */
class authorizer {
public:
    explicit authorizer(object_store const& store) : store_(store) {}

    access_decision decide(user_info const&, access_request const&);
    granted_rules rules_of(user_info const&, std::string_view ns);
    /** Rejects a write by which the user would give permissions that it does not have: of a role with them, or of a
        binding to such a role. The verbs `escalate` and `bind` permit these.
        @param object The role or binding as it would be stored
        @par Upstream kubernetes `pkg/registry/rbac/{role,clusterrole,rolebinding}/policybased/storage.go`, v1.31 */
    std::optional<refusal> find_escalation(user_info const&, resource_definition const&, stored_object const& object,
                                           stored_object const* before = nullptr);

private:
    using rules = std::vector<rbac::policy_rule>;
    /// Returns false to stop. `source` describes the binding.
    using visitor = std::function<bool(std::function<std::string()> const& source, rbac::policy_rule const&)>;

    void visit(user_info const&, std::string_view ns, std::vector<std::string>& errors, visitor const&);
    template <class Binding>
    bool visit_bindings(user_info const&, std::string_view ns, std::vector<std::string>& errors, visitor const&);
    /// Returns null, and adds to `errors`, if the role does not exist.
    std::shared_ptr<rules const> find_role(rbac::role_ref const&, std::string_view ns,
                                           std::vector<std::string>& errors);
    /// Adds the rules of a role, and of those that it aggregates.
    /// The rules of a role and of those that it aggregates.
    rules collect(std::shared_ptr<rbac::cluster_role const> const& first);
    template <class T> std::shared_ptr<T const> read(stored_object const&);
    template <class T> std::vector<object_ptr> list(std::string_view ns) const;
    template <class T> object_ptr find(std::string_view ns, std::string_view name) const;

    struct parsed {
        std::uint64_t version = 0;
        std::shared_ptr<void const> value;
    };

    object_store const& store_;
    std::unordered_map<std::string, parsed> parsed_; ///< by uid
};

/// Whether a user may do everything.
bool is_master(user_info const&) noexcept;
/// Whether a write of this kind gives permissions, as that of a role does.
bool grants_access(resource_definition const&) noexcept;

} // namespace kftrain::apiserver

#endif
