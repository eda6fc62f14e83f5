#include "cli/cluster/output/text_table.hpp"

#include "base/code_points.hpp"
#include "cli/commands.hpp"

#include <algorithm>

namespace kftrain::cli {

void text_table::add(std::vector<std::string> cells) {
    for (auto& cell : cells) cell = on_one_line(cell);
    cells.resize(rows_.front().size());
    rows_.push_back(std::move(cells));
}

std::string text_table::to_string() const {
    // Each character counts as one column.
    std::vector<std::size_t> widths(rows_.front().size(), 0);
    for (std::size_t r = 1; r < rows_.size(); ++r)
        for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], characters_of(rows_[r][i]));
    // A column without cells stays only if the table has no rows.
    for (std::size_t i = 0; i < widths.size(); ++i)
        if (empty() || widths[i] != 0) widths[i] = std::max(widths[i], characters_of(rows_.front()[i]));
    std::string text;
    for (auto const& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < widths.size(); ++i)
            if (widths[i] != 0) line.append(row[i]).append(widths[i] - characters_of(row[i]) + 2, ' ');
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

} // namespace kftrain::cli
