#include "cli/commands.hpp"
#include "cli/manifests/job_picture.hpp"

#include <iostream>

namespace kftrain::cli {

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

} // namespace kftrain::cli
