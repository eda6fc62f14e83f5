#include "unit/schemas/schema_file.hpp"

#include <boost/json/parse.hpp>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace schemas {

std::string_view text_at(json::object const& schema, std::string_view word) {
    auto const* v = schema.if_contains(word);
    return v != nullptr && v->is_string() ? std::string_view(v->get_string()) : std::string_view();
}

json::object const* object_at(json::object const& schema, std::string_view word) {
    auto const* v = schema.if_contains(word);
    return v == nullptr ? nullptr : v->if_object();
}

json::object const& library::file(std::string const& path) {
    auto const [it, added] = files_.try_emplace(path);
    if (added) {
        std::ifstream in(root_ / path);
        if (!in) throw std::runtime_error("cannot read " + path);
        std::ostringstream text;
        text << in.rdbuf();
        json::parse_options options;
        options.max_depth = 128; // a template of Jobs of pods is deep
        it->second = json::parse(text.str(), {}, options).as_object();
    }
    return it->second;
}

place library::definition(json::object const& file, std::string_view name) {
    place at;
    at.schema = &file.at("$defs").at(name).as_object();
    at.file = &file;
    at.name = file.at("$defs").as_object().find(name)->key();
    return at;
}

/// Only the schemas of job kinds refer to another file, to what these kinds and their children have in common.
json::object const& library::shared_file(std::string const& name) {
    for (auto const* folder : {"src/job/v1/", "src/kinds/train_job/"})
        if (std::filesystem::exists(root_ / (folder + name))) return file(folder + name);
    throw std::runtime_error("no shared schema: " + name);
}

place library::resolve(place at) {
    constexpr std::string_view separator = "#/$defs/";
    for (auto ref = text_at(*at.schema, "$ref"); !ref.empty(); ref = text_at(*at.schema, "$ref")) {
        auto const cut = ref.find(separator);
        if (cut == std::string_view::npos) throw std::runtime_error("no reference: " + std::string(ref));
        auto const& file = cut == 0 ? *at.file : shared_file(std::string(ref.substr(0, cut)));
        at = definition(file, ref.substr(cut + separator.size()));
    }
    return at;
}

} // namespace schemas
