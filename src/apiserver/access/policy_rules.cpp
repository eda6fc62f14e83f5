#include "apiserver/access/policy_rules.hpp"

#include "apiserver/refusals/refusals.hpp"
#include "base/is_one_of.hpp"
#include "base/joined.hpp"

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

} // namespace kftrain::apiserver
