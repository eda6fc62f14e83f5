#include "job/lint/container_lint.hpp"

#include "base/in_quotes.hpp"
#include "job/lint/torchrun_lint.hpp"
#include "job/programs/started_programs.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include <vector>

namespace kftrain {
namespace {

using enum issue::severity;

constexpr lint_rule shell_variable{"lint.shell-variable", warning,
                                   "Only a shell replaces $NAME. A program that a container starts without a shell "
                                   "receives the text as it is; Kubernetes itself replaces $(NAME)."};
constexpr lint_rule shell_arguments{"lint.shell-arguments", warning,
                                    "A shell with -c runs one word as its script. Further words are not arguments of "
                                    "the program in it: the script sees them as $0, $1 and so on."};
constexpr lint_rule torchrun_devices{"lint.torchrun-devices", warning,
                                     "Each process of torchrun needs its own device. With fewer devices than "
                                     "--nproc-per-node, processes fail or share a device."};
constexpr lint_rule memory_unit{"lint.memory-unit", warning,
                                "Memory without a suffix counts bytes, and m stands for thousandths of a byte. No "
                                "program runs in less than 1 MiB."};

constexpr std::array container_rules{shell_variable, shell_arguments, torchrun_devices, memory_unit};

bool is_name_character(char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

/// The first `$NAME` or `${NAME}` with a name in capital letters, as variables of operators have; else empty.
std::string_view variable_in(std::string_view word) {
    for (std::size_t at = word.find('$'); at != word.npos; at = word.find('$', at + 1)) {
        if (at != 0 && (word[at - 1] == '$' || word[at - 1] == '\\')) continue;
        bool const braces = at + 1 < word.size() && word[at + 1] == '{';
        auto const first = at + (braces ? 2 : 1);
        auto end = first;
        while (end < word.size() && is_name_character(word[end])) ++end;
        bool const closed = !braces || (end < word.size() && word[end] == '}');
        bool const begins_well = first < word.size() && (word[first] < '0' || word[first] > '9');
        if (closed && begins_well && end - first >= 2) return word.substr(at, end - at + (braces ? 1 : 0));
    }
    return {};
}

/// Whether the program or one that it starts may replace variables by itself.
bool replaces_variables(std::string const& word) {
    static constexpr std::array<std::string_view, 9> programs{"awk",      "gawk", "perl", "sed",   "ssh",
                                                              "envsubst", "su",   "eval", "expect"};
    std::string_view const name = std::string_view(word).substr(word.find_last_of('/') + 1);
    return is_shell(word) || std::ranges::find(programs, name) != programs.end();
}

/// Whether a word is code for an interpreter, in whose language `$` has a meaning of its own.
bool is_inline_code(std::span<std::string const> before) {
    static constexpr std::array<std::string_view, 8> interpreters{"Rscript", "R",     "ruby", "node",
                                                                  "nodejs",  "julia", "php",  "lua"};
    if (before.empty()) return false;
    std::string_view const option = before.back();
    bool const letters = option.size() > 1 && option.size() < 5 && option[0] == '-' && option[1] != '-';
    if (option != "--eval" && !(letters && (option.ends_with('c') || option.ends_with('e') || option == "-r")))
        return false;
    while (!before.empty() && before.back().starts_with('-')) before = before.first(before.size() - 1);
    if (before.empty()) return false;
    std::string_view const name = std::string_view(before.back()).substr(before.back().find_last_of('/') + 1);
    return name.starts_with("python") || std::ranges::find(interpreters, name) != interpreters.end();
}

void lint_variables(core::container const& c, std::string const& path, issues& found) {
    if (c.command.empty() || std::ranges::any_of(c.command, &replaces_variables) ||
        std::ranges::any_of(c.args, &replaces_variables))
        return;
    std::vector<std::string> before;
    for (auto const& [list, name] : {std::pair(&c.command, ".command["), std::pair(&c.args, ".args[")})
        for (std::size_t i = 0; i < list->size(); ++i) {
            bool const code = is_inline_code(before);
            before.push_back((*list)[i]);
            auto const variable = variable_in((*list)[i]);
            if (variable.empty() || code) continue;
            std::string plain;
            std::ranges::copy_if(variable, std::back_inserter(plain), is_name_character);
            return report(found, shell_variable, path + name + std::to_string(i) + "]",
                          in_quotes((*list)[i]) + " contains " + std::string(variable) +
                              ", which only a shell would replace, expected $(" + plain +
                              ") or a command that starts with sh -c");
        }
}

/// The word as a shell has to read it.
std::string shell_quoted(std::string const& word) {
    if (!word.empty() && word.find_first_of(" \t\n\"'\\;&|<>(){}*?[]#~`!") == word.npos) return word;
    std::string quoted = "'";
    for (char const c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

void lint_shell(core::container const& c, std::string const& path, issues& found) {
    auto const lonely = lonely_program_of(c);
    if (!lonely) return;
    std::string script = lonely->name;
    for (auto const& word : lonely->arguments) script += " " + shell_quoted(word);
    report(found, shell_arguments, path + (c.args.empty() ? ".command" : ".args"),
           "the shell runs " + in_quotes(lonely->name) +
               " without arguments, expected one word behind -c: " + in_quotes(script));
}

void lint_torchrun(core::container const& c, std::string const& path, issues& found) {
    if (auto const fault = processes_fault(c); !fault.empty())
        report(found, torchrun_devices, path + ".command", fault);
}

void lint_amounts(resource_list const& amounts, std::string const& path, issues& found) {
    constexpr std::int64_t least = 1 << 20;
    for (auto const* name : {"memory", "ephemeral-storage"}) {
        auto const at = amounts.find(name);
        if (at == amounts.end() || !quantity::parse(at->second.text())) continue;
        auto const& amount = at->second;
        if (amount.sign() <= 0 || amount.value() >= least) continue;
        auto const bytes = amount < quantity("1")    ? std::string("less than 1 byte")
                           : amount == quantity("1") ? std::string("1 byte")
                                                     : std::to_string(amount.value()) + " bytes";
        report(found, memory_unit, path + "[" + name + "]",
               in_quotes(amount.text()) + " is " + bytes + ", expected a suffix such as Mi or Gi");
    }
}

} // namespace

std::span<lint_rule const> container_lint_rules() noexcept { return container_rules; }

void lint_container(core::container const& c, std::string const& path, issues& found) {
    lint_variables(c, path, found);
    lint_shell(c, path, found);
    lint_torchrun(c, path, found);
    lint_amounts(c.resources.limits, path + ".resources.limits", found);
    lint_amounts(c.resources.requests, path + ".resources.requests", found);
}

} // namespace kftrain
