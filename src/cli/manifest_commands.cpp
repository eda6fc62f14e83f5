#include "cli/manifest_commands.hpp"

#include "cli/commands.hpp"

#include <kftrain/convert/registry.hpp>
#include <kftrain/kinds/registry.hpp>

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

namespace kftrain::cli {
namespace {

/// The options live as long as the parser's callbacks refer to them.
void add_lint(CLI::App& app, int& exit) {
    auto options = std::make_shared<lint_options>();
    auto* const command = app.add_subcommand(
        "lint", "Check manifests: fields, admission rules, and what admission accepts and is hardly meant");
    command->add_option("FILE", options->files,
                        "Objects as YAML or JSON, any number in a file; - for the standard input");
    command->add_option("-o,--output", options->format, "text or json")->check(CLI::IsMember({"text", "json"}));
    command->add_flag("--strict", options->strict, "Warnings, too, make the exit code 1");
    command->add_flag("--rules", options->rules, "Print the lint rules with their reasons");
    add_operator_flags(*command, options->told);
    command->footer("Exit code: 0 no errors, 1 errors found, 2 a file cannot be read.");
    command->callback([options, &exit] { exit = lint(*options); });
}

void add_diff(CLI::App& app, int& exit) {
    auto options = std::make_shared<diff_options>();
    auto* const command = app.add_subcommand("diff", "Compare the objects of two files by what they mean");
    command->add_option("A", options->before, "Objects as YAML or JSON; - for the standard input")->required();
    command->add_option("B", options->after, "The same");
    command->add_flag("--defaults", options->defaults, "Compare A with itself after its defaults are filled in");
    command->add_option("-o,--output", options->format, "text or json")->check(CLI::IsMember({"text", "json"}));
    command->footer("Objects of several are paired by type, namespace and name. A list stands for its items.\n"
                    "Exit code: 0 equal, 1 different, 2 a file cannot be read.");
    command->callback([options, &exit] { exit = diff_manifests(*options); });
}

void add_fmt(CLI::App& app, int& exit) {
    auto options = std::make_shared<fmt_options>();
    auto* const command = app.add_subcommand("fmt", "Write manifests canonically: order of fields, quotes, units");
    command
        ->add_option("FILE", options->files, "Objects as YAML or JSON, any number in a file; - for the standard input")
        ->required();
    command->add_option("-o,--output", options->format, "yaml or json; as the file is, when not given")
        ->check(CLI::IsMember({"yaml", "json"}));
    auto* const check =
        command->add_flag("--check", options->check, "Write nothing, name the files that are not canonical");
    command->add_flag("-w,--write", options->write, "Replace the files")->excludes(check);
    command->footer(
        "Unknown fields are kept. Comments and anchors of YAML are lost.\n"
        "Exit code: 0 done, 1 --check found a file that is not canonical, 2 a file cannot be read or written.");
    command->callback([options, &exit] { exit = fmt(*options); });
}

void add_convert(CLI::App& app, int& exit) {
    auto options = std::make_shared<convert_options>();
    auto* const command =
        app.add_subcommand("convert", "Write jobs as jobs of another kind or version, and tell what is lost");
    command->add_option("FILE", options->file, "Jobs as YAML or JSON, any number in a file; - for the standard input")
        ->required();
    command->add_option("--to", options->to, "Kind, with its version where there are several: MPIJob.v2beta1")
        ->required();
    command->add_option("--report", options->report, "File that gets the list of what is lost, as JSON");
    std::string text = "There are:\n";
    for (auto const& c : convert::conversions()) text += "  " + to_string(c) + "\n";
    command->footer(
        text +
        "Jobs that are of the kind already stay as they are. What is lost or changed goes to the standard error.\n"
        "Exit code: 0 done, 2 the file cannot be read, or a job in it cannot be converted.");
    command->callback([options, &exit] { exit = convert_manifests(*options); });
}

void add_ranks(CLI::App& app, int& exit) {
    auto options = std::make_shared<ranks_options>();
    auto* const command = app.add_subcommand("ranks", "Tell ranks, pods and addresses of a job, and what each is told");
    command->add_option("FILE", options->file, "Job as YAML or JSON; - for the standard input")->required();
    auto* const which = command->add_option_group("one", "One replica, with its environment");
    which->add_option("--pod", options->pod, "Name of the pod");
    which->add_option("--host", options->host, "Host name or address");
    which->add_option("--rank", options->rank, "Rank of the replica, as in RANK");
    which->add_option("--process", options->process, "Rank of a process, where the number per replica is known");
    which->require_option(0, 1);
    command->add_flag("--env", options->environment, "The environment of all replicas");
    command->add_option("-o,--output", options->format, "text, json or yaml")
        ->check(CLI::IsMember({"text", "json", "yaml"}));
    add_operator_flags(*command, options->told);
    command->callback([options, &exit] { exit = ranks(*options); });
}

} // namespace

void add_operator_flags(CLI::App& command, operator_options& told) {
    auto const read = [&told](std::vector<std::string> const& flags) {
        for (auto const& flag : flags)
            if (auto const r = read_operator_flag(told, flag.starts_with("--") ? flag : "--" + flag); !r)
                throw CLI::ValidationError("--operator-flag", r.error().detail.message);
    };
    command
        .add_option_function<std::vector<std::string>>(
            "--operator-flag", read, "A flag of the operator as NAME=VALUE, e.g. volcano-plugins=designed; repeatable")
        ->allow_extra_args(false);
}

void add_manifest_commands(CLI::App& app, int& exit) {
    add_lint(app, exit);
    add_diff(app, exit);
    add_fmt(app, exit);
    add_convert(app, exit);
    add_ranks(app, exit);
}

} // namespace kftrain::cli
