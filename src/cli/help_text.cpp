#include "cli/help_text.hpp"

#include "base/in_quotes.hpp"
#include "base/joined.hpp"
#include "cli/commands.hpp"

#include <kftrain/model/nearest_name.hpp>

#include <algorithm>
#include <vector>

namespace kftrain::cli {
namespace {

constexpr std::size_t line_width = 96;  // of a line
constexpr std::size_t text_column = 30; // where descriptions begin

/// Breaks the text into lines of at most `line_width` columns; the first line begins at column `first`, the others at
/// `indent`.
std::string wrapped(std::string_view text, std::size_t first, std::size_t indent) {
    std::string out;
    std::size_t column = first;
    bool begins = true;
    while (!text.empty()) {
        if (text.front() == '\n') {
            out += '\n';
            text.remove_prefix(1);
            bool const blank = text.empty() || text.front() == '\n';
            if (!blank) out.append(indent, ' ');
            column = indent;
            begins = true;
            continue;
        }
        auto const word = text.substr(0, text.find_first_of(" \n"));
        if (!begins && column + 1 + word.size() > line_width) {
            out.append("\n").append(indent, ' ');
            column = indent;
            begins = true;
        }
        if (!begins) out += ' ';
        column += word.size() + (begins ? 0 : 1);
        out += word;
        begins = false;
        text.remove_prefix(word.size());
        if (text.starts_with(' ')) text.remove_prefix(1);
    }
    return out + '\n';
}

/// A line of two columns, such as an option and its description.
std::string two_columns(std::string const& left, std::string_view right) {
    std::string line = "  " + left;
    if (line.size() + 2 > text_column)
        line += '\n' + std::string(text_column, ' ');
    else
        line.append(text_column - line.size(), ' ');
    return line + wrapped(right, text_column, text_column);
}

std::string summary_of(CLI::App const& command) {
    auto const text = command.get_description();
    return text.substr(0, text.find('\n'));
}

/// `-n, --namespace NAME`
std::string spelled(CLI::Option const& option) {
    std::string text;
    auto const add = [&](std::string const& name) { text += (text.empty() ? "" : ", ") + name; };
    for (auto const& name : option.get_snames()) add("-" + name);
    for (auto const& name : option.get_lnames()) add("--" + name);
    if (option.get_type_size() != 0) text += " " + option.get_type_name();
    return text;
}

/// The shortest spelling, with the value: `-f FILE`.
std::string short_form(CLI::Option const& option) {
    auto const name =
        option.get_snames().empty() ? "--" + option.get_lnames().front() : "-" + option.get_snames().front();
    return option.get_type_size() == 0 ? name : name + " " + option.get_type_name();
}

/// `FILE`, `[KIND...]`, or `(JOB... | -f FILE)` where one of the two is required.
std::string usage_of(CLI::Option const& positional) {
    if (auto const& text = positional.get_option_text(); !text.empty()) return text;
    std::string name = positional.get_name(true, false);
    if (positional.get_expected_max() >= CLI::detail::expected_max_vector_size) name += "...";
    auto const others = positional.get_excludes(); // in the order of addresses
    auto const first = std::ranges::min_element(others, {}, [](CLI::Option const* o) { return short_form(*o); });
    if (first != others.end()) return "(" + name + " | " + short_form(**first) + ")";
    return positional.get_required() ? name : "[" + name + "]";
}

std::vector<CLI::App const*> commands_of(CLI::App const& app) {
    return app.get_subcommands([](CLI::App const* c) { return !c->get_name().empty(); });
}

std::string usage_line(CLI::App const& app, std::string const& name) {
    std::string text = "Usage: " + name + " [OPTIONS]";
    for (auto const* option :
         app.get_options([](CLI::Option const* o) { return o->nonpositional() && o->get_required(); }))
        text += " " + short_form(*option);
    for (auto const* positional : app.get_options([](CLI::Option const* o) { return o->get_positional(); }))
        text += " " + usage_of(*positional);
    if (!commands_of(app).empty()) text += " COMMAND";
    return text + "\n";
}

/// Replaces `from`, which is part of the text.
std::string replaced(std::string text, std::string_view from, std::string_view to) {
    auto const at = text.find(from);
    return at == text.npos ? text : text.replace(at, from.size(), to);
}

/// The texts of CLI11 in the style of the other messages.
std::string fault_of(CLI::ParseError const& error) {
    std::string text = error.what();
    if (dynamic_cast<CLI::ExcludesError const*>(&error) != nullptr)
        return replaced(std::move(text), " excludes ", " cannot be combined with ");
    if (dynamic_cast<CLI::ExtrasError const*>(&error) != nullptr)
        return replaced(replaced(std::move(text), "The following argument was not expected", "unexpected argument"),
                        "The following arguments were not expected", "unexpected arguments");
    if (text == "A subcommand is required") return "expected a command, got none";
    if (dynamic_cast<CLI::ArgumentMismatch const*>(&error) == nullptr) return text;
    if (text.ends_with(" missing")) {
        text.erase(text.rfind(' '));
        return replaced(std::move(text), ": 1 required ", ": expected ") + ", got nothing";
    }
    return replaced(std::move(text), ": At Most 1 required but received ", ": expected one value, got ");
}

} // namespace

std::string help_formatter::make_help(CLI::App const* app, std::string name, CLI::AppFormatMode /*mode*/) const {
    std::string text = wrapped(app->get_description(), 0, 0) + "\n" + usage_line(*app, name);
    auto const positionals = app->get_options([](CLI::Option const* o) { return o->get_positional(); });
    if (!positionals.empty()) text += "\nArguments:\n";
    for (auto const* o : positionals) text += two_columns(o->get_name(true, false), o->get_description());
    for (auto const& group : app->get_groups()) {
        auto const options =
            app->get_options([&](CLI::Option const* o) { return o->get_group() == group && o->nonpositional(); });
        if (group.empty() || options.empty()) continue;
        text += "\n" + group + ":\n";
        for (auto const* o : options) text += two_columns(spelled(*o), o->get_description());
    }
    std::vector<std::string> groups;
    for (auto const* command : commands_of(*app))
        if (std::ranges::find(groups, command->get_group()) == groups.end()) groups.push_back(command->get_group());
    for (auto const& group : groups) {
        text += "\n" + group + ":\n";
        for (auto const* command : commands_of(*app))
            if (command->get_group() == group) text += two_columns(command->get_name(), summary_of(*command));
    }
    return text + app->get_footer();
}

void add_footer(CLI::App& command, exit_codes const& codes, std::initializer_list<help_example> examples) {
    std::string text;
    if (!codes.empty()) text += "\nExit codes:\n";
    for (auto const& [code, meaning] : codes) {
        auto const number = std::to_string(code);
        text += "  " + number + std::string(5 - number.size(), ' ') + wrapped(meaning, 7, 7);
    }
    text += "\nExamples:\n";
    for (auto const& [purpose, line] : examples)
        text.append("  # ").append(purpose).append("\n  ").append(line).append("\n");
    command.footer(text);
}

void add_cluster_footer(CLI::App& command, exit_codes codes, std::initializer_list<help_example> examples) {
    codes.insert({{bad_usage, "The arguments cannot be used."},
                  {cluster_failed, "The cluster cannot be reached or refused the request."},
                  {timed_out, "The time limit expired."}});
    add_footer(command, codes, examples);
}

std::string usage_fault(CLI::App const& app, CLI::ParseError const& error) {
    std::string command = app.get_name();
    for (auto begun = app.get_subcommands(); !begun.empty(); begun = begun.front()->get_subcommands())
        command += " " + begun.front()->get_name();
    return fault_of(error) + "; see \"" + command + " --help\"";
}

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
    return text + ", expected one of " + joined(names, ", ");
}

} // namespace kftrain::cli
