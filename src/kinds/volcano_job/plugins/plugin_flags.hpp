#ifndef KFTRAIN_SRC_KINDS_VOLCANO_JOB_PLUGINS_PLUGIN_FLAGS_HPP
#define KFTRAIN_SRC_KINDS_VOLCANO_JOB_PLUGINS_PLUGIN_FLAGS_HPP

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kftrain::volcano {

/// A flag of a plugin, and where its value goes.
struct plugin_flag {
    plugin_flag(std::string_view n, std::string& t) : name(n), value(&t) {}
    plugin_flag(std::string_view n, bool& t) : name(n), value(&t) {}
    plugin_flag(std::string_view n, std::int64_t& t) : name(n), value(&t) {}

    std::string_view name; ///< without dashes
    std::variant<std::string*, bool*, std::int64_t*> value;
};

/** Reads the arguments of a plugin as Go's package flag does, one flag in each. Reading stops at the first argument
    that is not a flag, or an invalid one: earlier flags apply, the rest is ignored. Returns the fault; empty if there
    is none.
    @par Upstream Go 1.21 `flag.FlagSet.Parse`; a wrong value still sets 0, the bound that it is beyond, or false */
std::string parse_plugin_flags(std::vector<std::string> const& arguments, std::span<plugin_flag const> known);

} // namespace kftrain::volcano

#endif
