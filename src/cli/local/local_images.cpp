#include "cli/cluster/output/text_table.hpp"
#include "cli/commands.hpp"
#include "cli/local/local_options.hpp"
#include "cli/local/local_state.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/reflect.hpp>

#include <boost/json/parse.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

namespace kftrain::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

std::string in_megabytes(std::int64_t bytes) {
    constexpr std::int64_t megabyte = 1'000'000;
    return std::to_string((bytes + megabyte - 1) / megabyte) + " MB";
}

std::string member_of(json::object const& image, std::string_view name) {
    auto const* const value = image.if_contains(name);
    if (value == nullptr) return "?";
    if (value->is_int64())
        return name == "bytes" ? in_megabytes(value->get_int64()) : std::to_string(value->get_int64());
    return value->is_string() ? std::string(value->get_string()) : "?";
}

/// The images that are unpacked, one in each row.
text_table unpacked_images(fs::path const& store) {
    text_table table({"UNPACKED", "SIZE", "FILES"});
    std::vector<fs::path> entries;
    std::error_code missing; // nothing was unpacked yet
    for (auto const& entry : fs::directory_iterator(store, missing))
        if (entry.path().filename().string().starts_with("sha256-")) entries.push_back(entry.path());
    std::ranges::sort(entries);
    for (auto const& path : entries) {
        std::ifstream file(path / "image.json");
        std::string const text(std::istreambuf_iterator<char>(file), {});
        boost::system::error_code failed;
        auto const image = json::parse(text, failed);
        if (failed || !image.is_object()) continue; // it is being removed
        auto const& object = image.get_object();
        table.add({member_of(object, "digest"), member_of(object, "bytes"), member_of(object, "files")});
    }
    return table;
}

} // namespace

int local_images(local_options const& options) {
    auto images = options.pods.images;
    if (images.empty()) {
        local_state const state(options.state_directory);
        auto const standing = state.look();
        if (!standing) return complain_about(standing.error());
        if (standing->server) {
            auto const text = state.read_images();
            if (!text) return complain_about(text.error());
            auto const table = from_json<string_map>(*text);
            if (!table) return complain_about(table.error());
            images = *table;
        }
    }
    text_table table({"IMAGE", "SOURCE"});
    for (auto const& [pattern, source] : images) table.add({pattern, source});
    if (images.empty()) table.add({"*", "host"});
    std::cout << table.to_string();
    auto const unpacked = unpacked_images(options.pods.image_store.directory);
    if (!unpacked.empty()) std::cout << '\n' << unpacked.to_string();
    return success;
}

} // namespace kftrain::cli
