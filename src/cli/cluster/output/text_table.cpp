#include "cli/cluster/output/text_table.hpp"

#include "cli/commands.hpp"

#include <algorithm>

namespace kftrain::cli {
namespace {

/// Counts UTF-8 characters; each is taken as one column.
std::size_t width_of(std::string const& cell) {
    return static_cast<std::size_t>(
        std::ranges::count_if(cell, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

} // namespace

void text_table::add(std::vector<std::string> cells) {
    for (auto& cell : cells) cell = on_one_line(cell);
    cells.resize(rows_.front().size());
    rows_.push_back(std::move(cells));
}

std::string text_table::to_string() const {
    std::vector<std::size_t> widths(rows_.front().size(), 0);
    for (std::size_t r = 1; r < rows_.size(); ++r)
        for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], width_of(rows_[r][i]));
    // A column without cells stays only if the table has no rows.
    for (std::size_t i = 0; i < widths.size(); ++i)
        if (empty() || widths[i] != 0) widths[i] = std::max(widths[i], width_of(rows_.front()[i]));
    std::string text;
    for (auto const& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < widths.size(); ++i)
            if (widths[i] != 0) line.append(row[i]).append(widths[i] - width_of(row[i]) + 2, ' ');
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

} // namespace kftrain::cli
