#include <kftrain/job/operator_flag.hpp>

#include "base/whole_number.hpp"

namespace kftrain {

result<std::int32_t> read_flag_number(std::string_view value) {
    if (auto const number = read_whole_number<std::int32_t>(value)) return *number;
    failure f;
    f.code = errc::invalid_argument;
    f.detail.message = "expected a 32-bit integer, got \"" + std::string(value) + "\"";
    return f;
}

} // namespace kftrain
