#include "objects/pod_resources.hpp"

#include "model/json/go_text.hpp"

#include <algorithm>

namespace kftrain {
namespace {

bool is_computing(std::string_view name) { return name == "cpu" || name == "memory" || name == "ephemeral-storage"; }

void raise_amounts(resource_list& most, resource_list const& amounts) {
    for (auto const& [name, amount] : amounts) {
        auto const [it, first] = most.try_emplace(name, amount);
        if (!first && it->second < amount) it->second = amount;
    }
}

} // namespace

bool has_ended(core::pod const& p) noexcept { return p.status.phase == "Succeeded" || p.status.phase == "Failed"; }

bool is_sidecar(core::container const& c) noexcept { return c.restart_policy && *c.restart_policy == "Always"; }

bool is_native_resource(std::string_view name) noexcept {
    return name.find('/') == name.npos || name.find("kubernetes.io/") != name.npos;
}

bool has_short_quota_name(std::string_view resource) noexcept {
    return is_computing(resource) || resource.starts_with("hugepages-");
}

resource_list quota_amounts(resource_list const& requests, resource_list const& limits) {
    resource_list all;
    for (auto const& [name, amount] : requests) {
        all["requests." + name] = amount;
        if (has_short_quota_name(name)) all[name] = amount;
    }
    for (auto const& [name, amount] : limits)
        if (is_computing(name)) all["limits." + name] = amount;
    return all;
}

std::string go_syntax(quantity const& amount, std::string_view kept) {
    std::string digits;
    int scale = 0;
    bool point = false;
    std::string_view rest = amount.text();
    bool const negative = rest.starts_with('-');
    if (negative || rest.starts_with('+')) rest.remove_prefix(1);
    auto const is_digit = [](char c) { return c >= '0' && c <= '9'; };
    for (; !rest.empty() && (rest.front() == '.' || is_digit(rest.front())); rest.remove_prefix(1))
        if (rest.front() == '.') {
            point = true;
        } else {
            digits += rest.front();
            if (point) --scale;
        }
    constexpr std::string_view suffixes = "num kMGTPE"; // from 10^-9, by thousands
    if (!rest.empty() && suffixes.find(rest.front()) != suffixes.npos)
        scale += 3 * (static_cast<int>(suffixes.find(rest.front())) - 3);
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - (digits.empty() ? 0 : 1)));
    return std::string("resource.Quantity{i:resource.int64Amount{value:") + (negative && digits != "0" ? "-" : "") +
           digits + ", scale:" + std::to_string(scale) +
           "}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:" + go_text::quoted(kept) + R"(, Format:"DecimalSI"})";
}

void add_amounts(resource_list& sum, resource_list const& amounts) {
    for (auto const& [name, amount] : amounts) {
        auto const [it, first] = sum.try_emplace(name, amount);
        if (!first) it->second += amount;
    }
}

void pod_total::add_init_container(resource_list const& amounts, bool is_sidecar) {
    auto now = sidecars_;
    add_amounts(now, amounts);
    if (is_sidecar) sidecars_ = now;
    raise_amounts(most_, now);
}

resource_list pod_total::get() const {
    auto total = sum_;
    add_amounts(total, sidecars_);
    raise_amounts(total, most_);
    return total;
}

} // namespace kftrain
