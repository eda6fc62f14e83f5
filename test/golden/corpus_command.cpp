// kftrain-corpus: compares what kftrain does with recordings of a real operator. See README.md.

#include "golden/checks/checks.hpp"
#include "golden/differences.hpp"
#include "golden/kinds/recorded_kind.hpp"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>

namespace {

using namespace golden;

constexpr char usage[] =
    "usage: kftrain-corpus [option ...] PATH ...\n"
    "\n"
    "Compares kftrain with recorded cases: folders that hold a case.json, at any depth, and packed files (*.jsonl).\n"
    "Prints a line for each case that differs, with the place of the first difference. Exit code 1 if a case differs\n"
    "that the list of known differences does not name, or if an entry of the list is no longer needed.\n"
    "\n"
    "  --check NAME         compare only this; may be repeated: admission, render, plan; admission, operator\n"
    "  --through operator   let an API server and an operator in the process do the work\n"
    "  --case GLOB          only cases whose <kind>/<group>/<case> matches\n"
    "  --differences FILE   the list of known differences; default: the one of the source tree\n"
    "  --strict             no known differences at all\n"
    "  --list-differences   also say which entries of the list were needed, and how often\n"
    "  -v, --verbose        print a line for equal cases, too\n";

/// In the order in which they explain each other.
constexpr check pure_checks[] = {{"admission", &check_admission}, {"render", &check_render}, {"plan", &check_plan}};
constexpr check operator_checks[] = {{"admission", &check_served_admission}, {"operator", &check_operator}};

struct settings {
    settings() = default;

    std::vector<std::filesystem::path> paths;
    std::vector<std::string> checks;
    std::string only = "*";
    std::filesystem::path differences = std::filesystem::path(KFTRAIN_SOURCE_DIR) / "test/golden/differences.json";
    bool through_operator = false, strict = false, list = false, verbose = false;
};

std::optional<settings> read_arguments(int argc, char** argv) {
    settings s;
    for (int i = 1; i < argc; ++i) {
        std::string const a = argv[i];
        auto const value = [&]() -> std::string {
            if (i + 1 == argc) throw std::runtime_error(a + ": needs a value");
            return argv[++i];
        };
        if (a == "-h" || a == "--help") return std::nullopt;
        if (a == "--check")
            s.checks.push_back(value());
        else if (a == "--through") {
            s.through_operator = true;
            if (auto const v = value(); v != "operator") throw std::runtime_error("--through " + v + ": only operator");
        } else if (a == "--case")
            s.only = value();
        else if (a == "--differences")
            s.differences = value();
        else if (a == "--strict")
            s.strict = true;
        else if (a == "--list-differences")
            s.list = true;
        else if (a == "-v" || a == "--verbose")
            s.verbose = true;
        else if (a.starts_with("-"))
            throw std::runtime_error(a + ": no such option");
        else
            s.paths.emplace_back(a);
    }
    if (s.paths.empty()) throw std::runtime_error("at least one path must be given");
    return s;
}

std::vector<check> chosen_checks(settings const& s) {
    std::vector<check> result;
    std::span<check const> const all = s.through_operator ? std::span<check const>(operator_checks) : pure_checks;
    for (auto const& c : all)
        if (s.checks.empty() || std::ranges::find(s.checks, c.name) != s.checks.end()) result.push_back(c);
    for (auto const& name : s.checks)
        if (std::ranges::find(result, name, &check::name) == result.end())
            throw std::runtime_error("--check " + name + ": no such check");
    return result;
}

class runner {
public:
    runner(settings const& s, std::vector<check> checks) : settings_(s), checks_(std::move(checks)) {
        if (!s.strict) known_ = read_differences(s.differences);
    }

    void run(recorded_case const& c) {
        ++cases_;
        for (auto const& check : checks_) {
            auto const difference = compare(c, check);
            if (difference.empty()) continue;
            ++differ_;
            auto const* reason = reason_of(c, check, difference);
            if (reason == nullptr) ++unknown_;
            std::cout << c.path() << ": " << difference
                      << (reason != nullptr ? " (on purpose: " + reason->row + ")" : "") << '\n';
            return;
        }
        if (settings_.verbose) std::cout << c.path() << ": equal\n";
    }

    /// The exit code.
    int conclude() {
        bool stale = false;
        for (auto const& k : known_) {
            if (settings_.list && k.used != 0)
                std::cout << k.row << ": " << k.used << " cases " << (k.allow.empty() ? "differ" : "need " + k.allow)
                          << '\n';
            for (auto const& glob : k.cases)
                if (touched_.contains({&k, glob}) && !k.needed.contains(glob)) {
                    stale = true;
                    std::cout << "known difference without a case: " << k.row << " " << glob << " " << k.differs
                              << k.allow << '\n';
                }
        }
        std::cout << cases_ << " cases, " << cases_ - differ_ << " equal, " << differ_ << " differ\n";
        return unknown_ != 0 || stale || cases_ == 0 ? 1 : 0;
    }

private:
    /// Compares strictly first, so that it is known which allowances are needed.
    std::string compare(recorded_case const& c, check const& what) {
        auto difference = attempt(c, what, {});
        allowances allowed;
        for (auto const& k : known_)
            if (k.is_about(c.path(), what.name)) {
                for (auto const& glob : k.cases)
                    if (glob_matches(glob, c.path())) touched_.insert({&k, glob});
                if (!k.allow.empty()) allowed.insert(k.allow);
            }
        if (difference.empty() || allowed.empty()) return difference;
        difference = attempt(c, what, allowed);
        for (auto const& k : known_) {
            if (k.allow.empty() || !k.is_about(c.path(), what.name)) continue;
            auto others = allowed;
            others.erase(k.allow);
            if (attempt(c, what, others) != difference) k.use(c.path());
        }
        return difference;
    }

    static std::string attempt(recorded_case const& c, check const& what, allowances const& allowed) {
        try {
            return what.run(c, allowed);
        } catch (std::exception const& e) {
            return std::string(what.name) + ": " + e.what();
        }
    }

    known_difference const* reason_of(recorded_case const& c, check const& what, std::string const& difference) const {
        for (auto const& k : known_)
            if (!k.differs.empty() && k.is_about(c.path(), what.name) && glob_matches(k.differs, difference)) {
                k.use(c.path());
                return &k;
            }
        return nullptr;
    }

    settings const& settings_;
    std::vector<check> checks_;
    std::vector<known_difference> known_;
    std::set<std::pair<known_difference const*, std::string>> touched_; ///< globs of which a case was compared
    std::size_t cases_ = 0, differ_ = 0, unknown_ = 0;
};

} // namespace

int main(int argc, char** argv) {
    try {
        auto const s = read_arguments(argc, argv);
        if (!s) {
            std::cout << usage;
            return 0;
        }
        runner r(*s, chosen_checks(*s));
        for (auto const& path : s->paths)
            for (auto& c : read_recordings(path)) {
                golden::write_applies_as_creations(c);
                if (glob_matches(s->only, c.path())) r.run(c);
            }
        return r.conclude();
    } catch (std::exception const& e) {
        std::cerr << "kftrain-corpus: " << e.what() << '\n';
        return 2;
    }
}
