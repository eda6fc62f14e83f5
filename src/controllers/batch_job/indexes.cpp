#include "controllers/batch_job/indexes.hpp"

#include "base/whole_number.hpp"

#include <algorithm>
#include <optional>

namespace kftrain::controllers::batch_jobs {
namespace {

std::optional<std::int32_t> number(std::string_view text) {
    auto const n = read_whole_number<std::int32_t>(text);
    return n && *n >= 0 ? n : std::nullopt;
}

} // namespace

index_set index_set::parse(std::string_view text, std::int32_t end) {
    index_set found;
    while (!text.empty()) {
        auto const comma = text.find(',');
        auto const range = text.substr(0, comma);
        text = comma == text.npos ? std::string_view() : text.substr(comma + 1);
        auto const dash = range.find('-');
        auto const first = number(range.substr(0, dash));
        auto const last = dash == range.npos ? first : number(range.substr(dash + 1));
        if (first && last && *first < end) found.add(*first, std::min(*last, end - 1));
    }
    return found;
}

void index_set::add(std::int32_t first, std::int32_t last) {
    if (last < first) return;
    auto at = ranges_.upper_bound(first);
    if (at != ranges_.begin() && std::prev(at)->second >= first - 1) --at;
    while (at != ranges_.end() && at->first - 1 <= last) {
        first = std::min(first, at->first);
        last = std::max(last, at->second);
        at = ranges_.erase(at);
    }
    ranges_.emplace(first, last);
}

void index_set::add(index_set const& others) {
    for (auto const& [first, last] : others.ranges_) add(first, last);
}

bool index_set::has(std::int32_t index) const {
    auto const after = ranges_.upper_bound(index);
    return after != ranges_.begin() && std::prev(after)->second >= index;
}

std::int64_t index_set::size() const {
    std::int64_t sum = 0;
    for (auto const& [first, last] : ranges_) sum += std::int64_t{last} - first + 1;
    return sum;
}

std::int64_t index_set::common(index_set const& others) const {
    std::int64_t sum = 0;
    auto a = ranges_.begin(), b = others.ranges_.begin();
    while (a != ranges_.end() && b != others.ranges_.end()) {
        std::int64_t const overlap = std::int64_t{std::min(a->second, b->second)} - std::max(a->first, b->first) + 1;
        sum += std::max<std::int64_t>(overlap, 0);
        if (a->second < b->second)
            ++a;
        else
            ++b;
    }
    return sum;
}

std::int32_t index_set::next_absent(std::int32_t from) const {
    auto const after = ranges_.upper_bound(from);
    if (after == ranges_.begin() || std::prev(after)->second < from) return from;
    return std::prev(after)->second + 1;
}

std::string index_set::to_string() const {
    std::string text;
    for (auto const& [first, last] : ranges_) {
        if (!text.empty()) text += ',';
        text += std::to_string(first);
        if (last > first) text.append(last == first + 1 ? "," : "-").append(std::to_string(last));
    }
    return text;
}

} // namespace kftrain::controllers::batch_jobs
