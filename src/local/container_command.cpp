#include "local/container_command.hpp"

#include <map>

namespace kftrain::local {
namespace {

using values = std::map<std::string, std::string, std::less<>>;

/// `$(NAME)` becomes the value, `$$` becomes `$`; a name that is not known stays as it is written.
std::string expand(std::string_view text, values const& known) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '$' || i + 1 == text.size()) {
            out += text[i];
        } else if (text[i + 1] == '$') {
            out += '$';
            ++i;
        } else if (auto const close = text.find(')', i); text[i + 1] == '(' && close != std::string_view::npos) {
            auto const name = text.substr(i + 2, close - i - 2);
            auto const it = known.find(name);
            out += it == known.end() ? text.substr(i, close - i + 1) : std::string_view(it->second);
            i = close;
        } else {
            out += '$';
        }
    }
    return out;
}

} // namespace

container_command command_of(pod const& p, container const& c) {
    values known; // only what the container names itself can be referred to
    for (auto const& v : c.env) known[v.name] = expand(v.value, known);
    values env = known;
    env.insert({{"PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
                {"HOME", "/root"},
                {"HOSTNAME", p.spec.hostname.empty() ? p.metadata.name : p.spec.hostname}});

    container_command result;
    for (auto const& [name, value] : env) result.env.push_back(name + "=" + value);
    for (auto const& word : c.command) result.argv.push_back(expand(word, known));
    for (auto const& word : c.args) result.argv.push_back(expand(word, known));
    return result;
}

} // namespace kftrain::local
