#include "local/kubelet/volumes/field_files.hpp"

#include "base/joined.hpp"
#include "base/make_failure.hpp"
#include "local/kubelet/containers/environment.hpp"
#include "model/json/go_text.hpp"

#include <algorithm>

namespace kftrain::local {
namespace {

std::string lines_of(string_map const& entries) {
    std::vector<std::string> lines;
    for (auto const& [name, value] : entries) lines.push_back(name + "=" + go_text::quoted(value));
    std::ranges::sort(lines);
    return joined(lines, "\n");
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
        if (!item.resource_field_ref && (!item.field_ref || !is_known_file_field(item.field_ref->field_path)))
            return make_failure(errc::invalid_argument, "unsupported field of file \"" + item.path + "\"");
        if (leads_out_of_volume(item.path))
            return make_failure(errc::invalid_argument, "path \"" + item.path + "\" leads out of the volume");
        volume_file file;
        file.path = item.path;
        file.mode = item.mode.value_or(default_mode.value_or(usual_mode)) & 0777;
        if (item.resource_field_ref) {
            auto amount = resource_value(*item.resource_field_ref, p, nullptr);
            if (!amount) return amount.error();
            file.data = *std::move(amount);
            merge_files(files, {std::move(file)});
            continue;
        }
        auto const& path = item.field_ref->field_path;
        if (path == "metadata.labels") {
            file.data = lines_of(p.metadata.labels);
        } else if (path == "metadata.annotations") {
            file.data = lines_of(p.metadata.annotations);
        } else {
            core::env_var_source from;
            from.field_ref.emplace().field_path = path;
            auto value = value_of(from, p, core::container(), environment_sources());
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
