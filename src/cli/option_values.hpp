#ifndef KFTRAIN_SRC_CLI_OPTION_VALUES_HPP
#define KFTRAIN_SRC_CLI_OPTION_VALUES_HPP

#include <CLI/CLI.hpp>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

// Options whose values are checked. A value that does not fit ends the parsing with `--name: expected ..., got "..."`.
// Targets must live as long as the command.
namespace kftrain {
class operator_options;
}

namespace kftrain::cli {

/// Adds an option that accepts one of these values.
CLI::Option* add_choice(CLI::App& command, std::string const& names, std::function<void(std::string const&)> set,
                        std::vector<std::string> choices, std::string const& description);
CLI::Option* add_choice(CLI::App& command, std::string const& names, std::string& target,
                        std::vector<std::string> choices, std::string const& description);

/// Adds an option that takes a duration, as read_time() reads it.
CLI::Option* add_duration(CLI::App& command, std::string const& name,
                          std::function<void(std::chrono::milliseconds)> set, std::string const& description);

/// The numbers that an option takes.
struct number_range {
    number_range(std::int64_t from = 0, std::int64_t to = std::numeric_limits<std::int64_t>::max())
        : least(from), most(to) {}

    std::int64_t least, most;
};

/// Reads the value of an option. @throws CLI::ValidationError
std::int64_t read_number(std::string const& option, std::string const& text, number_range range);

/// Adds an option that takes a whole number in this range, which the target must be able to hold.
template <class Target>
CLI::Option* add_number(CLI::App& command, std::string const& name, Target& target, number_range range,
                        std::string const& description) {
    auto const set = [&target, name, range](std::string const& text) {
        auto const number = read_number(name, text, range);
        if constexpr (std::integral<Target>)
            target = static_cast<Target>(number);
        else
            target = number;
    };
    return command.add_option_function<std::string>(name, set, description)->type_name("N");
}

/// Adds `-o`, which takes one of these formats; the first is the default.
void add_output_flag(CLI::App& command, std::string& format, std::vector<std::string> const& formats);

inline constexpr auto objects_of_file = "Read objects from this YAML or JSON file; - reads standard input";
inline constexpr auto objects_of_files = "Read objects from these YAML or JSON files; - reads standard input";

/// Adds the repeatable `--operator-flag NAME=VALUE`. The options must live as long as the command. `purpose` begins its
/// description.
void add_operator_flags(CLI::App& command, operator_options&,
                        std::string const& purpose = "Assume that the operator runs with this flag");
/// Adds the option --with.
void add_reference_files(CLI::App& command, std::vector<std::string>& files);

} // namespace kftrain::cli

#endif
