#include "local/kubelet/field_files.hpp"

#include "local/kubelet/environment.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace kftrain::local {
namespace {

failure unusable_file(std::string sentence) {
    diagnostics why;
    why.message = std::move(sentence);
    return failure(errc::invalid_argument, std::move(why));
}

/// The text as Go quotes it.
std::string quoted_as_in_go(std::string_view text) {
    std::string out = "\"";
    for (char const c : text) {
        if (c == '"' || c == '\\') {
            out.append("\\").append(1, c);
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\r') {
            out += "\\r";
        } else if (c == '\t') {
            out += "\\t";
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            std::array<char, 8> hex{};
            std::snprintf(hex.data(), hex.size(), "\\x%02x", static_cast<unsigned>(c));
            out += hex.data();
        } else {
            out += c;
        }
    }
    return out + "\"";
}

std::string lines_of(string_map const& entries) {
    std::vector<std::string> lines;
    for (auto const& [name, value] : entries) lines.push_back(name + "=" + quoted_as_in_go(value));
    std::ranges::sort(lines);
    std::string text;
    for (auto const& line : lines) text += (text.empty() ? "" : "\n") + line;
    return text;
}

/// Only what a volume can show: addresses and the like are not known when volumes are made.
bool is_of_metadata(std::string_view path) { return path.starts_with("metadata.") && is_known_field(path); }

} // namespace

bool is_known_file_field(std::string_view path) {
    return path == "metadata.labels" || path == "metadata.annotations" || is_of_metadata(path);
}

result<std::vector<volume_file>> field_files(std::vector<core::downward_api_volume_file> const& items,
                                             std::optional<std::int32_t> default_mode, pod const& p) {
    constexpr std::int32_t usual_mode = 0644;
    std::vector<volume_file> files;
    for (auto const& item : items) {
        if (!item.field_ref || !is_known_file_field(item.field_ref->field_path))
            return unusable_file("unsupported field of file \"" + item.path + "\"");
        if (leads_out_of_volume(item.path)) return unusable_file("path \"" + item.path + "\" leads out of the volume");
        auto const& path = item.field_ref->field_path;
        volume_file file;
        file.path = item.path;
        file.mode = item.mode.value_or(default_mode.value_or(usual_mode)) & 0777;
        if (path == "metadata.labels") {
            file.data = lines_of(p.metadata.labels);
        } else if (path == "metadata.annotations") {
            file.data = lines_of(p.metadata.annotations);
        } else {
            core::env_var_source from;
            from.field_ref.emplace().field_path = path;
            auto value = value_of(from, p, environment_sources());
            if (!value) return value.error();
            file.data = value->value_or("");
        }
        merge_files(files, {std::move(file)});
    }
    return files;
}

void merge_files(std::vector<volume_file>& to, std::vector<volume_file> more) {
    for (auto& file : more) {
        std::erase_if(to, [&](volume_file const& old) { return old.path == file.path; });
        to.push_back(std::move(file));
    }
}

} // namespace kftrain::local
