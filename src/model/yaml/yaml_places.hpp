#ifndef KFTRAIN_SRC_MODEL_YAML_YAML_PLACES_HPP
#define KFTRAIN_SRC_MODEL_YAML_YAML_PLACES_HPP

#include "model/yaml/yaml_lookup.hpp"

#include <kftrain/model/position.hpp>

namespace kftrain::detail {

/// Finds the values of a YAML document by their paths.
class yaml_places {
public:
    /// Texts that are larger are not looked into.
    static constexpr std::size_t size_limit = std::size_t{4} << 20U;

    /// Finds nothing if the events are not a document within the nesting limit of decoding.
    explicit yaml_places(yaml_source const& next);

    /// See document::find().
    text_position find(std::string_view path, std::size_t first_line);

private:
    std::optional<yaml_lookup> lookup_{};
};

} // namespace kftrain::detail

#endif
