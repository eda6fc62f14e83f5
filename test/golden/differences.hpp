#ifndef KFTRAIN_TEST_GOLDEN_DIFFERENCES_HPP
#define KFTRAIN_TEST_GOLDEN_DIFFERENCES_HPP

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace golden {

/// `*` stands for any text, also with slashes.
bool glob_matches(std::string_view glob, std::string_view text);

/// One entry of differences.json; README.md describes the members.
struct known_difference {
    known_difference() = default;

    std::vector<std::string> cases;       ///< globs of `<kind>/<group>/<case>`
    std::vector<std::string> checks;      ///< empty: all
    std::string differs;                  ///< glob of the first difference; or
    std::string allow;                    ///< what the comparison is to allow
    std::string row;                      ///< key in docs/reference/upstream-differences.md
    mutable std::size_t used = 0;         ///< cases for which it mattered
    mutable std::set<std::string> needed; ///< globs of `cases` that fitted these

    bool is_about(std::string_view case_path, std::string_view check) const;
    /// It mattered for this case.
    void use(std::string_view case_path) const;
};

/// The list; throws std::runtime_error, with the place, if it cannot be read.
std::vector<known_difference> read_differences(std::filesystem::path const&);

} // namespace golden

#endif
