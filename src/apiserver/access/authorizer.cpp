#include "apiserver/access/authorizer.hpp"

#include "apiserver/access/access_request.hpp"
#include "apiserver/access/policy_rules.hpp"
#include "apiserver/refusals/refusals.hpp"
#include "base/is_one_of.hpp"
#include "base/joined.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/reflect.hpp>
#include <kftrain/model/selector.hpp>

#include <algorithm>

namespace kftrain::apiserver {
namespace {

constexpr std::size_t most_parsed = 4096; // roles and bindings

bool applies_to(rbac::subject const& s, user_info const& user, std::string_view ns) {
    if (s.kind == "User") return s.name == user.name;
    if (s.kind == "Group") return is_one_of(s.name, user.groups);
    if (s.kind != "ServiceAccount") return false;
    std::string const of = s.namespace_.empty() ? std::string(ns) : s.namespace_;
    return !of.empty() && user.name == "system:serviceaccount:" + of + ":" + s.name;
}

std::string describe(rbac::subject const& s, std::string_view ns) {
    if (s.kind != "ServiceAccount") return s.kind + " " + in_quotes(s.name);
    return s.kind + " " + in_quotes(s.name + "/" + (s.namespace_.empty() ? std::string(ns) : s.namespace_));
}

/// As Go prints several errors.
std::string print_errors(std::vector<std::string> const& errors) {
    std::vector<std::string> once;
    for (auto const& e : errors)
        if (!is_one_of(e, once)) once.push_back(e);
    if (once.size() == 1) return once.front();
    return once.empty() ? std::string() : "[" + joined(once, ", ") + "]";
}

std::string quoted_list(std::vector<std::string> const& list) { return "[" + joined(list, " ", in_quotes) + "]"; }

} // namespace

bool is_master(user_info const& user) noexcept { return is_one_of("system:masters", user.groups); }

bool grants_access(resource_definition const& d) noexcept {
    return d.group == rbac::role::resource.group &&
           (d.kind == rbac::role::resource.kind || d.kind == rbac::cluster_role::resource.kind ||
            d.kind == rbac::role_binding::resource.kind || d.kind == rbac::cluster_role_binding::resource.kind);
}

template <class T> std::shared_ptr<T const> authorizer::read(stored_object const& object) {
    std::string const uid(object.uid());
    if (auto const at = parsed_.find(uid); at != parsed_.end() && at->second.version == object.version())
        return std::static_pointer_cast<T const>(at->second.value);
    auto decoded = from_json<T>(object.text());
    auto made = std::make_shared<T const>(decoded ? std::move(*decoded) : T());
    if (parsed_.size() >= most_parsed) parsed_.clear();
    parsed_[uid] = {object.version(), made};
    return made;
}

template <class T> std::vector<object_ptr> authorizer::list(std::string_view ns) const {
    auto const kind = store_.find(T::resource.group, T::resource.version, T::resource.plural);
    if (!kind) return {};
    list_query query;
    query.namespace_ = ns;
    auto page = store_.list(*kind, query);
    return page ? std::move(page->items) : std::vector<object_ptr>();
}

template <class T> object_ptr authorizer::find(std::string_view ns, std::string_view name) const {
    auto const kind = store_.find(T::resource.group, T::resource.version, T::resource.plural);
    if (!kind) return nullptr;
    auto const found = store_.get(*kind, ns, name);
    return found ? *found : nullptr;
}

authorizer::rules authorizer::collect(std::shared_ptr<rbac::cluster_role const> const& first) {
    rules out;
    auto const all = list<rbac::cluster_role>({});
    std::set<std::string> known{first->metadata.name};
    std::vector<std::shared_ptr<rbac::cluster_role const>> left{first};
    while (!left.empty()) {
        auto const role = left.back();
        left.pop_back();
        if (!role->aggregation_rule.has_value()) {
            out.insert(out.end(), role->rules.begin(), role->rules.end());
            continue;
        }
        for (auto const& selector : role->aggregation_rule->cluster_role_selectors) {
            auto const query = label_query::from(selector);
            if (!query) continue;
            for (auto const& object : all) {
                auto const other = read<rbac::cluster_role>(*object);
                if (query->matches(other->metadata.labels) && known.insert(other->metadata.name).second)
                    left.push_back(other);
            }
        }
    }
    return out;
}

std::shared_ptr<authorizer::rules const> authorizer::find_role(rbac::role_ref const& ref, std::string_view ns,
                                                               std::vector<std::string>& errors) {
    bool const in_cluster = ref.kind == rbac::cluster_role::resource.kind;
    if (!in_cluster && ref.kind != rbac::role::resource.kind) {
        errors.push_back("unsupported role reference kind: " + in_quotes(ref.kind));
        return nullptr;
    }
    auto const object = in_cluster ? find<rbac::cluster_role>({}, ref.name) : find<rbac::role>(ns, ref.name);
    if (!object) {
        errors.push_back((in_cluster ? "clusterrole.rbac.authorization.k8s.io " : "role.rbac.authorization.k8s.io ") +
                         in_quotes(ref.name) + " not found");
        return nullptr;
    }
    if (!in_cluster) {
        auto const role = read<rbac::role>(*object);
        return {role, &role->rules};
    }
    auto const role = read<rbac::cluster_role>(*object);
    if (!role->aggregation_rule.has_value()) return {role, &role->rules};
    return std::make_shared<rules>(collect(role));
}

template <class Binding>
bool authorizer::visit_bindings(user_info const& user, std::string_view ns, std::vector<std::string>& errors,
                                visitor const& each) {
    for (auto const& object : list<Binding>(ns)) {
        auto const binding = read<Binding>(*object);
        auto const at = std::ranges::find_if(binding->subjects, [&](auto const& s) { return applies_to(s, user, ns); });
        if (at == binding->subjects.end()) continue;
        auto const role = find_role(binding->role_ref, ns, errors);
        if (!role) continue;
        auto const source = [&] {
            auto const& name = binding->metadata.name;
            return std::string(Binding::resource.kind) + " " +
                   in_quotes(ns.empty() ? name : name + "/" + std::string(ns)) + " of " + binding->role_ref.kind + " " +
                   in_quotes(binding->role_ref.name) + " to " + describe(*at, ns);
        };
        for (auto const& rule : *role)
            if (!each(source, rule)) return false;
    }
    return true;
}

void authorizer::visit(user_info const& user, std::string_view ns, std::vector<std::string>& errors,
                       visitor const& each) {
    if (visit_bindings<rbac::cluster_role_binding>(user, {}, errors, each) && !ns.empty())
        visit_bindings<rbac::role_binding>(user, ns, errors, each);
}

access_decision authorizer::decide(user_info const& user, access_request const& request) {
    access_decision out;
    if (is_master(user)) {
        out.allowed = true;
        return out;
    }
    std::vector<std::string> errors;
    visit(user, request.ns, errors, [&](auto const& source, rbac::policy_rule const& rule) {
        if (!rule_allows(rule, request)) return true;
        out.allowed = true;
        out.reason = "RBAC: allowed by " + source();
        return false;
    });
    if (!out.allowed && !errors.empty()) out.reason = "RBAC: " + print_errors(errors);
    return out;
}

granted_rules authorizer::rules_of(user_info const& user, std::string_view ns) {
    granted_rules out;
    std::vector<std::string> errors;
    visit(user, ns, errors, [&](auto const&, rbac::policy_rule const& rule) {
        out.rules.push_back(rule);
        return true;
    });
    out.errors = print_errors(errors);
    return out;
}

std::optional<refusal> authorizer::find_escalation(user_info const& user, resource_definition const& d,
                                                   stored_object const& object, stored_object const* before) {
    if (is_master(user)) return std::nullopt;
    std::string const ns(object.namespace_());
    access_request permits;
    permits.group = d.group;
    permits.version = d.version;
    permits.ns = ns;
    rules given;
    if (d.kind == rbac::cluster_role::resource.kind || d.kind == rbac::role::resource.kind) {
        permits.verb = "escalate";
        permits.resource = d.plural;
        permits.name = object.name();
        if (decide(user, permits).allowed) return std::nullopt;
        if (auto const role = from_json<rbac::role>(object.text())) given = role->rules;
        auto const aggregates = [](stored_object const* o) {
            auto const role = o != nullptr ? from_json<rbac::cluster_role>(o->text()) : result<rbac::cluster_role>();
            return role && role->aggregation_rule.has_value();
        };
        if (aggregates(&object) || aggregates(before)) given = all_permissions();
    } else {
        auto const binding = from_json<rbac::role_binding>(object.text());
        auto const wide = from_json<rbac::cluster_role_binding>(object.text());
        auto const ref = binding ? binding->role_ref : wide ? wide->role_ref : rbac::role_ref();
        permits.verb = "bind";
        permits.resource = ref.kind == rbac::role::resource.kind ? "roles" : "clusterroles";
        permits.name = ref.name;
        if (decide(user, permits).allowed) return std::nullopt;
        std::vector<std::string> errors;
        auto const role = find_role(ref, ns, errors);
        if (!role) return refusal(404, kftrain::reason::not_found, print_errors(errors));
        given = *role;
    }
    auto const own = rules_of(user, ns);
    auto const missing = missing_permissions(own.rules, given);
    if (missing.empty()) return std::nullopt;
    auto text = "user " + in_quotes(user.name) + " (groups=" + quoted_list(user.groups) +
                ") is attempting to grant RBAC permissions not currently held:\n" + missing;
    if (!own.errors.empty()) text += "; resolution errors: " + own.errors;
    return forbidden(d, object.name(), text);
}

refusal access_refusal(user_info const& user, access_request const& r, std::string const& reason) {
    auto text = "User " + in_quotes(user.name) + " cannot " + r.verb;
    if (r.resource.empty()) {
        text += " path " + in_quotes(r.path);
    } else {
        text += " resource " + in_quotes(r.subresource.empty() ? r.resource : r.resource + "/" + r.subresource);
        text += " in API group " + in_quotes(r.group);
        text += r.ns.empty() ? " at the cluster scope" : " in the namespace " + in_quotes(r.ns);
    }
    if (!reason.empty()) text += ": " + reason;
    auto subject = r.resource;
    if (!r.group.empty()) subject += "." + r.group;
    if (r.resource.empty()) {
        text.insert(0, "forbidden: ");
    } else {
        text.insert(0, subject + (r.name.empty() ? "" : " " + in_quotes(r.name)) + " is forbidden: ");
    }
    refusal out(403, kftrain::reason::forbidden, std::move(text));
    out.name = r.name;
    out.group = r.group;
    out.kind = r.resource;
    return out;
}

} // namespace kftrain::apiserver
