#include "local/kubelet/volumes/volume_files.hpp"

#include "base/joined.hpp"
#include "base/make_failure.hpp"
#include "local/kubelet/containers/environment.hpp"
#include "model/json/go_text.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <system_error>
#include <unistd.h>

namespace kftrain::local {
namespace {

namespace fs = std::filesystem;

using payload = result<std::vector<volume_file>>;

constexpr std::int32_t default_mode = 0644;
constexpr std::int32_t permission_bits = 0777;

std::string const* find(core::config_map const& object, std::string_view key) {
    if (auto const at = object.data.find(key); at != object.data.end()) return &at->second;
    auto const at = object.binary_data.find(key);
    return at == object.binary_data.end() ? nullptr : &at->second.data;
}
std::string const* find(core::secret const& object, std::string_view key) {
    auto const at = object.data.find(key);
    return at == object.data.end() ? nullptr : &at->second.data;
}

std::vector<std::string> keys_of(core::config_map const& object) {
    std::vector<std::string> keys;
    for (auto const& [key, value] : object.data) keys.push_back(key);
    for (auto const& [key, value] : object.binary_data) keys.push_back(key);
    return keys;
}
std::vector<std::string> keys_of(core::secret const& object) {
    std::vector<std::string> keys;
    for (auto const& [key, value] : object.data) keys.push_back(key);
    return keys;
}

template <class Source, class Object>
payload make(Source const& source, Object const* object, std::string const& not_found, std::string_view no_key) {
    bool const optional = source.optional.value_or(false);
    std::vector<volume_file> files;
    if (object == nullptr) {
        if (!optional) return make_failure(errc::invalid_argument, not_found);
        return files;
    }
    auto const mode = source.default_mode.value_or(default_mode);
    auto items = source.items;
    if (items.empty())
        for (auto& key : keys_of(*object)) {
            auto& item = items.emplace_back();
            item.key = key;
            item.path = std::move(key);
        }
    for (auto const& item : items) {
        auto const* data = find(*object, item.key);
        if (data == nullptr) {
            if (optional) continue;
            return make_failure(errc::invalid_argument, std::string(no_key) + item.key);
        }
        if (leads_out_of_volume(item.path))
            return make_failure(errc::invalid_argument, "path \"" + item.path + "\" leads out of the volume");
        volume_file file;
        file.path = item.path;
        file.data = *data;
        file.mode = item.mode.value_or(mode) & permission_bits;
        files.push_back(std::move(file));
    }
    std::map<std::string, volume_file> by_path; // of equal paths the last one wins
    for (auto& file : files) {
        std::string path = file.path;
        by_path.insert_or_assign(std::move(path), std::move(file));
    }
    std::vector<volume_file> unique;
    unique.reserve(by_path.size());
    for (auto& [path, file] : by_path) unique.push_back(std::move(file));
    return unique;
}

error_code last_error() { return {errno == 0 ? EIO : errno, boost::system::system_category()}; }

error_code write_file(fs::path const& at, volume_file const& file) {
    std::error_code failed;
    fs::create_directories(at.parent_path(), failed);
    if (failed) return failed;
    errno = 0;
    std::ofstream out(at, std::ios::binary);
    out << file.data;
    out.close();
    if (!out) return last_error();
    fs::permissions(at, fs::perms(file.mode), failed);
    if (!failed && file.user && ::geteuid() == 0) [[maybe_unused]]
        auto const owned = ::lchown(at.c_str(), uid_t(*file.user), gid_t(-1));
    return failed;
}

/// Whether the directory holds these files and no others.
bool holds(fs::path const& directory, std::vector<volume_file> const& files) {
    std::error_code failed;
    std::size_t found = 0;
    fs::recursive_directory_iterator entry(directory, failed);
    for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
        if (entry->is_directory(failed)) continue;
        auto const path = fs::relative(entry->path(), directory, failed).string();
        auto const file = std::ranges::find(files, path, &volume_file::path);
        if (failed || file == files.end()) return false;
        if (fs::status(entry->path(), failed).permissions() != fs::perms(file->mode)) return false;
        std::ifstream in(entry->path(), std::ios::binary);
        if (std::string(std::istreambuf_iterator<char>(in), {}) != file->data) return false;
        ++found;
    }
    return !failed && found == files.size();
}

/// The links at the top that are wanted; what is there beyond them goes.
error_code link_top(fs::path const& directory, std::vector<volume_file> const& files) {
    std::set<fs::path> wanted;
    for (auto const& file : files) wanted.insert(*fs::path(file.path).begin());
    std::error_code failed;
    for (auto const& name : wanted) {
        if (fs::is_symlink(fs::symlink_status(directory / name, failed))) continue;
        fs::create_symlink(fs::path("..data") / name, directory / name, failed);
        if (failed) return failed;
    }
    std::vector<fs::path> stale;
    for (auto const& entry : fs::directory_iterator(directory, failed)) {
        auto const name = entry.path().filename();
        if (!name.string().starts_with("..") && !wanted.contains(name)) stale.push_back(entry.path());
    }
    for (auto const& path : stale) fs::remove(path, failed);
    return failed;
}

/// A name that is not in use: the next after that of the present one.
fs::path next_folder(fs::path const& present) {
    auto const text = present.filename().string();
    unsigned long number = 0;
    if (text.starts_with("..version_")) number = std::strtoul(text.c_str() + 10, nullptr, 10);
    return "..version_" + std::to_string(number + 1);
}

error_code replace(fs::path const& directory, fs::path const& present, std::vector<volume_file> const& files) {
    auto const folder = next_folder(present);
    std::error_code failed;
    fs::remove_all(directory / folder, failed); // of an attempt that failed
    fs::create_directory(directory / folder, failed);
    if (failed) return failed;
    for (auto const& file : files)
        if (auto const ec = write_file(directory / folder / file.path, file)) return ec;
    auto const link = directory / "..data_tmp";
    fs::remove(link, failed);
    fs::create_symlink(folder, link, failed);
    if (!failed) fs::rename(link, directory / "..data", failed);
    return failed;
}

std::string lines_of(string_map const& entries) {
    std::vector<std::string> lines;
    for (auto const& [name, value] : entries) lines.push_back(name + "=" + go_text::quoted(value));
    std::ranges::sort(lines);
    return joined(lines, "\n");
}

/// Only what a volume can show: addresses and the like are not known when volumes are made.
bool is_of_metadata(std::string_view path) { return path.starts_with("metadata.") && is_known_field(path); }

} // namespace

bool leads_out_of_volume(std::string_view path) {
    if (path.empty() || path.starts_with('/') || path.starts_with("..") || path.find('\0') != std::string_view::npos)
        return true;
    auto const whole = fs::path(path);
    return std::any_of(whole.begin(), whole.end(), [](fs::path const& part) { return part == ".." || part == "."; });
}

payload files_of(core::config_map_volume_source const& source, core::config_map const* object) {
    return make(source, object, "configmap \"" + source.name + "\" not found",
                "configmap references non-existent config key: ");
}

payload files_of(core::secret_volume_source const& source, core::secret const* object) {
    return make(source, object, "secret \"" + source.secret_name + "\" not found",
                "references non-existent secret key: ");
}

error_code write_volume(fs::path const& directory, std::vector<volume_file> const& files) {
    std::error_code failed;
    fs::create_directories(directory, failed);
    if (failed) return failed;
    auto const data = directory / "..data";
    std::error_code absent;
    fs::path const present = fs::is_symlink(fs::symlink_status(data, absent)) ? fs::read_symlink(data, absent) : "";
    if (!present.empty() && holds(directory / present, files)) return link_top(directory, files);
    if (auto const ec = replace(directory, present, files)) return ec;
    if (auto const ec = link_top(directory, files)) return ec;
    if (!present.empty()) fs::remove_all(directory / present, failed);
    return failed;
}

bool is_known_file_field(std::string_view path) {
    return path == "metadata.labels" || path == "metadata.annotations" || is_of_metadata(path);
}

result<std::vector<volume_file>> field_files(std::vector<core::downward_api_volume_file> const& items,
                                             std::optional<std::int32_t> mode_of_volume, pod const& p) {
    std::vector<volume_file> files;
    for (auto const& item : items) {
        if (!item.resource_field_ref && (!item.field_ref || !is_known_file_field(item.field_ref->field_path)))
            return make_failure(errc::invalid_argument, "unsupported field of file \"" + item.path + "\"");
        if (leads_out_of_volume(item.path))
            return make_failure(errc::invalid_argument, "path \"" + item.path + "\" leads out of the volume");
        volume_file file;
        file.path = item.path;
        file.mode = item.mode.value_or(mode_of_volume.value_or(default_mode)) & 0777;
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
