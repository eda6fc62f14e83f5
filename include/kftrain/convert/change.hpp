#ifndef KFTRAIN_CONVERT_CHANGE_HPP
#define KFTRAIN_CONVERT_CHANGE_HPP

/** @file Report of a conversion of jobs between kinds: see kftrain/convert/registry.hpp. */

#include <kftrain/model/raw_json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain::convert {

/// The effect of a conversion on a field.
enum class fate : std::uint8_t {
    changed,      ///< the result is equivalent: in another place, in another form, or by the default of its operator
    approximated, ///< the result has the closest value that its kind supports, which is not equivalent
    dropped,      ///< the result does not contain it
};

/// Returns `changed`, `approximated` or `dropped`.
std::string_view to_string(fate) noexcept;

/// One field that the result does not contain in the same form as the source.
struct change {
    change() = default;

    std::string path; ///< in the source, in the spelling of servers, e.g. `spec.mpiReplicaSpecs[Worker].replicas`
    /// In the source; empty if it is absent and the operators of the two kinds treat that differently.
    raw_json value;
    fate becomes = fate::changed;
    std::string result_path; ///< in the result; empty if no field of it has the value
    std::string why;         ///< one sentence

    friend bool operator==(change const&, change const&) = default;
};

/// A job of another kind, and a report of the fields that are not the same.
template <class Job> struct converted {
    converted() = default;
    converted(Job j, std::vector<change> c) : job(std::move(j)), changes(std::move(c)) {}

    Job job;
    std::vector<change> changes; ///< all other fields are in the result as in the source
};

/// Returns whether the result is equivalent to the source: nothing is approximated or dropped.
bool loses_nothing(std::vector<change> const&) noexcept;

} // namespace kftrain::convert

#endif
