#include "cli/command_names.hpp"

#include "base/in_quotes.hpp"

#include <kftrain/model/nearest_name.hpp>

namespace kftrain::cli {

std::string unknown_command(CLI::App const& app) {
    auto const all = app.get_subcommands([](CLI::App const*) { return true; });
    auto const begun = app.get_subcommands();
    if (all.empty()) return {};
    if (!begun.empty()) return unknown_command(*begun.front());
    auto const left = app.remaining();
    if (left.empty() || left.front().starts_with('-')) return {};

    std::vector<std::string> names;
    for (auto const* command : all) names.push_back(command->get_name());
    std::vector<std::string_view> const views(names.begin(), names.end());
    std::string text = "unknown command " + in_quotes(left.front());
    if (auto const nearest = nearest_name(views, left.front()); !nearest.empty())
        return text.append("; did you mean \"").append(nearest).append("\"?");
    text += ", expected one of";
    for (auto const& name : names) text += (&name == &names.front() ? " " : ", ") + name;
    return text;
}

} // namespace kftrain::cli
