#include "cli/manifests/manifest_options.hpp"

#include <kftrain/kinds/registry.hpp>

#include <CLI/CLI.hpp>

namespace kftrain::cli {

void add_reference_files(CLI::App& command, std::vector<std::string>& files) {
    command
        .add_option("--with", files,
                    "Read objects to which the jobs refer, such as runtimes, from this YAML or JSON file; repeatable")
        ->type_name("FILE")
        ->allow_extra_args(false);
}

void add_operator_flags(CLI::App& command, operator_options& options, std::string const& purpose) {
    auto const read = [&options](std::vector<std::string> const& flags) {
        for (auto const& flag : flags)
            if (auto const r = read_operator_flag(options, flag.starts_with("--") ? flag : "--" + flag); !r)
                throw CLI::ValidationError("--operator-flag", r.error().detail.message);
    };
    command
        .add_option_function<std::vector<std::string>>("--operator-flag", read,
                                                       purpose + ", for example volcano-plugins=designed; repeatable")
        ->allow_extra_args(false)
        ->type_name("NAME=VALUE");
}

} // namespace kftrain::cli
