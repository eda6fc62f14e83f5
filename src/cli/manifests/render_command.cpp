#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/manifests/job_parts.hpp"
#include "cli/manifests/read_job.hpp"
#include "cli/option_values.hpp"
#include "cli/subcommands.hpp"

#include <iostream>

namespace kftrain::cli {
namespace {

struct render_options {
    std::string file;
    std::vector<std::string> with; ///< files with objects to which the jobs refer, here and below
    std::string format;
    operator_options flags; ///< of the operator
};

int render(render_options const& options) {
    auto const jobs = read_jobs(options.file, options.flags, options.with);
    if (!jobs) return bad_usage;
    if (options.format == "svg") {
        std::cout << job_picture(*jobs);
        return success;
    }
    bool first = true;
    if (options.format == "json") std::cout << R"({"kind":"List","apiVersion":"v1","items":[)";
    for (auto const& job : *jobs) {
        auto const objects = job.render();
        for (auto const& c : objects) {
            if (options.format == "json")
                std::cout << (first ? "\n" : ",\n") << json_output(c.to_json());
            else
                std::cout << (first ? "" : "---\n") << c.to_yaml();
            first = false;
        }
    }
    if (options.format == "json") std::cout << "\n]}\n";
    return success;
}

} // namespace

void add_render(CLI::App& app, int& exit) {
    auto const options = std::make_shared<render_options>();
    auto* const command =
        app.add_subcommand("render", "Print or draw the objects that the operator would create for jobs");
    command->group(offline_commands);
    command->add_option("FILE", options->file, "Read jobs from this YAML or JSON file; - reads standard input")
        ->required();
    add_output_flag(*command, options->format, {"yaml", "json", "svg"});
    add_reference_files(*command, options->with);
    add_operator_flags(*command, options->flags);
    add_footer(*command, {{success, "All jobs were rendered."}, {bad_usage, "The file or a job cannot be used."}},
               {{"Print pods and services as YAML", "kftrain render job.yaml"},
                {"Print them as one JSON list", "kftrain render job.yaml -o json"},
                {"Draw them as a picture", "kftrain render job.yaml -o svg >job.svg"}});
    command->callback([options, &exit] { exit = render(*options); });
}

} // namespace kftrain::cli
