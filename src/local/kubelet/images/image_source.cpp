#include "local/kubelet/images/image_source.hpp"

#include "base/make_failure.hpp"
#include "local/kubelet/images/image_commands.hpp"

#include <kftrain/local/image_table.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/reflect.hpp>

#include <boost/json/parse.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <unistd.h>
#include <utility>

namespace kftrain::local {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, image_form>, 4> prefixes{{{"venv:", image_form::venv},
                                                                           {"dir:", image_form::directory},
                                                                           {"oci:", image_form::oci},
                                                                           {"archive:", image_form::archive}}};

constexpr std::string_view forms = "host, venv:PATH, dir:PATH, oci:PATH[:TAG] or archive:FILE";

bool is_file(fs::path const& path) {
    std::error_code ec;
    return fs::is_regular_file(path, ec);
}

/// Whether the layout has the image.
std::string fault_of_index(image_source const& source) {
    constexpr std::size_t longest = 4 << 20U;
    auto const file = source.path + "/index.json";
    std::ifstream in(file, std::ios::binary);
    std::string text(longest, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    boost::system::error_code failed;
    auto const index = boost::json::parse(text, failed);
    if (failed || !index.is_object()) return "expected a JSON object in \"" + file + "\"";
    try {
        sandbox::find_image(index.get_object(), source.tag);
    } catch (std::exception const& e) {
        return std::string(e.what()) + " (" + source.path + ")";
    }
    return {};
}

} // namespace

std::string to_string(image_source const& source) {
    for (auto const& [prefix, form] : prefixes)
        if (form == source.form)
            return std::string(prefix) + source.path + (source.tag.empty() ? std::string() : ":" + source.tag);
    return "host";
}

result<image_source> parse_image_source(std::string_view text) {
    image_source source;
    if (text == "host") return source;
    auto const* const found =
        std::ranges::find_if(prefixes, [&](auto const& entry) { return text.starts_with(entry.first); });
    if (found == prefixes.end() || text.size() == found->first.size())
        return make_failure(errc::syntax, "expected " + std::string(forms) + ", got \"" + std::string(text) + "\"");
    source.form = found->second;
    source.path = text.substr(found->first.size());
    if (source.form != image_form::oci) return source;
    auto const colon = source.path.rfind(':');
    if (colon == source.path.npos || source.path.find('/', colon) != source.path.npos) return source;
    source.tag = source.path.substr(colon + 1);
    source.path.resize(colon);
    if (source.tag.empty() || source.path.empty())
        return make_failure(errc::syntax, "expected oci:PATH or oci:PATH:TAG, got \"" + std::string(text) + "\"");
    return source;
}

std::string fault_of(image_source const& source) {
    if (source.form == image_form::host) return {};
    fs::path const path = source.path;
    auto const got = ", got \"" + source.path + "\"";
    std::error_code ec;
    if (!path.is_absolute()) return "expected an absolute path" + got;
    switch (source.form) {
    case image_form::venv:
        if (is_file(path / "pyvenv.cfg") && ::access((path / "bin/python").c_str(), X_OK) == 0) return {};
        return "expected a Python virtual environment with pyvenv.cfg and bin/python" + got;
    case image_form::directory:
        if (fs::is_directory(path, ec)) return {};
        return "expected an existing directory" + got;
    case image_form::oci:
        if (is_file(path / "oci-layout") && is_file(path / "index.json")) return fault_of_index(source);
        return "expected an OCI image layout with oci-layout and index.json" + got;
    case image_form::archive:
        if (is_file(path)) return {};
        return "expected an archive of an image" + got;
    case image_form::host: break;
    }
    return {};
}

result<image_source> source_of_image(std::string_view image, pod_options const& options) {
    if (options.images.empty()) return image_source();
    if (auto const* const entry = entry_for_image(options.images, image)) return parse_image_source(entry->second);
    return make_failure(errc::invalid_argument,
                        "image \"" + std::string(image) +
                            "\" is in no entry of the image table; add one with --image '" + std::string(image) +
                            "=SOURCE' (images in C++ and Python), where SOURCE is " + std::string(forms));
}

issues uncovered_images(core::pod_spec const& spec, pod_options const& options) {
    issues found;
    for (auto const& [name, list] :
         {std::pair{"spec.initContainers", &spec.init_containers}, {"spec.containers", &spec.containers}})
        for (std::size_t i = 0; i < list->size(); ++i) {
            auto const source = source_of_image((*list)[i].image, options);
            if (source) continue;
            auto& one = found.emplace_back();
            one.rule = "local.image";
            one.path = std::string(name) + "[" + std::to_string(i) + "].image";
            one.message = one.path + ": " + source.error().detail.message;
        }
    return found;
}

std::optional<image_config> config_of_venv(image_source const& source) {
    if (source.form != image_form::venv) return std::nullopt;
    image_config config;
    config.env = {"VIRTUAL_ENV=" + source.path,
                  "PATH=" + source.path + "/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"};
    return config;
}

result<std::string> absolute_image_source(std::string_view source, std::filesystem::path const& directory) {
    auto read = parse_image_source(source);
    if (!read) return read.error();
    if (read->form == image_form::host) return std::string(source);
    auto const whole = (directory / read->path).lexically_normal();
    read->path = (whole.has_filename() ? whole : whole.parent_path()).string();
    return to_string(*read);
}

result<string_map> parse_image_table(std::string_view text, std::filesystem::path const& directory) {
    decode_options options;
    options.strict = true; // an image has one source
    auto table = from_yaml<string_map>(text, options);
    if (!table) return table;
    for (auto& [pattern, source] : *table) {
        auto const whole = absolute_image_source(source, directory);
        auto const parsed = whole ? parse_image_source(*whole) : result<image_source>(whole.error());
        auto const why = parsed ? fault_of(*parsed) : parsed.error().detail.message;
        if (!why.empty()) return make_failure(errc::invalid_argument, pattern + ": " + why);
        source = *whole;
    }
    return table;
}

} // namespace kftrain::local
