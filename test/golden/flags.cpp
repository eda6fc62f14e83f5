#include "golden/flags.hpp"

#include "golden/compare.hpp"

#include <kftrain/kinds/registry.hpp>

#include <stdexcept>

namespace golden {

kftrain::operator_options read_flags(json::object const& about) {
    kftrain::operator_options told;
    for (auto const& flag : list_of(about, "flags")) {
        auto const read = kftrain::read_operator_flag(told, std::string(flag.as_string()));
        if (!read) throw std::runtime_error(read.error().to_string());
    }
    return told;
}

} // namespace golden
