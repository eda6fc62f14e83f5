#include "cli/commands.hpp"

#include <iostream>

namespace kftrain::cli {

int render(render_options const& options) {
    auto const jobs = read_jobs(options.file, options.told);
    if (!jobs) return bad_usage;
    bool first = true;
    if (options.format == "json") std::cout << R"({"kind":"List","apiVersion":"v1","items":[)";
    for (auto const& job : *jobs)
        for (auto const& c : job.render()) {
            if (options.format == "json")
                std::cout << (first ? "\n" : ",\n") << c.to_json();
            else
                std::cout << (first ? "" : "---\n") << c.to_yaml();
            first = false;
        }
    if (options.format == "json") std::cout << "\n]}\n";
    std::cout.flush();
    if (std::cout) return success;
    complain("cannot write to the standard output");
    return bad_usage;
}

} // namespace kftrain::cli
