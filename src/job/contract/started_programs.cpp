#include "job/contract/started_programs.hpp"

#include "base/whole_number.hpp"

#include <algorithm>
#include <initializer_list>
#include <span>

namespace kftrain {
namespace {

using word_list = std::vector<std::string>;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> all) noexcept {
    return std::find(all.begin(), all.end(), word) != all.end();
}

std::string_view file_name(std::string_view path) noexcept { return path.substr(path.find_last_of('/') + 1); }

/// A simple command of a script.
struct script_command {
    script_command() = default;

    word_list words;
    bool in_background = false;
};

/// Splits a script into simple commands; enough for one-liners, not a parser of the language.
std::vector<script_command> commands_of(std::string_view script) {
    std::vector<script_command> all(1);
    std::string word;
    bool begun = false;
    auto const end_word = [&] {
        if (begun) all.back().words.push_back(word);
        word.clear();
        begun = false;
    };
    auto const end_command = [&] {
        end_word();
        if (!all.back().words.empty()) all.emplace_back();
    };
    char quote = 0;
    for (std::size_t i = 0; i < script.size(); ++i) {
        char const c = script[i];
        char const next = i + 1 < script.size() ? script[i + 1] : '\0';
        if (c == '\\' && quote != '\'') {
            ++i;
            if (next == '\n') continue;
            word += next;
            begun = true;
        } else if (quote != 0) {
            if (c == quote)
                quote = 0;
            else
                word += c;
        } else if (c == '\'' || c == '"') {
            quote = c;
            begun = true;
        } else if (c == '#' && !begun) {
            while (i + 1 < script.size() && script[i + 1] != '\n') ++i;
        } else if (c == ' ' || c == '\t') {
            end_word();
        } else if (c == '&' && (next == '>' || (begun && word.ends_with('>')))) {
            word += c; // 2>&1 and &>file
        } else if (c == '&' && next != '&') {
            end_word();
            all.back().in_background = !all.back().words.empty();
            end_command();
        } else if (c == '\n' || c == ';' || c == '&' || c == '|') {
            if (c == '&') ++i; // && waits for the command before it
            end_command();
        } else {
            word += c;
            begun = true;
        }
    }
    end_command();
    all.pop_back();
    return all;
}

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
        if (name == "timeout") {
            all = all.subspan(1);
            while (!all.empty() && all.front().starts_with('-')) all = all.subspan(1);
            if (!all.empty()) all = all.subspan(1);
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

/// The script of `sh -c SCRIPT`, also with further options as in `bash -exc`.
std::string const* script_of(std::span<std::string const> all) {
    if (all.empty() || !is_shell(all.front())) return nullptr;
    for (std::size_t i = 1; i + 1 < all.size() && all[i].starts_with('-'); ++i) {
        if (!all[i].starts_with("--") && all[i].ends_with('c')) return &all[i + 1];
        if (all[i] == "-o") ++i;
    }
    return nullptr;
}

void add_programs(std::vector<started_program>& to, std::span<std::string const> written, bool in_background,
                  int depth) {
    constexpr int deepest = 4;
    auto const all = without_prefixes(written);
    if (all.empty()) return;
    if (auto const* const script = script_of(all); script != nullptr && depth < deepest) {
        for (auto const& command : commands_of(*script))
            add_programs(to, command.words, in_background || command.in_background, depth + 1);
        return;
    }
    auto& p = to.emplace_back();
    p.in_background = in_background;
    p.name = file_name(all.front());
    p.words.assign(all.begin() + 1, all.end());
}

bool is_python(std::string_view name) noexcept { return name.starts_with("python"); }

/// Position of the script or of `-m` among the words of Python; the number of words if there is none.
std::size_t python_target(started_program const& p) noexcept {
    std::size_t i = 0;
    while (i < p.words.size() && p.words[i].starts_with('-') && p.words[i] != "-m" && p.words[i] != "-c" &&
           p.words[i] != "-")
        i += p.words[i] == "-X" || p.words[i] == "-W" ? 2 : 1;
    return std::min(i, p.words.size());
}

std::string_view python_module(started_program const& p) noexcept {
    auto const at = python_target(p);
    return at + 1 < p.words.size() && p.words[at] == "-m" ? std::string_view(p.words[at + 1]) : std::string_view();
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
    for (; i < p.words.size() && p.words[i].starts_with('-'); ++i) {
        auto const& word = p.words[i];
        bool is_flag = word.find('=') != word.npos;
        for (auto const* flag : {"standalone", "module", "m", "no-python", "run-path", "use-env", "virtual-local-rank"})
            is_flag = is_flag || is_option(word, flag);
        bool const has_value = !is_flag && i + 1 < p.words.size();
        visit(word, has_value ? &p.words[i + 1] : nullptr);
        if (has_value) ++i;
    }
    return i;
}

/// Whether an option of mpirun determines the hosts or the slots.
bool determines_slots(std::string_view option) {
    return is_one_of(option, {"H", "host", "hosts", "hostfile", "machinefile", "default-hostfile", "f", "app",
                              "configfile", "oversubscribe", "use-hwthread-cpus"});
}

/// The number of words behind an option of mpirun of Open MPI, PRRTE or Hydra that are its value; 0 for other words.
std::size_t values_of_mpirun(std::string_view option) {
    if (is_one_of(option, {"mca", "gmca", "omca", "prtemca", "pmixmca", "genv", "env"})) return 2;
    return is_one_of(option, {"np",
                              "n",
                              "c",
                              "x",
                              "N",
                              "npernode",
                              "npersocket",
                              "ppn",
                              "perhost",
                              "grr",
                              "map-by",
                              "rank-by",
                              "bind-to",
                              "binding",
                              "cpu-set",
                              "cpu-list",
                              "slot-list",
                              "cpus-per-proc",
                              "cpus-per-rank",
                              "rankfile",
                              "rf",
                              "am",
                              "tune",
                              "wdir",
                              "wd",
                              "gwdir",
                              "path",
                              "prefix",
                              "output",
                              "output-filename",
                              "stdin",
                              "timeout",
                              "report-pid",
                              "report-uri",
                              "launch-agent",
                              "personality",
                              "display",
                              "runtime-options",
                              "genvlist",
                              "envlist",
                              "iface",
                              "launcher",
                              "launcher-exec",
                              "bootstrap",
                              "bootstrap-exec",
                              "rmk",
                              "tmpdir",
                              "outfile-pattern",
                              "errfile-pattern"})
               ? 1
               : 0;
}

bool is_flag_of_mpirun(std::string_view option) {
    return is_one_of(option, {"allow-run-as-root",
                              "display-map",
                              "display-allocation",
                              "display-topo",
                              "display-devel-map",
                              "tag-output",
                              "timestamp-output",
                              "merge-stderr-to-stdout",
                              "nolocal",
                              "report-bindings",
                              "report-child-jobs-separately",
                              "verbose",
                              "v",
                              "q",
                              "quiet",
                              "l",
                              "bynode",
                              "byslot",
                              "bind-to-core",
                              "bind-to-socket",
                              "bind-to-none",
                              "nooversubscribe",
                              "continuous",
                              "enable-recovery",
                              "disable-recovery",
                              "do-not-launch",
                              "get-stack-traces",
                              "stop-on-exec",
                              "genvall",
                              "genvnone",
                              "envall",
                              "envnone",
                              "prepend-rank",
                              "print-all-exitcodes",
                              "rr"});
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
    std::vector<started_program> all;
    if (c.command.empty()) return all;
    word_list written = c.command;
    written.insert(written.end(), c.args.begin(), c.args.end());
    add_programs(all, written, false, 0);
    return all;
}

bool is_torchrun(started_program const& p) noexcept {
    return p.name == "torchrun" ||
           (is_python(p.name) && is_one_of(python_module(p), {"torch.distributed.run", "torch.distributed.launch",
                                                              "torch.distributed.launcher"}));
}

std::optional<std::string> python_script(started_program const& p) {
    auto const at = python_target(p);
    if (!is_python(p.name) || at == p.words.size() || p.words[at] == "-c" || p.words[at] == "-") return std::nullopt;
    if (p.words[at] != "-m") return p.words[at];
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
        if (value || !is_option(word, name)) return;
        value = equals != word.npos ? std::string(word.substr(equals + 1)) : next == nullptr ? std::string() : *next;
    });
    return value;
}

std::optional<std::string> torchrun_script(started_program const& p) {
    bool module = false, program = false;
    auto const end = visit_torchrun(p, [&](std::string_view word, std::string const*) {
        module = module || is_option(word, "module") || is_option(word, "m");
        program = program || is_option(word, "no-python");
    });
    if (program || end >= p.words.size()) return std::nullopt;
    return (module ? "-m " : "") + p.words[end];
}

bool is_mpirun(started_program const& p) noexcept {
    return is_one_of(p.name, {"mpirun", "mpirun.real", "mpiexec", "mpiexec.hydra", "orterun", "prterun"});
}

std::optional<std::int64_t> mpirun_processes(started_program const& p) {
    std::optional<std::int64_t> asked;
    for (std::size_t i = 0; i < p.words.size() && p.words[i].starts_with('-'); ++i) {
        std::string_view option = p.words[i];
        option.remove_prefix(std::min(option.find_first_not_of('-'), option.size()));
        if (option.find("OVERSUBSCRIBE") != option.npos) return std::nullopt; // as in --map-by=:OVERSUBSCRIBE
        if (determines_slots(option.substr(0, option.find('=')))) return std::nullopt;
        auto const values = std::min(values_of_mpirun(option), p.words.size() - i - 1);
        if (values == 0) {
            bool const ends = i + 1 == p.words.size() || p.words[i + 1].starts_with('-');
            if (ends || is_flag_of_mpirun(option) || option.find('=') != option.npos) continue;
            return std::nullopt; // the next word is its value or the program
        }
        auto const& value = p.words[i + 1];
        if (value.find("OVERSUBSCRIBE") != value.npos || value.find("oversubscribe") != value.npos) return std::nullopt;
        if (is_one_of(option, {"np", "n", "c"})) asked = read_whole_number<std::int64_t>(value);
        i += values;
    }
    bool const has_parts = std::ranges::find(p.words, ":") != p.words.end(); // each with a number of its own
    return has_parts ? std::nullopt : asked;
}

} // namespace kftrain
