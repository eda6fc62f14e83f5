#include "job/programs/started_programs.hpp"

#include "base/is_one_of.hpp"
#include "base/whole_number.hpp"

#include <algorithm>
#include <span>

namespace kftrain {
namespace {

using argument_list = std::vector<std::string>;

std::string_view file_name(std::string_view path) noexcept { return path.substr(path.find_last_of('/') + 1); }

/// Scripts within scripts are read to this depth.
constexpr int deepest = 4;

/// A simple command of a script.
struct script_command {
    script_command() = default;

    argument_list arguments;
    bool in_background = false;
};

/// Splits a script into simple commands; enough for one-liners, not a parser of the language.
class script_reader {
public:
    explicit script_reader(std::string_view script, int depth = 0) : script_(script), depth_(depth) {}

    std::vector<script_command> read() {
        for (; at_ < script_.size(); ++at_) take(script_[at_]);
        end_command();
        return std::move(all_);
    }

private:
    char next() const { return at_ + 1 < script_.size() ? script_[at_ + 1] : '\0'; }

    void add(char c) {
        word_ += c;
        begun_ = true;
    }

    void end_word() {
        if (begun_) current_.arguments.push_back(word_);
        word_.clear();
        begun_ = false;
    }

    void end_command() {
        end_word();
        if (!current_.arguments.empty()) all_.push_back(std::move(current_));
        current_ = script_command();
    }

    void take(char c) {
        if (c == '\\' && quote_ != '\'') {
            auto const escaped = next();
            ++at_;
            if (escaped != '\n' && at_ < script_.size()) add(escaped);
        } else if ((c == '$' || c == '`') && quote_ != '\'' && take_substitution()) {
            return;
        } else if (quote_ != 0) {
            if (c == quote_)
                quote_ = 0;
            else
                word_ += c;
        } else if (c == '\'' || c == '"') {
            quote_ = c;
            begun_ = true;
        } else {
            take_unquoted(c);
        }
    }

    void take_unquoted(char c) {
        if (c == '#' && !begun_) {
            while (at_ + 1 < script_.size() && next() != '\n') ++at_;
        } else if (c == ' ' || c == '\t') {
            end_word();
        } else if (script_.substr(at_, 3) == "<<<") {
            for (char const part : script_.substr(at_, 3)) add(part);
            at_ += 2;
        } else if (c == '<' && next() == '<') {
            note_document();
        } else if (c == '&' && (next() == '>' || (begun_ && word_.ends_with('>')))) {
            word_ += c; // 2>&1 and &>file
        } else if (c == '&' && next() != '&') {
            end_word();
            current_.in_background = !current_.arguments.empty();
            end_command();
        } else if (c == '(' && begun_ && next() == ')') {
            word_.clear(); // the name of a function
            begun_ = false;
            ++at_;
        } else if (c == '\n' || c == ';' || c == '&' || c == '|' || c == ')' || (c == '(' && !begun_)) {
            if (c == '&') ++at_; // && waits for the command before it
            end_command();
            if (c == '\n') skip_documents();
        } else {
            add(c);
        }
    }

    /// Takes `$(COMMANDS)`, or commands in backquotes, as a part of the word. False if there are none.
    bool take_substitution() {
        bool const dollar = script_[at_] == '$';
        if (unclosed_ || (dollar && next() != '(')) return false;
        auto const begin = at_ + (dollar ? 2 : 1);
        auto const end = dollar ? closing_parenthesis(begin) : script_.find('`', begin);
        unclosed_ = end == script_.npos;
        if (unclosed_) return false;
        auto const inner = script_.substr(begin, end - begin);
        if (depth_ < deepest && !inner.starts_with('(') && !is_variable(inner))
            for (auto& command : script_reader(inner, depth_ + 1).read()) all_.push_back(std::move(command));
        word_ += script_.substr(at_, end + 1 - at_);
        begun_ = true;
        at_ = end;
        return true;
    }

    /// Kubernetes replaces `$(NAME)` before the shell sees it.
    static bool is_variable(std::string_view text) {
        return std::ranges::all_of(text,
                                   [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
    }

    std::size_t closing_parenthesis(std::size_t from) const {
        int open = 1;
        char quote = 0;
        for (auto i = from; i < script_.size(); ++i) {
            char const c = script_[i];
            if (c == '\\')
                ++i;
            else if (quote != 0)
                quote = c == quote ? '\0' : quote;
            else if (c == '\'' || c == '"')
                quote = c;
            else if (c == '(')
                ++open;
            else if (c == ')' && --open == 0)
                return i;
        }
        return script_.npos;
    }

    /// Notes the word that ends the document of `<<WORD`.
    void note_document() {
        end_word();
        auto const rest = script_.substr(at_);
        auto const begin = std::min(rest.find_first_not_of("<- \t'\"\\"), rest.size());
        auto const end = std::min(rest.find_first_of(" \t\n'\";|&<>)", begin), rest.size());
        if (begin < end) documents_.emplace_back(rest.substr(begin, end - begin));
        at_ += end - 1;
        if (end < rest.size() && (rest[end] == '\'' || rest[end] == '"')) ++at_;
    }

    void skip_documents() {
        for (auto const last : documents_)
            while (at_ < script_.size()) {
                auto const end = std::min(script_.find('\n', at_ + 1), script_.size());
                auto line = script_.substr(at_ + 1, end - at_ - 1);
                line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
                at_ = end;
                if (line == last) break;
            }
        documents_.clear();
    }

    std::string_view script_;
    int depth_ = 0;
    std::size_t at_ = 0;
    std::vector<script_command> all_;
    script_command current_;
    std::string word_;
    bool begun_ = false;
    char quote_ = 0;
    bool unclosed_ = false; ///< a substitution without an end was found; further ones are not looked for
    std::vector<std::string_view> documents_; ///< the last lines of the documents that begin in the next line
};

bool is_assignment(std::string_view word) {
    auto const equals = word.find('=');
    return equals != word.npos && equals != 0 && std::ranges::all_of(word.substr(0, equals), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
           });
}

/// The words from the program on, which others may start.
std::span<std::string const> without_prefixes(std::span<std::string const> all) {
    while (!all.empty()) {
        auto const name = file_name(all.front());
        if (is_one_of(name, {"timeout", "tini", "dumb-init"})) {
            all = all.subspan(1);
            while (!all.empty() && all.front().starts_with('-')) all = all.subspan(1);
            if (name == "timeout" && !all.empty()) all = all.subspan(1);
        } else if (is_assignment(all.front()) ||
                   is_one_of(name, {"exec", "env", "nohup", "time", "sudo", "if", "then", "else", "elif", "do", "while",
                                    "until", "!", "{", "(", "command"})) {
            all = all.subspan(1);
        } else {
            break;
        }
    }
    return all;
}

/// The script of `sh -c SCRIPT`, also with further options as in `bash -exc` and `bash -eo pipefail -c --`.
std::string const* script_of(std::span<std::string const> all) {
    if (all.empty() || !is_shell(all.front())) return nullptr;
    bool is_given = false;
    for (std::size_t i = 1; i < all.size(); ++i) {
        auto const& word = all[i];
        bool const is_option = word.size() > 1 && (word[0] == '-' || word[0] == '+') && word != "--";
        if (!is_option) {
            i += word == "--" ? 1 : 0;
            return is_given && i < all.size() ? &all[i] : nullptr;
        }
        if (word.starts_with("--")) continue;
        is_given = is_given || word.find('c') != word.npos;
        if (word.ends_with('o') || word.ends_with('O')) ++i;
    }
    return nullptr;
}

void add_programs(std::vector<started_program>& to, std::span<std::string const> written, bool in_background,
                  int depth) {
    auto const all = without_prefixes(written);
    if (all.empty()) return;
    if (auto const* const script = script_of(all); script != nullptr && depth < deepest) {
        for (auto const& command : script_reader(*script).read())
            add_programs(to, command.arguments, in_background || command.in_background, depth + 1);
        return;
    }
    auto& p = to.emplace_back();
    p.in_background = in_background;
    p.path = all.front();
    p.name = file_name(p.path);
    p.arguments.assign(all.begin() + 1, all.end());
}

argument_list argv_of(core::container const& c) {
    argument_list all = c.command;
    all.insert(all.end(), c.args.begin(), c.args.end());
    return all;
}

bool is_python(std::string_view name) noexcept { return name.starts_with("python"); }

/// Position of the script or of `-m` among the words of Python; the number of words if there is none.
std::size_t python_target(started_program const& p) noexcept {
    std::size_t i = 0;
    while (i < p.arguments.size() && p.arguments[i].starts_with('-') && p.arguments[i] != "-m" &&
           p.arguments[i] != "-c" && p.arguments[i] != "-")
        i += p.arguments[i] == "-X" || p.arguments[i] == "-W" ? 2 : 1;
    return std::min(i, p.arguments.size());
}

std::string_view python_module(started_program const& p) noexcept {
    auto const at = python_target(p);
    return at + 1 < p.arguments.size() && p.arguments[at] == "-m" ? std::string_view(p.arguments[at + 1])
                                                                  : std::string_view();
}

bool is_option(std::string_view word, std::string_view name) noexcept {
    word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
    return std::ranges::equal(word.substr(0, word.find('=')), name,
                              [](char a, char b) { return (a == '_' ? '-' : a) == (b == '_' ? '-' : b); });
}

/// Visits the options of torchrun itself, each with its value, which is null for a flag. Returns the position of the
/// script.
template <class Visit> std::size_t visit_torchrun(started_program const& p, Visit const& visit) {
    std::size_t i = p.name == "torchrun" ? 0 : python_target(p) + 2; // behind -m torch.distributed.run
    for (; i < p.arguments.size() && p.arguments[i].starts_with('-'); ++i) {
        auto const& word = p.arguments[i];
        bool is_flag = word.find('=') != word.npos;
        for (auto const* flag : {"standalone", "module", "m", "no-python", "run-path", "use-env", "virtual-local-rank"})
            is_flag = is_flag || is_option(word, flag);
        bool const has_value = !is_flag && i + 1 < p.arguments.size();
        visit(word, has_value ? &p.arguments[i + 1] : nullptr);
        if (has_value) ++i;
    }
    return i;
}

} // namespace

bool is_shell(std::string_view path) noexcept {
    return is_one_of(file_name(path), {"sh", "bash", "ash", "dash", "zsh", "ksh", "csh", "tcsh", "fish"});
}

bool mentions(core::container const& c, std::string_view text) noexcept {
    auto const has = [&](std::string const& word) { return word.find(text) != word.npos; };
    return std::ranges::any_of(c.command, has) || std::ranges::any_of(c.args, has);
}

std::vector<started_program> started_programs(core::container const& c) {
    return c.command.empty() ? std::vector<started_program>() : started_programs(argv_of(c));
}

std::vector<started_program> started_programs(std::vector<std::string> const& argv) {
    std::vector<started_program> all;
    add_programs(all, argv, false, 0);
    return all;
}

std::optional<lonely_program> lonely_program_of(core::container const& c) {
    if (c.command.empty()) return std::nullopt;
    auto const argv = argv_of(c);
    auto const all = without_prefixes(argv);
    auto const* const script = script_of(all);
    if (script == nullptr || script == &all.back()) return std::nullopt;
    bool const is_word = !script->empty() && script->find_first_of(" \t\n$`\"'\\;&|<>(){}*?[]#~=!") == script->npos;
    if (!is_word) return std::nullopt;
    lonely_program found;
    found.name = *script;
    found.arguments.assign(script + 1, all.data() + all.size());
    return found;
}

bool is_torchrun(started_program const& p) noexcept {
    return p.name == "torchrun" ||
           (is_python(p.name) && is_one_of(python_module(p), {"torch.distributed.run", "torch.distributed.launch",
                                                              "torch.distributed.launcher"}));
}

std::optional<std::string> python_script(started_program const& p) {
    auto const at = python_target(p);
    if (!is_python(p.name) || at == p.arguments.size() || p.arguments[at] == "-c" || p.arguments[at] == "-")
        return std::nullopt;
    if (p.arguments[at] != "-m") return p.arguments[at];
    auto const module = python_module(p);
    bool const launches =
        is_one_of(module.substr(0, module.find('.')), {"torch", "accelerate", "deepspeed", "horovod", "pip", "http"});
    if (module.empty() || launches) return std::nullopt;
    return "-m " + std::string(module);
}

std::optional<std::string> torchrun_option(started_program const& p, std::string_view name) {
    std::optional<std::string> value;
    visit_torchrun(p, [&](std::string_view word, std::string const* next) {
        auto const equals = word.find('=');
        if (!is_option(word, name)) return; // the last one counts
        value = equals != word.npos ? std::string(word.substr(equals + 1)) : next == nullptr ? std::string() : *next;
    });
    return value;
}

std::optional<node_range> torchrun_nodes(started_program const& p) {
    auto const value = torchrun_option(p, "nnodes");
    if (!value) return std::nullopt;
    auto const text = std::string_view(*value);
    auto const colon = text.find(':');
    auto const min = read_whole_number<std::int64_t>(text.substr(0, colon));
    auto const max = colon == text.npos ? min : read_whole_number<std::int64_t>(text.substr(colon + 1));
    if (!min || !max) return std::nullopt;
    node_range nodes;
    nodes.min = *min;
    nodes.max = *max;
    return nodes;
}

std::optional<started_program> plain_torchrun(core::container const& c) {
    std::optional<started_program> found;
    for (auto& p : started_programs(c)) {
        if (is_one_of(p.name, {"fi", "esac", "done", "[", "[[", "test"})) return std::nullopt;
        if (!is_torchrun(p)) continue;
        if (found || p.in_background) return std::nullopt;
        found = std::move(p);
    }
    return found;
}

std::optional<std::string> torchrun_script(started_program const& p) {
    bool module = false, program = false;
    auto const end = visit_torchrun(p, [&](std::string_view word, std::string const*) {
        module = module || is_option(word, "module") || is_option(word, "m");
        program = program || is_option(word, "no-python");
    });
    if (program || end >= p.arguments.size()) return std::nullopt;
    return (module ? "-m " : "") + p.arguments[end];
}

} // namespace kftrain
