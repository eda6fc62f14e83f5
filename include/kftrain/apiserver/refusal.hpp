#ifndef KFTRAIN_APISERVER_REFUSAL_HPP
#define KFTRAIN_APISERVER_REFUSAL_HPP

#include <kftrain/base/error.hpp>

#include <boost/assert/source_location.hpp>
#include <boost/system/result.hpp>

#include <string>
#include <vector>

namespace kftrain::apiserver {

/// One cause of a refusal, e.g. `FieldValueInvalid` of `metadata.name`.
struct refusal_cause {
    refusal_cause() = default;
    refusal_cause(std::string r, std::string m, std::string f)
        : reason(std::move(r)), message(std::move(m)), field(std::move(f)) {}

    std::string reason;
    std::string message; ///< without the field
    std::string field;
};

/** The error of a request: a client receives it as a `Status` object of status `Failure`.
    @par Upstream apimachinery `pkg/api/errors/errors.go`, v0.31 */
struct refusal {
    refusal() = default;
    refusal(unsigned status, kftrain::reason r, std::string text) : code(status), why(r), message(std::move(text)) {}

    unsigned code = 500;
    kftrain::reason why = kftrain::reason::unknown; ///< `unknown` omits the reason
    std::string message;
    std::string name, group, kind, uid; ///< `details`; `kind` is the plural except for code 422, as upstream
    std::vector<refusal_cause> causes;
    std::vector<std::string> warnings; ///< sent as `Warning` fields in addition to the refusal
    int retry_after_seconds = 0;

    /// Returns the `Status` object.
    std::string to_json() const;
};

/// A value, or the refusal.
template <class T> using answer = boost::system::result<T, refusal>;

/// Found by `boost::system::result`; throws kftrain::error from `value()`.
[[noreturn]] void throw_exception_from_error(refusal const&, boost::source_location const&);

} // namespace kftrain::apiserver

#endif
