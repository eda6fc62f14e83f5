#include "local/kubelet/containers/container_command.hpp"

#include "local/dns/pod_names.hpp"
#include "local/kubelet/containers/container_security.hpp"

#include <map>

namespace kftrain::local {
namespace {

using values = std::map<std::string, std::string, std::less<>>;

/// Of execve(2): MAX_ARG_STRLEN without the NUL byte, and three quarters of the default stack, which no limit exceeds.
constexpr std::size_t longest_text = 131'071;
constexpr std::size_t all_texts = 6'291'456;

/// `$(NAME)` becomes the value, `$$` becomes `$`; a name that is not known stays as it is written. Ends early, with a
/// text longer than `limit`, when it becomes that long.
std::string expand(std::string_view text, values const& known, std::size_t limit) {
    std::string out;
    bool may_close = true; // one unsuccessful search is enough
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

    /// False if it is too much; failed() then has the reason. `name`: of the variable; empty: an argument.
    bool operator()(std::string_view text, std::string const& path, std::string_view name, std::string& out) {
        // A variable is passed on as NAME=value.
        auto const own = name.empty() ? 0 : name.size() + 1;
        auto const limit = longest_text - std::min(own, longest_text);
        out = expand(text, known_, limit);
        return count(out, path, name);
    }
    /// The same for a value that is as it is.
    bool count(std::string_view out, std::string const& path, std::string_view name) {
        auto const own = name.empty() ? 0 : name.size() + 1;
        auto const limit = longest_text - std::min(own, longest_text);
        auto const what = name.empty() ? std::string("the argument") : "variable \"" + std::string(name) + "\"";
        if (out.find('\0') != std::string_view::npos)
            return refuse(path, what + " contains a NUL byte, which cannot be passed to a program",
                          errc::invalid_argument);
        if (out.size() > limit)
            return refuse(path, what + " is longer than " + std::to_string(longest_text) +
                                    " bytes after expansion, and Linux passes no longer string to a program");
        total_ += own + out.size() + 1 + sizeof(char*);
        if (total_ > all_texts)
            return refuse(path, "with " + what + " arguments and environment take more than " +
                                    std::to_string(all_texts) + " bytes, and Linux passes no more to a program");
        return true;
    }
    failure const& failed() const noexcept { return failed_; }

private:
    bool refuse(std::string const& path, std::string message, errc code = errc::too_large) {
        failed_.code = code;
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

/// Puts the variables of whole objects into `known`, in their order; false if they cannot be had.
bool add_objects(core::container const& c, environment_sources const& from, expander& expanded, values& known,
                 failure& failed) {
    for (std::size_t i = 0; i < c.env_from.size(); ++i) {
        auto const variables = variables_of(c.env_from[i], from);
        if (!variables) {
            failed = variables.error();
            return false;
        }
        for (auto const& v : *variables) {
            if (!expanded.count(v.value, item("envFrom", i), v.name)) {
                failed = expanded.failed();
                return false;
            }
            known.insert_or_assign(v.name, std::string(v.value));
        }
    }
    return true;
}

/// The value of a variable; nothing if it is left out.
result<std::optional<std::string>> final_value(core::env_var const& v, std::string const& at, pod const& p,
                                               core::container const& own, environment_sources const* from,
                                               expander& expanded) {
    std::string text;
    if (!v.value.empty() || !v.value_from) {
        if (!expanded(v.value, at + ".value", v.name, text)) return expanded.failed();
        return std::optional(std::move(text));
    }
    if (from == nullptr) return std::optional<std::string>();
    auto value = value_of(*v.value_from, p, own, *from);
    if (value && *value && !expanded.count(**value, at + ".valueFrom", v.name)) return expanded.failed();
    return value;
}

} // namespace

result<container_command> command_of(pod const& p, core::container const& c, environment_sources const* from,
                                     image_config const* image) {
    values known; // only what the container names itself can be referred to
    expander expanded(known);
    failure failed;
    if (from != nullptr && !add_objects(c, *from, expanded, known, failed)) return failed;
    for (std::size_t i = 0; i < c.env.size(); ++i) {
        auto value = final_value(c.env[i], item("env", i), p, c, from, expanded);
        if (!value) return value.error();
        if (*value) known[c.env[i].name] = std::move(**value);
    }
    values env = known;
    for (auto const& variable : image == nullptr ? std::vector<std::string>() : image->env) {
        auto const equals = variable.find('=');
        env.emplace(variable.substr(0, equals), variable.substr(equals + 1));
    }
    env.insert(
        {{"PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}, {"HOSTNAME", host_name_of(p)}});
    // Otherwise the sandbox sets it to the home directory of that user.
    if (!rights_of(p, c, image).user) env.emplace("HOME", "/root");

    container_command result;
    std::string text;
    for (auto const& [name, value] : env) result.env.push_back(name + "=" + value);
    if (image != nullptr && c.command.empty()) {
        result.argv = image->entrypoint;
        if (c.args.empty()) result.argv.insert(result.argv.end(), image->cmd.begin(), image->cmd.end());
    }
    for (auto const* list : {&c.command, &c.args})
        for (std::size_t i = 0; i < list->size(); ++i) {
            if (!expanded((*list)[i], item(list == &c.command ? "command" : "args", i), {}, text))
                return expanded.failed();
            result.argv.push_back(text);
        }
    return result;
}

result<std::string> expand_sub_path(std::string_view text, std::vector<std::string> const& env) {
    values known;
    for (auto const& entry : env) {
        auto const equals = entry.find('=');
        known.insert_or_assign(entry.substr(0, equals), entry.substr(equals + 1));
    }
    for (auto at = text.find("$("); at != text.npos; at = text.find("$(", at + 2)) {
        auto const close = text.find(')', at);
        bool const escaped = at != 0 && text[at - 1] == '$';
        if (close == text.npos || escaped) continue;
        auto const name = text.substr(at + 2, close - at - 2);
        if (known.contains(name)) continue;
        failure f;
        f.code = errc::invalid_argument;
        f.detail.message = "missing value for \"" + std::string(name) + "\"";
        return f;
    }
    return expand(text, known, longest_text);
}

} // namespace kftrain::local
