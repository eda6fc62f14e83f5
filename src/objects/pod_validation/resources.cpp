#include "model/rules/label_syntax.hpp"
#include "objects/pod_resources.hpp"
#include "objects/pod_validation/checks.hpp"

#include <array>

namespace kftrain::pod_checks {
namespace {

constexpr std::array<std::string_view, 3> of_containers{"cpu", "memory", "ephemeral-storage"};
constexpr std::array<std::string_view, 20> standard{"cpu",
                                                    "memory",
                                                    "ephemeral-storage",
                                                    "requests.cpu",
                                                    "requests.memory",
                                                    "requests.ephemeral-storage",
                                                    "limits.cpu",
                                                    "limits.memory",
                                                    "limits.ephemeral-storage",
                                                    "pods",
                                                    "resourcequotas",
                                                    "services",
                                                    "replicationcontrollers",
                                                    "secrets",
                                                    "configmaps",
                                                    "persistentvolumeclaims",
                                                    "storage",
                                                    "requests.storage",
                                                    "services.nodeports",
                                                    "services.loadbalancers"};
/// Resources of which there is a whole number.
constexpr std::array<std::string_view, 9> counted_resources{
    "pods",       "resourcequotas",         "services",           "replicationcontrollers", "secrets",
    "configmaps", "persistentvolumeclaims", "services.nodeports", "services.loadbalancers"};
constexpr std::string_view huge_pages = "hugepages-";

/// @par Upstream kubernetes `pkg/apis/core/helper/helpers.go`, v1.31.3
bool is_huge(std::string_view name) { return name.starts_with(huge_pages); }
bool is_extended(std::string_view name) {
    return !is_native_resource(name) && !name.starts_with("requests.") &&
           label_key_faults("requests." + std::string(name)).empty();
}
bool may_overcommit(std::string_view name) { return is_native_resource(name) && !is_huge(name); }

/// An entry of a list of amounts; the text of its place is made when something is wrong there.
struct entry {
    field_path const& at;
    std::string_view list;
    std::string const& name;

    std::string field() const { return at.text_of_key(list, name); }
};

void check_name(entry const& here, field_faults& found) {
    auto const& name = here.name;
    if (is_one_of(name, of_containers)) return;
    auto const refuse = [&](std::string_view why) { found.invalid(here.field(), std::string_view(name), why); };
    bool const unqualified = name.find('/') == name.npos;
    auto const faults = label_key_faults(name);
    for (auto const& why : faults) refuse(why);
    bool const quota = name.starts_with("requests.hugepages-");
    if (faults.empty() && unqualified && !is_one_of(name, standard) && !is_huge(name) && !quota)
        refuse("must be a standard resource type or fully qualified");
    if (unqualified && !is_huge(name))
        refuse("must be a standard resource for containers");
    else if (!unqualified && !is_native_resource(name) && !is_extended(name))
        refuse("doesn't follow extended resource name standard");
}

bool is_whole(quantity const& amount) {
    return amount.value() <= INT64_MAX / 1000 && amount.milli_value() == amount.value() * 1000;
}

bool fits_pages(std::string_view name, quantity const& amount) {
    auto const page = quantity::parse(name.substr(huge_pages.size()));
    return page && page->sign() > 0 && is_whole(*page) && amount.value() % page->value() == 0;
}

void check_amount(entry const& here, quantity const& amount, field_faults& found) {
    check_name(here, found);
    if (amount.sign() < 0) found.invalid_text(here.field(), amount.canonical(), "must be greater than or equal to 0");
    if ((is_one_of(here.name, counted_resources) || is_extended(here.name)) && !is_whole(amount))
        found.invalid(here.field(), std::string_view(go_syntax(amount, {})), "must be an integer");
}

void check_pages(entry const& here, quantity const& amount, field_faults& found) {
    if (!is_huge(here.name) || fits_pages(here.name, amount)) return;
    auto const text = amount.canonical();
    found.invalid_text(here.field(), text,
                       std::string_view(text + " is not positive integer multiple of " + here.name));
}

} // namespace

void check_resources(resource_list const& limits, resource_list const& requested, field_path const& at,
                     field_faults& found) {
    // A limit without a request is also the request.
    auto requests = requested;
    for (auto const& [name, amount] : limits)
        if (!requests.contains(name)) requests[name] = amount;
    bool pages = false, usual = false;
    auto const note = [&](std::string_view name) {
        pages = pages || is_huge(name);
        usual = usual || name == "cpu" || name == "memory";
    };
    for (auto const& [name, amount] : limits) {
        note(name);
        entry const here{at, "limits", name};
        check_amount(here, amount, found);
        check_pages(here, amount, found);
    }
    for (auto const& [name, amount] : requests) {
        note(name);
        entry const here{at, "requests", name};
        check_amount(here, amount, found);
        auto const limit = limits.find(name);
        auto const refuse = [&](std::string_view how) {
            found.invalid_text(
                at.text("requests"), amount.canonical(),
                std::string_view(std::string(how).append(name).append(" limit of ").append(limit->second.canonical())));
        };
        if (limit == limits.end()) {
            if (!may_overcommit(name))
                found.required(at.text("limits"), "Limit must be set for non overcommitable resources");
        } else if (amount != limit->second && !may_overcommit(name)) {
            refuse("must be equal to ");
        } else if (amount > limit->second) {
            refuse("must be less than or equal to ");
        }
        check_pages(here, amount, found);
    }
    if (pages && !usual) found.forbidden(at.text(), "HugePages require cpu or memory");
}

} // namespace kftrain::pod_checks
