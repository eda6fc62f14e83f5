#include "cli/commands.hpp"

#include <kftrain/training_client.hpp>

#include <iostream>

namespace kftrain::cli {

void complain(std::string_view text) { std::cerr << "kftrain: " << text << '\n'; }

std::optional<any_job> read_job(std::filesystem::path const& file) {
    auto job = load_job(file);
    if (!job) {
        complain(job.error().to_string());
        return std::nullopt;
    }
    if (job->metadata().namespace_.empty()) job->metadata().namespace_ = "default";
    auto const found = job->validate();
    for (auto const& i : found)
        complain(file.string() + (i.level == issue::severity::error ? ": error: " : ": warning: ") + i.message + " [" +
                 i.rule + "]");
    if (has_errors(found)) return std::nullopt;
    return std::move(*job);
}

} // namespace kftrain::cli
