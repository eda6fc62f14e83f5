#include "cli/manifests/manifest_commands.hpp"

#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/option_values.hpp"

#include <kftrain/convert/registry.hpp>
#include <kftrain/kinds/registry.hpp>

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace kftrain::cli {
namespace {

constexpr auto objects_of_file = "Read objects from this YAML or JSON file; - reads standard input";
constexpr auto objects_of_files = "Read objects from these YAML or JSON files; - reads standard input";

// Each callback owns the options of its command.

void add_lint(CLI::App& app, int& exit) {
    auto options = std::make_shared<lint_options>();
    auto* const command = app.add_subcommand("lint", "Check manifests: fields, admission rules, likely mistakes");
    command->group(offline_commands);
    command->add_option("FILE", options->files, objects_of_files)->option_text("(FILE... | --rules)");
    add_choice(*command, "-o,--output", options->format, {"text", "json"},
               "Print the result in this format (default: text)");
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

void add_diff(CLI::App& app, int& exit) {
    auto options = std::make_shared<diff_options>();
    auto* const command =
        app.add_subcommand("diff", "Compare the objects of two files by meaning, not by text\n\n"
                                   "Objects are paired by type, namespace and name. A List stands for its items.");
    command->group(offline_commands);
    command->add_option("A", options->before, objects_of_file)->required()->option_text("A");
    command->add_option("B", options->after, "Read the objects to compare with from this file; - reads standard input")
        ->option_text("(B | --defaults)");
    command->add_flag("--defaults", options->defaults, "Compare A with A after its default values are set");
    add_choice(*command, "-o,--output", options->format, {"text", "json"},
               "Print the result in this format (default: text)");
    add_footer(*command,
               {{success, "The objects are equal."},
                {1, "The objects differ."},
                {bad_usage, "The arguments or a file cannot be used."}},
               {{"Compare two manifests", "kftrain diff job.yaml jobs.yaml"},
                {"Show the default values of a job", "kftrain diff job.yaml --defaults"}});
    command->callback([options, &exit] { exit = diff_manifests(*options); });
}

void add_fmt(CLI::App& app, int& exit) {
    auto options = std::make_shared<fmt_options>();
    auto* const command = app.add_subcommand(
        "fmt", "Format manifests: order of fields, quotes, units\n\n"
               "Unknown fields and objects of unknown types are kept. YAML comments and anchors are lost.");
    command->group(offline_commands);
    command->add_option("FILE", options->files, objects_of_files)->required();
    add_choice(*command, "-o,--output", options->format, {"yaml", "json"},
               "Write this format (default: the format of the file)");
    auto* const check =
        command->add_flag("--check", options->check, "Print the names of files that are not formatted; write nothing");
    command->add_flag("-w,--write", options->write, "Replace the files instead of printing the result")
        ->excludes(check);
    add_footer(*command,
               {{success, "All files were formatted; with --check, all files are formatted."},
                {1, "A file is not formatted (--check)."},
                {bad_usage, "A file cannot be read or written."}},
               {{"Print a formatted manifest", "kftrain fmt job.yaml"},
                {"Format files in place", "kftrain fmt -w job.yaml jobs.yaml"},
                {"Check files in continuous integration", "kftrain fmt --check job.yaml jobs.yaml"}});
    command->callback([options, &exit] { exit = fmt(*options); });
}

void add_convert(CLI::App& app, int& exit) {
    auto options = std::make_shared<convert_options>();
    std::string text =
        "Convert jobs to another kind or version and report what is lost\n\n"
        "Jobs that already have this kind, and objects that are not jobs, are copied unchanged. Changes and losses are "
        "printed to standard error. Conversions:\n";
    for (auto const& c : convert::conversions()) text += "  " + to_string(c) + "\n";
    text.pop_back();
    auto* const command = app.add_subcommand("convert", text);
    command->group(offline_commands);
    command->add_option("FILE", options->file, objects_of_file)->required();
    command
        ->add_option("--to", options->to,
                     "Convert to this kind, with a version if the kind has several, for example MPIJob.v2beta1")
        ->required()
        ->type_name("KIND");
    command->add_option("--report", options->report, "Write the list of changes and losses to FILE as JSON")
        ->type_name("FILE");
    add_footer(
        *command,
        {{success, "All jobs were converted."}, {bad_usage, "The file cannot be read, or a job cannot be converted."}},
        {{"Convert a job of an earlier version", "kftrain convert --to PyTorchJob.v1 job.yaml"},
         {"Convert a job to Volcano and keep a report", "kftrain convert --to Job job.yaml --report changes.json"}});
    command->callback([options, &exit] { exit = convert_manifests(*options); });
}

void add_ranks(CLI::App& app, int& exit) {
    auto options = std::make_shared<ranks_options>();
    auto* const command =
        app.add_subcommand("ranks", "Show the rank, pod, address and environment of each replica of a job");
    command->group(offline_commands);
    command->add_option("FILE", options->file, "Read the job from this YAML or JSON file; - reads standard input")
        ->required();
    auto const any_number = number_range(std::numeric_limits<std::int64_t>::min());
    std::array const selections{
        command->add_option("--pod", options->pod, "Show the replica with this pod and its environment")
            ->type_name("NAME"),
        command->add_option("--host", options->host, "Show the replica with this host name or address")
            ->type_name("HOST"),
        add_number(*command, "--rank", options->rank, any_number, "Show the replica with rank N"),
        add_number(*command, "--process", options->process, any_number,
                   "Show the replica that runs process N, if the number of processes per replica is known")};
    for (auto* const a : selections) {
        a->group("Select one replica (at most one of these options)");
        for (auto* const b : selections)
            if (a != b) a->excludes(b);
    }
    command->add_flag("--env", options->environment, "Show the environment of all replicas");
    add_choice(*command, "-o,--output", options->format, {"text", "json", "yaml"},
               "Print the result in this format (default: text)");
    add_reference_files(*command, options->with);
    add_operator_flags(*command, options->flags);
    add_footer(*command,
               {{success, "The replicas were printed."},
                {bad_usage, "The arguments, the file or the job cannot be used, or no replica matches."}},
               {{"Show all replicas", "kftrain ranks job.yaml"},
                {"Show the environment of one replica", "kftrain ranks job.yaml --rank 0"},
                {"Print all replicas with their environment as JSON", "kftrain ranks job.yaml --env -o json"}});
    command->callback([options, &exit] { exit = ranks(*options); });
}

} // namespace

void add_reference_files(CLI::App& command, std::vector<std::string>& files) {
    command
        .add_option("--with", files,
                    "Read objects to which the jobs refer, such as runtimes, from this YAML or JSON file; repeatable")
        ->type_name("FILE")
        ->allow_extra_args(false);
}

void add_operator_flags(CLI::App& command, operator_options& options, std::string const& purpose) {
    auto const read = [&options](std::vector<std::string> const& flags) {
        for (auto const& flag : flags)
            if (auto const r = read_operator_flag(options, flag.starts_with("--") ? flag : "--" + flag); !r)
                throw CLI::ValidationError("--operator-flag", r.error().detail.message);
    };
    command
        .add_option_function<std::vector<std::string>>("--operator-flag", read,
                                                       purpose + ", for example volcano-plugins=designed; repeatable")
        ->allow_extra_args(false)
        ->type_name("NAME=VALUE");
}

void add_manifest_commands(CLI::App& app, int& exit) {
    add_lint(app, exit);
    add_diff(app, exit);
    add_fmt(app, exit);
    add_convert(app, exit);
    add_ranks(app, exit);
}

} // namespace kftrain::cli
