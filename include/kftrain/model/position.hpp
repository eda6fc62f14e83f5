#ifndef KFTRAIN_MODEL_POSITION_HPP
#define KFTRAIN_MODEL_POSITION_HPP

#include <cstddef>

namespace kftrain {

/// A position in a text; 0 if unknown.
struct text_position {
    text_position() = default;

    std::size_t line = 0;   ///< 1-based
    std::size_t column = 0; ///< 1-based, in characters

    friend bool operator==(text_position const&, text_position const&) = default;
};

} // namespace kftrain

#endif
