#ifndef KFTRAIN_SRC_MODEL_RULES_LABEL_OF_HPP
#define KFTRAIN_SRC_MODEL_RULES_LABEL_OF_HPP

#include <kftrain/model/meta.hpp>

#include <string_view>

namespace kftrain {

/// The value of a label, or an empty view; as long-lived as the metadata.
inline std::string_view label_of(object_meta const& meta, std::string_view key) noexcept {
    auto const it = meta.labels.find(key);
    return it == meta.labels.end() ? std::string_view{} : std::string_view(it->second);
}

} // namespace kftrain

#endif
