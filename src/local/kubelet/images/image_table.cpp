#include <kftrain/local/image_table.hpp>

#include "base/make_failure.hpp"
#include "local/kubelet/images/image_source.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::local {

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
