#include "facade/preflight/evidence.hpp"

#include <algorithm>

namespace kftrain {

std::string_view to_string(verdict v) noexcept {
    switch (v) {
    case verdict::passed: return "passed";
    case verdict::warned: return "warned";
    case verdict::failed: return "failed";
    case verdict::unknown: return "unknown";
    }
    return "";
}

std::string preflight_report::to_string() const {
    std::size_t widest = 0;
    for (auto const& c : checks) widest = std::max(widest, c.name.size());
    std::string out;
    for (auto const& c : checks) {
        if (!out.empty()) out += '\n';
        std::string const label(kftrain::to_string(c.verdict));
        out += label + std::string(9 - label.size(), ' ') + c.name + std::string(widest + 2 - c.name.size(), ' ') +
               c.message;
    }
    if (!missing_rules.empty()) out += "\n\n" + missing_rules;
    return out;
}

namespace preflight {

void add(preflight_report& report, std::string_view name, verdict v, std::string message) {
    auto& c = report.checks.emplace_back();
    c.name = name;
    c.verdict = v;
    c.message = std::move(message);
    report.passed = report.passed && v != verdict::failed;
}

preflight_report report_of(evidence const& e) {
    preflight_report report;
    check_rules(e, report);
    check_cluster(e, report);
    check_access(e, report);
    check_quotas(e, report);
    return report;
}

} // namespace preflight
} // namespace kftrain
