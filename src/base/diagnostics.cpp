#include <kftrain/base/diagnostics.hpp>

#include <boost/throw_exception.hpp>

#include <range/v3/range/conversion.hpp>
#include <range/v3/view/filter.hpp>
#include <range/v3/view/join.hpp>
#include <range/v3/view/transform.hpp>

#include <algorithm>

namespace kftrain {

std::string failure::to_string() const {
    std::string text;
    if (!detail.path.empty()) text += detail.path + ": ";
    text += detail.message.empty() ? code.message() : detail.message;
    if (detail.line != 0)
        text += " (line " + std::to_string(detail.line) + ", column " + std::to_string(detail.column) + ")";
    return text;
}

error::error(failure f) : system_error(f.code), text_(f.to_string()), detail_(std::move(f.detail)) {}
error::~error() = default;

void throw_exception_from_error(failure const& f, boost::source_location const& where) {
    boost::throw_exception(error(f), where);
}

namespace {

bool is_error(issue const& i) noexcept { return i.level == issue::severity::error; }

} // namespace

std::string_view to_string(issue::severity s) noexcept {
    switch (s) {
    case issue::severity::error: return "error";
    case issue::severity::warning: return "warning";
    case issue::severity::info: return "info";
    }
    return "error";
}

bool has_errors(issues const& list) noexcept { return std::any_of(list.begin(), list.end(), is_error); }

std::string join_errors(issues const& list, std::string_view separator) {
    return list | ranges::views::filter(is_error) | ranges::views::transform(&issue::message) |
           ranges::views::join(separator) | ranges::to<std::string>();
}

} // namespace kftrain
