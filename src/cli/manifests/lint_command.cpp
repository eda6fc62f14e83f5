#include "cli/commands.hpp"
#include "cli/manifests/linter.hpp"
#include "cli/manifests/manifests.hpp"

#include <kftrain/kinds/registry.hpp>

#include <iostream>

namespace kftrain::cli {
namespace {

/// `items[1] (PyTorchJob team/mnist): ` for an item of a list; otherwise empty.
std::string item_of(finding const& f) {
    if (f.item.empty()) return {};
    std::string who = f.kind;
    if (!f.name.empty()) who += (who.empty() ? "" : " ") + (f.namespace_.empty() ? "" : f.namespace_ + "/") + f.name;
    return f.item + (who.empty() ? "" : " (" + who + ")") + ": ";
}

void print(lint_report const& report) {
    for (auto const& f : report.findings) {
        if (f.complained) continue;
        auto const where = place(f.file, static_cast<std::size_t>(f.line), static_cast<std::size_t>(f.column));
        std::cout << on_one_line(where) << to_string(f.what.level) << ": "
                  << on_one_line(shortened(item_of(f) + f.what.message)) << " [" << f.what.rule << "]\n";
    }
}

void print_json(lint_report report) {
    for (auto& f : report.findings) f.file = as_utf8(f.file);
    std::cout << json_output(to_json(report)) << '\n';
}

void print_rules() {
    for (auto const& rule : lint_rules())
        std::cout << rule.id << "  " << to_string(rule.level) << '\n' << "    " << rule.reason << '\n';
}

} // namespace

int lint(lint_options const& options) {
    if (options.rules) {
        print_rules();
        return flush_output() ? success : bad_usage;
    }
    if (options.files.empty()) {
        complain("expected a file or --rules, got neither");
        return bad_usage;
    }
    linter look(options.flags, options.local);
    bool readable = look.add_references(options.with);
    for (auto const& file : options.files) readable = look.look_at(file) && readable;
    if (options.format == "json")
        print_json(look.report());
    else
        print(look.report());
    if (!flush_output() || !readable) return bad_usage;
    return look.report().errors != 0 || (options.strict && look.report().warnings != 0) ? 1 : success;
}

} // namespace kftrain::cli
