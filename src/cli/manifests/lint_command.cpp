#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/manifests/linter.hpp"
#include "cli/manifests/manifests.hpp"
#include "cli/option_values.hpp"
#include "cli/subcommands.hpp"

#include <kftrain/kinds/registry.hpp>

#include <iostream>

namespace kftrain::cli {
namespace {

struct lint_options {
    std::vector<std::string> files;
    std::vector<std::string> with;
    std::string format;
    operator_options flags; ///< of the operator
    bool strict = false;
    bool rules = false;
    bool local = false; ///< report also what the local cluster cannot run
};

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

} // namespace

void add_lint(CLI::App& app, int& exit) {
    auto options = std::make_shared<lint_options>();
    auto* const command = app.add_subcommand("lint", "Check manifests: fields, admission rules, likely mistakes");
    command->group(offline_commands);
    command->add_option("FILE", options->files, objects_of_files)->option_text("(FILE... | --rules)");
    add_output_flag(*command, options->format, {"text", "json"});
    command->add_flag("--strict", options->strict, "Exit with code 1 for warnings, too");
    command->add_flag("--local", options->local, "Report also what \"kftrain run\" and the local cluster cannot run");
    command->add_flag("--rules", options->rules, "Print the lint rules and their reasons, and exit");
    add_reference_files(*command, options->with);
    add_operator_flags(*command, options->flags);
    add_footer(*command,
               {{success, "No errors were found; with --strict, no warnings either."},
                {1, "Errors were found; with --strict, errors or warnings."},
                {bad_usage, "The arguments or a file cannot be used."}},
               {{"Check two manifests", "kftrain lint job.yaml jobs.yaml"},
                {"Check standard input and print the findings as JSON", "cat job.yaml | kftrain lint - -o json"},
                {"Print all lint rules", "kftrain lint --rules"}});
    command->callback([options, &exit] { exit = lint(*options); });
}

} // namespace kftrain::cli
