#include "local/container_command.hpp"

#include "local/pod_names.hpp"

#include <map>

namespace kftrain::local {
namespace {

using values = std::map<std::string, std::string, std::less<>>;

/// Of execve(2): MAX_ARG_STRLEN without the NUL byte, and three quarters of the default stack, which no limit exceeds.
constexpr std::size_t longest_text = 131'071;
constexpr std::size_t all_texts = 6'291'456;

/// `$(NAME)` becomes the value, `$$` becomes `$`; a name that is not known stays as it is written. Ends early, with a text
/// longer than `limit`, when it becomes that long.
std::string expand(std::string_view text, values const& known, std::size_t limit) {
    std::string out;
    bool may_close = true; // looked for in vain once is enough
    for (std::size_t i = 0; i < text.size() && out.size() <= limit; ++i) {
        if (text[i] != '$' || i + 1 == text.size()) {
            out += text[i];
            continue;
        }
        if (text[i + 1] == '$') {
            out += '$';
            ++i;
            continue;
        }
        auto const close = may_close && text[i + 1] == '(' ? text.find(')', i) : std::string_view::npos;
        if (text[i + 1] == '(' && close == std::string_view::npos) may_close = false;
        if (close == std::string_view::npos) {
            out += '$';
            continue;
        }
        auto const it = known.find(text.substr(i + 2, close - i - 2));
        out += it == known.end() ? text.substr(i, close - i + 1) : std::string_view(it->second);
        i = close;
    }
    return out;
}

/// Expands one text after another and counts them.
class expander {
public:
    explicit expander(values const& known) : known_(known) {}

    /// False if it is too much, and then failed() says why. `name`: of the variable; empty: an argument.
    bool operator()(std::string_view text, std::string const& path, std::string_view name, std::string& out) {
        // A variable is passed on as NAME=value.
        auto const own = name.empty() ? 0 : name.size() + 1;
        auto const limit = longest_text - std::min(own, longest_text);
        out = expand(text, known_, limit);
        auto const what = name.empty() ? std::string("the argument") : "variable \"" + std::string(name) + "\"";
        if (out.size() > limit)
            return refuse(path, what + " is longer than " + std::to_string(longest_text) +
                                    " bytes when it is expanded, more than Linux passes to a program in one string");
        total_ += own + out.size() + 1 + sizeof(char*);
        if (total_ > all_texts)
            return refuse(path, "with " + what + " arguments and environment take more than " +
                                    std::to_string(all_texts) + " bytes, more than Linux passes to a program");
        return true;
    }
    failure const& failed() const noexcept { return failed_; }

private:
    bool refuse(std::string const& path, std::string message) {
        failed_.code = errc::too_large;
        failed_.detail.path = path;
        failed_.detail.message = std::move(message);
        return false;
    }

    values const& known_;
    std::size_t total_ = 0;
    failure failed_;
};

std::string item(std::string_view list, std::size_t i) {
    return std::string(list).append("[").append(std::to_string(i)).append("]");
}

} // namespace

result<container_command> command_of(pod const& p, container const& c) {
    values known; // only what the container names itself can be referred to
    expander expanded(known);
    std::string text;
    for (std::size_t i = 0; i < c.env.size(); ++i) {
        if (!expanded(c.env[i].value, item("env", i) + ".value", c.env[i].name, text)) return expanded.failed();
        known[c.env[i].name] = text;
    }
    values env = known;
    env.insert({{"PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
                {"HOME", "/root"},
                {"HOSTNAME", host_name_of(p)}});

    container_command result;
    for (auto const& [name, value] : env) result.env.push_back(name + "=" + value);
    for (auto const* list : {&c.command, &c.args})
        for (std::size_t i = 0; i < list->size(); ++i) {
            if (!expanded((*list)[i], item(list == &c.command ? "command" : "args", i), {}, text))
                return expanded.failed();
            result.argv.push_back(text);
        }
    return result;
}

} // namespace kftrain::local
