#include "cli/commands.hpp"
#include "cli/manifests.hpp"
#include "cli/told_kinds.hpp"
#include "model/codec/collected_faults.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>

#include <iostream>

namespace kftrain::cli {

void complain(std::string_view text) { std::cerr << "kftrain: " << on_one_line(text) << '\n'; }

int complain_about(failure const& f) {
    complain(f.to_string());
    return f.code == errc::invalid_argument ? bad_usage : cluster_failed;
}

namespace {

/// The character at the beginning if it turns the direction of what follows, so that another text is seen than is there; else 0.
/// @par Upstream Unicode Standard Annex 9, 2.1 to 2.5
unsigned direction_at(std::string_view text) {
    if (text.size() < 3 || text[0] != '\xE2' || (text[1] != '\x80' && text[1] != '\x81')) return 0;
    auto const code =
        0x2000U | (static_cast<unsigned char>(text[1]) & 0x3FU) << 6U | (static_cast<unsigned char>(text[2]) & 0x3FU);
    return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ? code : 0;
}

} // namespace

std::string on_one_line(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string line;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (auto const turning = direction_at(text.substr(i)); turning != 0) {
            line.append(turning < 0x2060 ? "\\u202" : "\\u206") += digits[turning & 0xFU];
            i += 2;
            continue;
        }
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

namespace {

/// Reads what a server would refuse to leave out: an unknown field is a slip, and the second of two equal ones hides the first.
template <class Made>
std::optional<Made> read_strictly(std::string const& file,
                                  result<Made> (*parse)(std::string_view, decode_options const&)) {
    auto const text = read_text(file);
    if (!text) {
        complain(text.error().to_string());
        return std::nullopt;
    }
    std::vector<failure> found;
    decode_options options;
    options.strict = true;
    options.found = &found;
    auto read = parse(*text, options);
    if (read) return *std::move(read);
    if (!detail::is_collected(read.error(), found)) found.push_back(read.error());
    for (auto const& f : found) complain(place(file, 0, 0) + f.to_string());
    return std::nullopt;
}

/// Rules that jobs refer to as long as the program runs.
any_job by_rules_told(any_job const& job, operator_options const& told) {
    static told_kinds kinds;
    return any_job(kinds.rules_of(job.rules(), told), job.get());
}

} // namespace

bool is_valid(any_job& job, std::string const& file) {
    if (job.metadata().namespace_.empty()) job.metadata().namespace_ = "default";
    auto const found = job.validate();
    for (auto const& i : found)
        complain(place(file, 0, 0) + (i.level == issue::severity::error ? "error: " : "warning: ") + i.message + " [" +
                 i.rule + "]");
    return !has_errors(found);
}

std::optional<std::vector<any_job>> read_written_jobs(std::string const& file) {
    return read_strictly(file, parse_jobs);
}

std::optional<std::vector<any_job>> read_jobs(std::string const& file, operator_options const& told) {
    auto jobs = read_strictly(file, parse_jobs);
    if (!jobs) return std::nullopt;
    bool fine = true;
    for (auto& job : *jobs) job = by_rules_told(job, told);
    for (auto& job : *jobs) fine = is_valid(job, file) && fine;
    if (!fine) return std::nullopt;
    return jobs;
}

std::optional<any_job> read_job(std::string const& file, operator_options const& told) {
    auto job = read_strictly(file, parse_job);
    if (job) job = by_rules_told(*job, told);
    if (!job || !is_valid(*job, file)) return std::nullopt;
    return job;
}

} // namespace kftrain::cli
