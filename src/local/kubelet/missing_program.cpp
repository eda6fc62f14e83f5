#include "local/kubelet/missing_program.hpp"

#include "base/debian_packages.hpp"

#include <unistd.h>

#include <algorithm>

namespace kftrain::local {
namespace {

constexpr std::string_view shells[]{"sh", "bash", "dash", "ash"};
/// Words behind which a command follows.
constexpr std::string_view openers[]{"if", "then", "else", "elif", "do", "while", "until", "!", "exec", "time", "{"};
constexpr std::string_view separators = ";&|()`\n";

std::string_view file_name_of(std::string_view path) {
    auto const slash = path.rfind('/');
    return slash == path.npos ? path : path.substr(slash + 1);
}

bool is_among(std::string_view word, auto const& words) { return std::ranges::find(words, word) != std::end(words); }

bool is_assignment(std::string_view word) {
    auto const equals = word.find('=');
    return equals != word.npos && equals != 0 && word.find_first_of("\"'$/") > equals;
}

/// The words of a script at which commands begin. Quoted texts are not looked at.
std::vector<std::string> commands_in(std::string_view script) {
    std::vector<std::string> commands;
    std::string word;
    char quote = 0;
    bool expected = true;
    auto const finish = [&] {
        if (word.empty()) return;
        if (expected && !is_among(word, openers) && !is_assignment(word)) {
            commands.push_back(word);
            expected = false;
        }
        if (is_among(word, openers)) expected = true;
        word.clear();
    };
    for (std::size_t i = 0; i < script.size(); ++i) {
        char const c = script[i];
        if (quote != 0) {
            if (c == quote) quote = 0;
            word += c;
        } else if (c == '\'' || c == '"') {
            quote = c;
            word += c;
        } else if (separators.find(c) != separators.npos) {
            finish();
            expected = true;
        } else if (c == ' ' || c == '\t') {
            finish();
        } else if (c == '#' && word.empty()) {
            i = std::min(script.find('\n', i), script.size()) - 1;
        } else {
            word += c;
        }
    }
    finish();
    return commands;
}

/// Whether a script deals with the absence of a program itself: it looks for it, installs it or defines it.
bool handles_absence(std::string_view script, std::string_view program) {
    std::string const name(program);
    for (auto const& text : {"command -v " + name, "which " + name, "type " + name, "hash " + name, name + "()"})
        if (script.find(text) != script.npos) return true;
    for (std::string_view const installer : {"apt-get", "apt ", "apk add", "yum ", "dnf ", "pip install", "conda "})
        if (script.find(installer) != script.npos) return true;
    return false;
}

} // namespace

std::string missing_program(std::vector<std::string> const& argv, program_exists const& exists) {
    if (argv.empty() || argv.front().empty()) return {};
    if (!exists(argv.front())) return argv.front();
    bool const script = argv.size() > 2 && is_among(file_name_of(argv[0]), shells) && argv[1].starts_with('-') &&
                        argv[1].ends_with('c');
    if (!script) return {};
    for (auto const& word : commands_in(argv[2]))
        if (!debian_package_of(word).empty() && !handles_absence(argv[2], word) && !exists(word)) return word;
    return {};
}

bool is_on_this_machine(std::string const& program, std::vector<std::string> const& environment) {
    auto const runs = [](std::string const& path) { return ::access(path.c_str(), X_OK) == 0; };
    // The path may lead into a volume, which only the container sees.
    if (program.find('/') != std::string::npos) return true;
    constexpr std::string_view key = "PATH=";
    std::string_view path;
    for (auto const& variable : environment)
        if (variable.starts_with(key)) path = std::string_view(variable).substr(key.size());
    while (!path.empty()) {
        auto const end = std::min(path.find(':'), path.size());
        auto const folder = path.substr(0, end);
        path.remove_prefix(std::min(end + 1, path.size()));
        if (runs(std::string(folder.empty() ? "." : folder) + "/" + program)) return true;
    }
    return false;
}

std::string missing_program_message(std::string_view container, std::string_view program) {
    std::string text = "container ";
    text.append(container).append(" runs ").append(program).append(
        ", which is not installed on this machine (images are not used)");
    if (auto const package = debian_package_of(program); !package.empty())
        text.append(": install the Debian package ").append(package);
    return text;
}

} // namespace kftrain::local
