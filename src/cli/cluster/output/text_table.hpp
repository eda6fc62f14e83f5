#ifndef KFTRAIN_SRC_CLI_CLUSTER_OUTPUT_TEXT_TABLE_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_OUTPUT_TEXT_TABLE_HPP

#include <string>
#include <utility>
#include <vector>

namespace kftrain::cli {

/// A table of text in columns. Control characters in cells are escaped. Columns whose cells are all empty are left out.
class text_table {
public:
    explicit text_table(std::vector<std::string> header) : rows_{std::move(header)} {}

    /// Adds a row with as many cells as the header.
    void add(std::vector<std::string> cells);
    bool empty() const noexcept { return rows_.size() == 1; }
    /// The table with a line break after each row.
    std::string to_string() const;

private:
    std::vector<std::vector<std::string>> rows_; ///< the header first
};

} // namespace kftrain::cli

#endif
