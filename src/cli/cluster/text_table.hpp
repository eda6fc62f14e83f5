#ifndef KFTRAIN_SRC_CLI_CLUSTER_TEXT_TABLE_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_TEXT_TABLE_HPP

#include <string>
#include <utility>
#include <vector>

namespace kftrain::cli {

/** A table of text in columns. What servers say stays in its cell: control characters are shown as in JSON. Columns in which all
    cells are empty are left out. */
class text_table {
public:
    explicit text_table(std::vector<std::string> header) : rows_{std::move(header)} {}

    /// As many cells as the header has.
    void add(std::vector<std::string> cells);
    bool empty() const noexcept { return rows_.size() == 1; }
    /// With a line break behind each row.
    std::string to_string() const;

private:
    std::vector<std::vector<std::string>> rows_; ///< the header first
};

} // namespace kftrain::cli

#endif
