#include "local/kubelet/containers/termination_message.hpp"

#include "local/sandbox/containers/log_file_name.hpp"
#include "model/json/json_text.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <vector>

namespace kftrain::local {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view usual_path = "/dev/termination-log";
constexpr std::size_t longest_message = 4096;
constexpr std::size_t longest_log = 2048;
constexpr std::ptrdiff_t most_lines = 80;

/// The last bytes of a regular file.
std::string tail_of_file(fs::path const& file, std::size_t most) {
    std::error_code failed;
    auto const size = fs::is_regular_file(fs::symlink_status(file, failed)) ? fs::file_size(file, failed) : 0;
    if (failed || size == 0) return {};
    std::ifstream in(file, std::ios::binary);
    if (size > most) in.seekg(static_cast<std::streamoff>(size - most));
    std::string text(most, '\0');
    in.read(text.data(), static_cast<std::streamsize>(most));
    text.resize(static_cast<std::size_t>(in.gcount()));
    return text;
}

std::string tail_of_log(fs::path const& folder) {
    std::vector<fs::path> files;
    std::error_code missing;
    for (auto const& entry : fs::directory_iterator(folder, missing))
        if (sandbox::log_file_place(entry.path().filename().string())) files.push_back(entry.path());
    std::ranges::sort(files, std::greater());
    std::string text;
    for (auto const& file : files) {
        if (text.size() >= longest_log) break;
        text.insert(0, tail_of_file(file, longest_log - text.size()));
    }
    auto const content = text.ends_with('\n') ? text.size() - 1 : text.size(); // that ends the last line
    auto start = content;
    for (std::ptrdiff_t lines = 0; start > 0 && lines < most_lines; ++lines) {
        auto const end = text.rfind('\n', start - 1);
        if (end == text.npos) return text;
        start = end;
    }
    return text.substr(start == 0 ? 0 : start + 1);
}

} // namespace

std::string termination_message_path(core::container const& c, bool has_root) {
    std::string path = c.termination_message_path.empty() ? std::string(usual_path) : c.termination_message_path;
    if (path.front() != '/') path.insert(0, "/");
    return !has_root && path == usual_path ? std::string() : path;
}

std::string make_termination_file(fs::path const& file) {
    constexpr mode_t everybody = 0666;
    std::error_code failed;
    fs::create_directories(file.parent_path(), failed);
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out.close();
    if (!out || ::chmod(file.c_str(), everybody) != 0) return "cannot make the file " + file.string();
    return {};
}

std::string termination_message(core::container const& c, bool failed, fs::path const& file, fs::path const& log) {
    auto message = tail_of_file(file, longest_message);
    if (message.empty() && failed && c.termination_message_policy == "FallbackToLogsOnError")
        message = tail_of_log(log);
    // Programs may write anything, and a cut may divide a character.
    for (auto bad = detail::find_invalid_utf8(message); bad != message.npos; bad = detail::find_invalid_utf8(message))
        message[bad] = '?';
    return message;
}

} // namespace kftrain::local
