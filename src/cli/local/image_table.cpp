#include "cli/local/image_table.hpp"

#include "base/make_failure.hpp"
#include "cli/manifests/manifests.hpp"
#include "local/kubelet/images/image_source.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/reflect.hpp>

#include <unistd.h>

#include <cstdlib>

namespace kftrain::cli {
namespace {

namespace fs = std::filesystem;

fs::path variable(char const* name) {
    char const* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

} // namespace

fs::path default_image_directory() {
    auto const cache = variable("XDG_CACHE_HOME");
    if (cache.is_absolute()) return cache / "kftrain" / "images";
    auto const home = variable("HOME");
    if (home.is_absolute()) return home / ".cache" / "kftrain" / "images";
    return "/tmp/kftrain-images-" + std::to_string(::getuid());
}

result<std::string> absolute_source(std::string_view source, fs::path const& directory) {
    auto read = local::parse_image_source(source);
    if (!read) return read.error();
    if (read->form == local::image_form::host) return std::string(source);
    auto const whole = (directory / read->path).lexically_normal();
    read->path = (whole.has_filename() ? whole : whole.parent_path()).string();
    return to_string(*read);
}

result<string_map> parse_image_table(std::string_view text, fs::path const& directory) {
    decode_options options;
    options.strict = true; // an image has one source
    auto table = from_yaml<string_map>(text, options);
    if (!table) return table;
    for (auto& [pattern, source] : *table) {
        auto const whole = absolute_source(source, directory);
        auto const parsed = whole ? local::parse_image_source(*whole) : result<local::image_source>(whole.error());
        auto const why = parsed ? fault_of(*parsed) : parsed.error().detail.message;
        if (!why.empty()) return make_failure(errc::invalid_argument, pattern + ": " + why);
        source = *whole;
    }
    return table;
}

result<string_map> read_image_table(std::string const& file) {
    std::error_code ignored;
    if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored))
        return make_failure(errc::invalid_argument, file + ": expected a regular file");
    auto const text = read_text(file);
    if (!text) return text.error();
    auto table = parse_image_table(*text, fs::absolute(file, ignored).parent_path());
    if (!table) return make_failure(table.error().code, file + ": " + table.error().to_string());
    return table;
}

} // namespace kftrain::cli
