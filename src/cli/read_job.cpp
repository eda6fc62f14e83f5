#include "cli/commands.hpp"
#include "cli/manifests.hpp"

#include <kftrain/kinds/registry.hpp>

#include <iostream>

namespace kftrain::cli {

void complain(std::string_view text) { std::cerr << "kftrain: " << on_one_line(text) << '\n'; }

int complain_about(failure const& f) {
    complain(f.to_string());
    return f.code == errc::invalid_argument ? bad_usage : cluster_failed;
}

std::string on_one_line(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string line;
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto const c = static_cast<unsigned char>(text[i]);
        bool const next_line = c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
        if (c >= 0x20 && c != 0x7F && !next_line) {
            line += text[i];
            continue;
        }
        auto const code = next_line ? static_cast<unsigned char>(text[++i]) : c; // U+0080 to U+009F take two bytes
        line.append("\\u00") += digits[code >> 4U];
        line += digits[code & 0xFU];
    }
    return line;
}

std::optional<std::vector<any_job>> read_jobs(std::string const& file) {
    auto const text = read_text(file);
    if (!text) {
        complain(text.error().to_string());
        return std::nullopt;
    }
    auto jobs = parse_jobs(*text);
    if (!jobs) {
        complain(place(file, 0, 0) + jobs.error().to_string());
        return std::nullopt;
    }
    bool fine = true;
    for (auto& job : *jobs) {
        if (job.metadata().namespace_.empty()) job.metadata().namespace_ = "default";
        auto const found = job.validate();
        for (auto const& i : found)
            complain(place(file, 0, 0) + (i.level == issue::severity::error ? "error: " : "warning: ") + i.message +
                     " [" + i.rule + "]");
        fine = fine && !has_errors(found);
    }
    if (!fine) return std::nullopt;
    return *std::move(jobs);
}

} // namespace kftrain::cli
