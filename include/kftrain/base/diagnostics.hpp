#ifndef KFTRAIN_BASE_DIAGNOSTICS_HPP
#define KFTRAIN_BASE_DIAGNOSTICS_HPP

#include <kftrain/base/error.hpp>

#include <boost/assert/source_location.hpp>
#include <boost/system/result.hpp>
#include <boost/system/system_error.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain {

/// The details of a failure in addition to its code. All members may be empty.
struct diagnostics {
    /// One fault that a server found, from `Status.details.causes`.
    struct cause {
        cause() = default;
        cause(std::string r, std::string f, std::string m)
            : reason(std::move(r)), field(std::move(f)), message(std::move(m)) {}

        std::string reason;  ///< e.g. `FieldValueInvalid`, or `FieldManagerConflict` of a server-side apply
        std::string field;   ///< field path, e.g. `spec.containers[0].name`
        std::string message; ///< for a conflict it contains the other manager
    };

    diagnostics() = default;

    std::string message;    ///< one sentence without the position, e.g. `expected int32, got "three"`
    std::string path;       ///< field path, e.g. `spec.pytorchReplicaSpecs.Worker.replicas`
    std::size_t line = 0;   ///< 1-based line of the offending value; 0 if unknown
    std::size_t column = 0; ///< 1-based, in characters; 0 if unknown
    unsigned http_status = 0;
    std::string server_reason; ///< the server's `Status.reason`

    // The causes from a server that rejected a request.
    std::vector<cause> causes;
    std::chrono::milliseconds retry_after{0}; ///< requested delay before a retry; 0 if none
    /// With `reason::expired` of a later page of a list: the token that continues the list anyway, with the current
    /// items.
    std::string continue_;
    std::string audit_id; ///< identifies the request in the audit log of the server
    /// The `Warning` fields of a response, also of a successful one.
    std::vector<std::string> warnings;
};

/// An error code with its details: the error type of @ref result.
struct failure {
    failure() = default;
    failure(error_code c, diagnostics d) : code(c), detail(std::move(d)) {}

    error_code code;
    diagnostics detail;

    /// Returns `path: message (line L, column C)`, omitting unknown parts.
    std::string to_string() const;
};

/** The exception of `result<T>::value()`, of operations that are awaited without a token, and of those whose token is
    adapted by kube::with_diagnostics(). Other throwing tokens, such as `use_awaitable` and `use_future`, throw
    `boost::system::system_error` with only the code. */
class error : public boost::system::system_error {
public:
    explicit error(failure f);
    ~error() override;
    diagnostics const& detail() const noexcept { return detail_; }
    /// Returns the text of failure::to_string().
    char const* what() const noexcept override { return text_.c_str(); }

private:
    std::string text_;
    diagnostics detail_;
};

/// Found by `boost::system::result`; throws from `value()`.
[[noreturn]] void throw_exception_from_error(failure const&, boost::source_location const&);

/// A value, or the failure.
template <class T> using result = boost::system::result<T, failure>;

/// One finding of a validation.
struct issue {
    enum class severity { error, warning, info };

    issue() = default;

    std::string rule;    ///< stable id, e.g. `pytorch.master.replicas`
    std::string path;    ///< field path in the spelling of the server, e.g. `spec.pytorchReplicaSpecs[Master].replicas`
    std::string message; ///< the text of the server, including path and value
    severity level = severity::error;
    /** Whether the issue is about pods or services that a server rejects: the job is accepted, but its operator
        fails to create them again and again, and the job never starts. Only lint() sets it. */
    bool keeps_from_starting = false;

    friend bool operator==(issue const&, issue const&) = default;
};

/// All findings of a validation, in the order of the rules.
using issues = std::vector<issue>;

/// Returns `error`, `warning` or `info`.
std::string_view to_string(issue::severity) noexcept;
/// Returns true if any issue is an error.
bool has_errors(issues const&) noexcept;
/// Returns the messages of the errors, without warnings.
std::string join_errors(issues const&, std::string_view separator);

} // namespace kftrain

#endif
