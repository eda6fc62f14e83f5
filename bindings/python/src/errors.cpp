#include "errors.hpp"

#include <boost/asio/error.hpp>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <string_view>

namespace kftrain::python {
namespace {

namespace py = pybind11;

/// The enumerators of errc, in their order.
constexpr std::array<std::string_view, 23> code_names{
    "syntax",          "type_mismatch", "out_of_range",   "unknown_field",   "duplicate_field",
    "too_deep",        "too_large",     "wrong_kind",     "unknown_kind",    "invalid_argument",
    "invalid_job",     "timeout",       "deleted",        "connection_lost", "protocol",
    "would_deadlock",  "not_supported", "helper_failed",  "incomplete",      "unreachable",
    "already_running", "ended",         "leadership_lost"};
static_assert(static_cast<std::size_t>(errc::leadership_lost) == code_names.size());

std::string code_name(error_code ec) {
    auto const value = static_cast<std::size_t>(ec.value());
    if (ec.category() == client_category() && value >= 1 && value <= code_names.size())
        return std::string(code_names[value - 1]);
    if (ec.category() == server_category()) return std::string(to_string(static_cast<reason>(ec.value())));
    if (ec.category() == boost::system::system_category() || ec.category() == boost::system::generic_category()) {
        auto const names = py::module_::import("errno").attr("errorcode").cast<py::dict>();
        if (names.contains(ec.value())) return names[py::int_(ec.value())].cast<std::string>();
    }
    return std::string(ec.category().name()) + ":" + std::to_string(ec.value());
}

/// The name of the class in `kftrain._errors`.
char const* class_of(error_code ec) {
    if (is_not_found(ec)) return "NotFound";
    if (is_already_exists(ec)) return "AlreadyExists";
    if (is_conflict(ec)) return "Conflict";
    if (is_forbidden(ec)) return "Forbidden";
    if (is_unauthorized(ec)) return "Unauthorized";
    if (is_invalid(ec)) return "Invalid";
    if (is_too_many_requests(ec)) return "TooManyRequests";
    if (is_timeout(ec)) return "Timeout";
    if (is_gone(ec)) return "Gone";
    if (is_unreached(ec)) return "Unreachable";
    if (is_cancelled(ec)) return "Cancelled";
    if (ec == errc::deleted) return "Deleted";
    if (ec == errc::incomplete) return "Incomplete";
    if (ec == errc::type_mismatch) return "TypeMismatch";
    if (ec == errc::invalid_argument || ec == errc::unknown_kind) return "InvalidArgument";
    if (ec == errc::syntax || ec == errc::out_of_range || ec == errc::unknown_field || ec == errc::duplicate_field ||
        ec == errc::too_deep || ec == errc::too_large || ec == errc::wrong_kind)
        return "ParseError";
    return "Error";
}

std::string joined_path(std::string const& prefix, std::string const& path) {
    if (prefix.empty() || path.empty() || path.starts_with('[')) return prefix + path;
    return prefix + "." + path;
}

} // namespace

py::object exception_of(failure why, std::string const& prefix) {
    auto& d = why.detail;
    d.path = joined_path(prefix, d.path);
    py::dict values;
    values["code"] = code_name(why.code);
    values["reason"] = python_str(d.server_reason);
    values["status"] = d.http_status;
    values["path"] = python_str(d.path);
    values["line"] = d.line;
    values["column"] = d.column;
    values["retry_after"] = std::chrono::duration<double>(d.retry_after).count();
    values["retryable"] = is_retryable(why.code);
    values["detail"] = python_str(d.message);
    py::list causes;
    for (auto const& cause : d.causes)
        causes.append(py::make_tuple(python_str(cause.reason), python_str(cause.field), python_str(cause.message)));
    values["causes"] = causes;
    auto const text = why.to_string();
    return py::module_::import("kftrain._errors")
        .attr("_make")(class_of(why.code), python_str(text.empty() ? why.code.message() : text), values);
}

void raise(failure why, std::string const& prefix) {
    auto const error = exception_of(std::move(why), prefix);
    PyErr_SetObject(py::type::handle_of(error).ptr(), error.ptr());
    throw py::error_already_set();
}

} // namespace kftrain::python
