#ifndef KFTRAIN_MODEL_CHANGE_KIND_HPP
#define KFTRAIN_MODEL_CHANGE_KIND_HPP

#include <cstdint>
#include <string_view>

namespace kftrain {

/// How an object changed, as watches, informers and the facade report it.
enum class change_kind : std::uint8_t { added, modified, deleted };

/// Returns `added`, `modified` or `deleted`.
std::string_view to_string(change_kind) noexcept;

} // namespace kftrain

#endif
