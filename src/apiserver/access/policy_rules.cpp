#include "apiserver/access/policy_rules.hpp"

#include "apiserver/json/json_access.hpp"
#include "apiserver/refusals/refusals.hpp"
#include "base/is_one_of.hpp"
#include "base/joined.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/reflect.hpp>

#include <algorithm>
#include <set>

namespace kftrain::apiserver {
namespace {

using name_list = std::vector<std::string>;

bool contains_or_all(name_list const& list, std::string_view one) {
    return is_one_of("*", list) || is_one_of(one, list);
}

/// `pods/log` also by `*/log`.
bool covers_resource(name_list const& list, std::string const& resource) {
    if (contains_or_all(list, resource)) return true;
    auto const slash = resource.find('/');
    return slash != resource.npos && is_one_of("*" + resource.substr(slash), list);
}

bool covers_path(name_list const& list, std::string_view path) {
    return std::ranges::any_of(list, [&](std::string_view pattern) {
        if (pattern == "*" || pattern == path) return true;
        if (!pattern.ends_with('*')) return false;
        while (pattern.ends_with('*')) pattern.remove_suffix(1);
        return path.starts_with(pattern);
    });
}

/// One verb on one resource or path, which `own` has or has not.
bool holds_permission(rbac::policy_rule const& own, rbac::policy_rule const& one) {
    bool const names = own.resource_names.empty() ||
                       (!one.resource_names.empty() && is_one_of(one.resource_names.front(), own.resource_names));
    auto const all = [](name_list const& parts, auto held) { return std::ranges::all_of(parts, held); };
    return contains_or_all(own.verbs, one.verbs.front()) && names &&
           all(one.api_groups, [&](auto const& g) { return contains_or_all(own.api_groups, g); }) &&
           all(one.resources, [&](auto const& r) { return covers_resource(own.resources, r); }) &&
           all(one.non_resource_urls, [&](auto const& u) { return covers_path(own.non_resource_urls, u); });
}

std::vector<rbac::policy_rule> single_permissions(rbac::policy_rule const& rule) {
    std::vector<rbac::policy_rule> out;
    auto const add = [&](name_list groups, name_list resources, name_list names, name_list urls,
                         std::string const& verb) {
        auto& one = out.emplace_back();
        one.api_groups = std::move(groups);
        one.resources = std::move(resources);
        one.resource_names = std::move(names);
        one.non_resource_urls = std::move(urls);
        one.verbs = {verb};
    };
    for (auto const& group : rule.api_groups)
        for (auto const& resource : rule.resources)
            for (auto const& verb : rule.verbs) {
                if (rule.resource_names.empty()) add({group}, {resource}, {}, {}, verb);
                for (auto const& name : rule.resource_names) add({group}, {resource}, {name}, {}, verb);
            }
    for (auto const& url : rule.non_resource_urls)
        for (auto const& verb : rule.verbs) add({}, {}, {}, {url}, verb);
    return out;
}

std::string print_rule(rbac::policy_rule const& rule) {
    std::string out = "{";
    auto const add = [&](char const* name, name_list const& list) {
        if (list.empty()) return;
        out += (out.size() == 1 ? "" : ", ") + std::string(name) + ":[" + joined(list, " ", in_quotes) + "]";
    };
    add("APIGroups", rule.api_groups);
    add("Resources", rule.resources);
    add("ResourceNames", rule.resource_names);
    add("NonResourceURLs", rule.non_resource_urls);
    add("Verbs", rule.verbs);
    return out + "}";
}

using name_list = std::vector<std::string>;
using rule_list = std::vector<rbac::policy_rule>;

name_list const reading{"get", "list", "watch"};
name_list const writing{"create", "delete", "deletecollection", "patch", "update"};
constexpr char const* aggregate_to = "rbac.authorization.k8s.io/aggregate-to-";

rbac::policy_rule rule(name_list verbs, std::string group, name_list resources) {
    rbac::policy_rule out;
    out.verbs = std::move(verbs);
    out.api_groups = {std::move(group)};
    out.resources = std::move(resources);
    return out;
}

rule_list paths(name_list urls) {
    rbac::policy_rule out;
    out.verbs = {"get"};
    out.non_resource_urls = std::move(urls);
    return {out};
}

rule_list viewing_rules() {
    return {rule(reading, "",
                 {"bindings", "configmaps", "endpoints", "events", "limitranges", "namespaces", "namespaces/status",
                  "persistentvolumeclaims", "persistentvolumeclaims/status", "pods", "pods/log", "pods/status",
                  "resourcequotas", "resourcequotas/status", "serviceaccounts", "services", "services/status"}),
            rule(reading, "apps", {"statefulsets", "statefulsets/scale", "statefulsets/status"}),
            rule(reading, "autoscaling", {"horizontalpodautoscalers", "horizontalpodautoscalers/status"}),
            rule(reading, "batch", {"jobs", "jobs/status"}),
            rule(reading, "discovery.k8s.io", {"endpointslices"}),
            rule(reading, "networking.k8s.io", {"networkpolicies"})};
}

rule_list editing_rules() {
    auto reading_and_writing = reading;
    reading_and_writing.insert(reading_and_writing.end(), writing.begin(), writing.end());
    return {
        rule(reading, "", {"pods/attach", "pods/exec", "pods/portforward", "pods/proxy", "secrets"}),
        rule({"impersonate"}, "", {"serviceaccounts"}),
        rule(writing, "", {"pods", "pods/attach", "pods/exec", "pods/portforward", "pods/proxy"}),
        rule({"create"}, "", {"pods/eviction", "serviceaccounts/token"}),
        rule(writing, "", {"configmaps", "events", "persistentvolumeclaims", "secrets", "serviceaccounts", "services"}),
        rule(writing, "apps", {"statefulsets", "statefulsets/scale"}),
        rule(writing, "autoscaling", {"horizontalpodautoscalers"}),
        rule(writing, "batch", {"jobs"}),
        rule(writing, "networking.k8s.io", {"networkpolicies"}),
        rule(reading_and_writing, "coordination.k8s.io", {"leases"})};
}

rule_list administration_rules() {
    auto everything = reading;
    everything.insert(everything.end(), writing.begin(), writing.end());
    return {rule({"create"}, "authorization.k8s.io", {"localsubjectaccessreviews"}),
            rule(everything, "rbac.authorization.k8s.io", {"rolebindings", "roles"})};
}

class default_roles {
public:
    default_roles(object_store& store, time_point now) : store_(store), now_(now) {}

    void add(std::string name, rule_list given, std::string aggregated_to = {}) {
        rbac::cluster_role role;
        role.metadata = metadata(std::move(name), aggregated_to);
        role.rules = std::move(given);
        create(role);
    }
    void add_aggregate(std::string name, std::string aggregated_to = {}) {
        rbac::cluster_role role;
        role.metadata = metadata(name, aggregated_to);
        role.aggregation_rule.emplace().cluster_role_selectors.emplace_back().match_labels[aggregate_to + name] =
            "true";
        create(role);
    }
    void bind(std::string const& name, name_list const& groups) {
        rbac::cluster_role_binding binding;
        binding.metadata = metadata(name, {});
        for (auto const& group : groups) {
            auto& subject = binding.subjects.emplace_back();
            subject.kind = "Group";
            subject.api_group = rbac::role::resource.group;
            subject.name = group;
        }
        binding.role_ref.api_group = rbac::role::resource.group;
        binding.role_ref.kind = rbac::cluster_role::resource.kind;
        binding.role_ref.name = name;
        create(binding);
    }

private:
    static object_meta metadata(std::string name, std::string const& aggregated_to) {
        object_meta out;
        out.name = std::move(name);
        out.labels["kubernetes.io/bootstrapping"] = "rbac-defaults";
        if (!aggregated_to.empty()) out.labels[aggregate_to + aggregated_to] = "true";
        return out;
    }
    template <class T> void create(T const& object) {
        auto const kind = store_.find(T::resource.group, T::resource.version, T::resource.plural);
        auto const made = store_.create(*kind, "", read_stored(to_json(object)), now_);
        if (!made && made.error().code != 500) (void)made.value(); // 500: the store accepts only small objects
    }

    object_store& store_;
    time_point now_;
};

} // namespace

bool rule_allows(rbac::policy_rule const& rule, access_request const& r) {
    if (!contains_or_all(rule.verbs, r.verb)) return false;
    if (r.resource.empty()) return covers_path(rule.non_resource_urls, r.path);
    auto const resource = r.subresource.empty() ? r.resource : r.resource + "/" + r.subresource;
    return contains_or_all(rule.api_groups, r.group) && covers_resource(rule.resources, resource) &&
           (rule.resource_names.empty() || is_one_of(r.name, rule.resource_names));
}

std::string missing_permissions(std::vector<rbac::policy_rule> const& own,
                                std::vector<rbac::policy_rule> const& given) {
    std::vector<rbac::policy_rule> missing;
    for (auto const& rule : given)
        for (auto& one : single_permissions(rule)) {
            if (std::ranges::any_of(own, [&](auto const& o) { return holds_permission(o, one); })) continue;
            // Verbs on one resource are printed together, unless they are for single objects.
            auto const same = std::ranges::find_if(missing, [&](auto const& m) {
                return one.resource_names.empty() && one.non_resource_urls.empty() && m.resource_names.empty() &&
                       m.api_groups == one.api_groups && m.resources == one.resources;
            });
            if (same == missing.end())
                missing.push_back(std::move(one));
            else if (!is_one_of(one.verbs.front(), same->verbs))
                same->verbs.push_back(one.verbs.front());
        }
    std::set<std::string> lines;
    for (auto const& rule : missing) lines.insert(print_rule(rule));
    return joined(lines, "\n");
}

std::vector<rbac::policy_rule> all_permissions() {
    rbac::policy_rule objects, paths;
    objects.verbs = objects.api_groups = objects.resources = {"*"};
    paths.verbs = paths.non_resource_urls = {"*"};
    return {objects, paths};
}

void add_default_roles(object_store& store, time_point now) {
    name_list const alive{"/healthz", "/livez", "/readyz", "/version", "/version/"};
    auto discovery = alive;
    discovery.insert(discovery.end(), {"/api", "/api/*", "/apis", "/apis/*", "/openapi", "/openapi/*"});
    default_roles roles(store, now);
    roles.add("cluster-admin", all_permissions());
    roles.add("system:discovery", paths(discovery));
    roles.add("system:public-info-viewer", paths(alive));
    roles.add("system:basic-user",
              {rule({"create"}, "authorization.k8s.io", {"selfsubjectaccessreviews", "selfsubjectrulesreviews"}),
               rule({"create"}, "authentication.k8s.io", {"selfsubjectreviews"})});
    roles.add("system:auth-delegator", {rule({"create"}, "authentication.k8s.io", {"tokenreviews"}),
                                        rule({"create"}, "authorization.k8s.io", {"subjectaccessreviews"})});
    roles.add_aggregate("admin");
    roles.add_aggregate("edit", "admin");
    roles.add_aggregate("view", "edit");
    roles.add("system:aggregate-to-admin", administration_rules(), "admin");
    roles.add("system:aggregate-to-edit", editing_rules(), "edit");
    roles.add("system:aggregate-to-view", viewing_rules(), "view");
    roles.bind("cluster-admin", {"system:masters"});
    roles.bind("system:discovery", {"system:authenticated"});
    roles.bind("system:public-info-viewer", {"system:authenticated", "system:unauthenticated"});
    roles.bind("system:basic-user", {"system:authenticated"});
}

} // namespace kftrain::apiserver
