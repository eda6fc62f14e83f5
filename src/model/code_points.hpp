#ifndef KFTRAIN_SRC_MODEL_CODE_POINTS_HPP
#define KFTRAIN_SRC_MODEL_CODE_POINTS_HPP

#include <string>
#include <string_view>

namespace kftrain {

/// The code points of a text; a byte that is no UTF-8 counts as one.
std::u32string code_points(std::string_view);

} // namespace kftrain

#endif
