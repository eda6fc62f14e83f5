#include "cli/option_values.hpp"

#include "base/joined.hpp"
#include "base/whole_number.hpp"
#include "cli/cluster/output/time_text.hpp"

#include <kftrain/kinds/registry.hpp>

#include <algorithm>
#include <span>

namespace kftrain::cli {
namespace {

std::string got(std::string const& text) { return ", got \"" + text + "\""; }

/// `text, json or yaml`
std::string alternatives(std::vector<std::string> const& choices) {
    if (choices.size() == 1) return choices.front();
    return joined(std::span(choices).first(choices.size() - 1), ", ") + " or " + choices.back();
}

std::string description_of(number_range range) {
    if (range.least == std::numeric_limits<std::int64_t>::min()) return "expected a whole number";
    if (range.most == std::numeric_limits<std::int64_t>::max())
        return "expected a whole number of at least " + std::to_string(range.least);
    return "expected a whole number from " + std::to_string(range.least) + " to " + std::to_string(range.most);
}

} // namespace

CLI::Option* add_choice(CLI::App& command, std::string const& names, std::function<void(std::string const&)> set,
                        std::vector<std::string> choices, std::string const& description) {
    auto const name = names.substr(names.rfind(',') + 1);
    auto const type = joined(choices, "|");
    auto const read = [name, set = std::move(set), choices = std::move(choices)](std::string const& text) {
        if (std::ranges::find(choices, text) == choices.end())
            throw CLI::ValidationError(name, "expected " + alternatives(choices) + got(text));
        set(text);
    };
    return command.add_option_function<std::string>(names, read, description)->type_name(type);
}

CLI::Option* add_choice(CLI::App& command, std::string const& names, std::string& target,
                        std::vector<std::string> choices, std::string const& description) {
    auto const set = [&target](std::string const& choice) { target = choice; };
    return add_choice(command, names, set, std::move(choices), description);
}

CLI::Option* add_duration(CLI::App& command, std::string const& name,
                          std::function<void(std::chrono::milliseconds)> set, std::string const& description) {
    auto const read = [name, set = std::move(set)](std::string const& text) {
        auto const time = read_time(text);
        if (!time) throw CLI::ValidationError(name, time.error().detail.message);
        set(*time);
    };
    return command.add_option_function<std::string>(name, read, description)->type_name("DURATION");
}

std::int64_t read_number(std::string const& option, std::string const& text, number_range range) {
    auto const number = read_whole_number<std::int64_t>(text);
    if (!number || *number < range.least || *number > range.most)
        throw CLI::ValidationError(option, description_of(range) + got(text));
    return *number;
}

void add_output_flag(CLI::App& command, std::string& format, std::vector<std::string> const& formats) {
    format = formats.front();
    add_choice(command, "-o,--output", format, formats, "Print the result in this format (default: " + format + ")");
}

void add_reference_files(CLI::App& command, std::vector<std::string>& files) {
    command
        .add_option("--with", files,
                    "Read objects to which the jobs refer, such as runtimes, from this YAML or JSON file; repeatable")
        ->type_name("FILE")
        ->allow_extra_args(false);
}

void add_operator_flags(CLI::App& command, operator_options& options, std::string const& purpose) {
    auto const read = [&options](std::vector<std::string> const& flags) {
        for (auto const& flag : flags) {
            if (flag.find('=') == std::string::npos)
                throw CLI::ValidationError("--operator-flag", "expected NAME=VALUE" + got(flag));
            if (auto const r = read_operator_flag(options, flag.starts_with("--") ? flag : "--" + flag); !r)
                throw CLI::ValidationError("--operator-flag", r.error().detail.message);
        }
    };
    command
        .add_option_function<std::vector<std::string>>("--operator-flag", read,
                                                       purpose + ", for example volcano-plugins=designed; repeatable")
        ->allow_extra_args(false)
        ->type_name("NAME=VALUE");
}

} // namespace kftrain::cli
