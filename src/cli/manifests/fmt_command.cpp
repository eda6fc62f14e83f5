#include "base/unique_fd.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/local/checked_directory.hpp"
#include "cli/manifests/manifests.hpp"
#include "cli/option_values.hpp"
#include "cli/subcommands.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace kftrain::cli {
namespace {

struct fmt_options {
    std::vector<std::string> files;
    std::string format; ///< empty: the format of the file
    bool check = false;
    bool write = false;
};

/// The format of the file.
std::string format_of(std::string const& text) {
    auto const first = text.find_first_not_of(" \t\r\n", text.starts_with("\xEF\xBB\xBF") ? 3 : 0);
    return first != std::string::npos && text[first] == '{' ? "json" : "yaml";
}

std::string write_all(std::vector<manifest> const& all, std::string const& format) {
    std::string text;
    for (auto const& one : all) text += (text.empty() || format == "json" ? "" : "---\n") + one.write(format);
    return text;
}

/// Writes a new file next to the old one and renames it, so that a full disk does not destroy the file. The name is
/// unpredictable.
bool replace(std::string const& file, std::string const& text) {
    std::error_code code;
    std::filesystem::path const target = std::filesystem::weakly_canonical(file, code);
    std::string next = target.string() + ".kftrain-XXXXXX";
    auto const system = [] { return std::error_code(errno, std::generic_category()); };
    unique_fd out(::mkostemp(next.data(), O_CLOEXEC));
    if (!out) code = system();
    auto const mode = static_cast<mode_t>(std::filesystem::status(target).permissions() & std::filesystem::perms::mask);
    if (!code && (!write_open_file(out.get(), text) || ::fchmod(out.get(), mode) != 0 || ::close(out.release()) != 0))
        code = system();
    if (!code) std::filesystem::rename(next, target, code);
    if (!code) return true;
    std::error_code ignored;
    std::filesystem::remove(next, ignored);
    complain("cannot write \"" + file + "\": " + code.message());
    return false;
}

int fmt(fmt_options const& options) {
    int exit = success;
    bool first = true;
    for (auto const& file : options.files) {
        if (options.write && file == "-") {
            complain("--write: expected a file to replace, got - (standard input)");
            return bad_usage;
        }
        auto const text = read_text(file);
        if (!text) {
            complain(text.error().to_string());
            exit = bad_usage;
            continue;
        }
        std::vector<manifest> all;
        if (!read_manifests(file, *text, all)) {
            exit = bad_usage;
            continue;
        }
        for (auto const& one : all)
            if (one.type == nullptr)
                complain(place(file, 0, 0) + "line " + std::to_string(one.unknown.line) + ": " +
                         one.unknown.to_string() + " has an unknown type: left unchanged");
        std::string const format = options.format.empty() ? format_of(*text) : options.format;
        for (auto& one : all) one.make_canonical();
        std::string const canonical = write_all(all, format);
        if (options.check) {
            if (canonical == *text) continue;
            std::cout << (file == "-" ? "standard input" : on_one_line(file)) << '\n';
            if (exit == success) exit = 1;
        } else if (options.write) {
            if (canonical != *text && !replace(file, canonical)) exit = bad_usage;
        } else {
            std::cout << (first || format == "json" ? "" : "---\n") << canonical;
            first = false;
        }
    }
    return flush_output() ? exit : bad_usage;
}

} // namespace

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

} // namespace kftrain::cli
