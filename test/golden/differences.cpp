#include "golden/differences.hpp"

#include "golden/recordings.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace golden {
namespace {

std::vector<std::string> texts(json::value const& v) {
    std::vector<std::string> result;
    if (v.is_string())
        result.emplace_back(v.get_string());
    else
        for (auto const& e : v.as_array()) result.emplace_back(e.as_string());
    return result;
}

known_difference read_entry(json::object const& o) {
    known_difference d;
    for (auto const& [key, value] : o) {
        if (key == "cases")
            d.cases = texts(value);
        else if (key == "checks")
            d.checks = texts(value);
        else if (key == "differs")
            d.differs = value.as_string();
        else if (key == "allow")
            d.allow = value.as_string();
        else if (key == "row")
            d.row = value.as_string();
        else
            throw std::runtime_error("unknown member " + std::string(key));
    }
    if (d.cases.empty() || d.row.empty()) throw std::runtime_error("cases and row must be given");
    if (d.differs.empty() == d.allow.empty()) throw std::runtime_error("either differs or allow must be given");
    return d;
}

} // namespace

bool glob_matches(std::string_view glob, std::string_view text) {
    if (glob.empty()) return text.empty();
    if (glob.front() != '*')
        return !text.empty() && glob.front() == text.front() && glob_matches(glob.substr(1), text.substr(1));
    for (std::size_t n = 0; n <= text.size(); ++n)
        if (glob_matches(glob.substr(1), text.substr(n))) return true;
    return false;
}

bool known_difference::is_about(std::string_view case_path, std::string_view check) const {
    auto const matches = [](std::vector<std::string> const& globs, std::string_view text) {
        return std::ranges::any_of(globs, [&](std::string const& g) { return glob_matches(g, text); });
    };
    return matches(cases, case_path) && (checks.empty() || matches(checks, check));
}

void known_difference::use(std::string_view case_path) const {
    ++used;
    for (auto const& glob : cases)
        if (glob_matches(glob, case_path)) needed.insert(glob);
}

std::vector<known_difference> read_differences(std::filesystem::path const& file) {
    std::vector<known_difference> result;
    json::value const list = read_json(file);
    std::size_t n = 0;
    try {
        for (auto const& e : list.as_array()) {
            result.push_back(read_entry(e.as_object()));
            ++n;
        }
    } catch (std::exception const& e) {
        throw std::runtime_error(file.string() + "[" + std::to_string(n) + "]: " + e.what());
    }
    return result;
}

} // namespace golden
