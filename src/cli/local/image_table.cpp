#include "cli/local/image_table.hpp"

#include "base/make_failure.hpp"
#include "cli/manifests/manifests.hpp"

#include <kftrain/local/option_values.hpp>

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

result<string_map> read_image_table(std::string const& file) {
    std::error_code ignored;
    if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored))
        return make_failure(errc::invalid_argument, file + ": expected a regular file");
    auto const text = read_text(file);
    if (!text) return text.error();
    auto table = local::parse_image_table(*text, fs::absolute(file, ignored).parent_path());
    if (!table) return make_failure(table.error().code, file + ": " + table.error().to_string());
    return table;
}

} // namespace kftrain::cli
