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

/// What is known about a failure beyond its code. All members may be empty.
struct diagnostics {
    /// One of the things that a server found wrong, as it says it in `Status.details.causes`.
    struct cause {
        cause() = default;
        cause(std::string r, std::string f, std::string m)
            : reason(std::move(r)), field(std::move(f)), message(std::move(m)) {}

        std::string reason;  ///< e.g. `FieldValueInvalid`, or `FieldManagerConflict` of a server-side apply
        std::string field;   ///< field path, e.g. `spec.containers[0].name`
        std::string message; ///< of a conflict it names the other manager
    };

    diagnostics() = default;

    std::string message;    ///< one sentence without the position, e.g. `expected int32, got "three"`
    std::string path;       ///< field path, e.g. `spec.pytorchReplicaSpecs.Worker.replicas`
    std::size_t line = 0;   ///< 1-based line of the offending value; 0 when unknown
    std::size_t column = 0; ///< 1-based, in characters; 0 when unknown
    unsigned http_status = 0;
    std::string server_reason; ///< the server's `Status.reason`

    // What is told by a server that refused a request.
    std::vector<cause> causes;
    std::chrono::milliseconds retry_after{0}; ///< how long it asks to wait; 0 if it does not
    /// Beside `reason::expired` of a later page of a list: continues it all the same, with items as they are by then.
    std::string continue_;
    std::string audit_id; ///< by which its audit log names the request
    /// Its `Warning` fields. Those of an answer that is a success are here, too.
    std::vector<std::string> warnings;
};

/// An error code with what is known about it: the error side of @ref result.
struct failure {
    failure() = default;
    failure(error_code c, diagnostics d) : code(c), detail(std::move(d)) {}

    error_code code;
    diagnostics detail;

    /// `path: message (line L, column C)`, leaving out what is unknown.
    std::string to_string() const;
};

/** What `result<T>::value()` raises, and what operations raise whose token is adapted by kube::with_diagnostics(). Other tokens
    that throw, as `use_awaitable` and `use_future`, raise `boost::system::system_error` with the code alone. */
class error : public boost::system::system_error {
public:
    explicit error(failure f);
    ~error() override;
    diagnostics const& detail() const noexcept { return detail_; }

private:
    diagnostics detail_;
};

/// Found by `boost::system::result` to throw from `value()`.
[[noreturn]] void throw_exception_from_error(failure const&, boost::source_location const&);

/// A value, or why there is none.
template <class T> using result = boost::system::result<T, failure>;

/// One thing that validation found.
struct issue {
    enum class severity { error, warning, info };

    issue() = default;

    std::string rule;    ///< stable id, e.g. `pytorch.master.replicas`
    std::string path;    ///< field path in the server's own spelling, e.g. `spec.pytorchReplicaSpecs[Master].replicas`
    std::string message; ///< the server's own text, path and value included
    severity level = severity::error;
    /** Whether it tells of pods or services that a server refuses: the job is accepted, its operator tries to create them for ever, and
        it never starts. Only lint() sets it. */
    bool keeps_from_starting = false;

    friend bool operator==(issue const&, issue const&) = default;
};

/// All that validation found, in the order of the rules.
using issues = std::vector<issue>;

/// `error`, `warning` or `info`.
std::string_view to_string(issue::severity) noexcept;
/// True if any issue is an error.
bool has_errors(issues const&) noexcept;
/// The messages of the errors, warnings left out.
std::string join_errors(issues const&, std::string_view separator);

} // namespace kftrain

#endif
