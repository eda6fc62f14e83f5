#ifndef KFTRAIN_CONVERT_CHANGE_HPP
#define KFTRAIN_CONVERT_CHANGE_HPP

/** @file
    What conversions of jobs between kinds tell: see kftrain/convert/registry.hpp. */

#include <kftrain/model/raw_json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain::convert {

/// What becomes of a field in a conversion.
enum class fate : std::uint8_t {
    changed,      ///< the result means the same: at another place, in other words, or by what its operator does unasked
    approximated, ///< the result has the nearest that its kind knows, which is not the same
    dropped,      ///< nothing in the result says it
};

/// `changed`, `approximated` or `dropped`.
std::string_view to_string(fate) noexcept;

/// One field that the result does not have as the source has it.
struct change {
    change() = default;

    std::string path; ///< in the source, as servers spell it, e.g. `spec.mpiReplicaSpecs[Worker].replicas`
    raw_json value;   ///< in the source; empty where it is absent and the operators of both kinds take that differently
    fate becomes = fate::changed;
    std::string result_path; ///< in the result; empty where no field of it says it
    std::string why;         ///< one sentence

    friend bool operator==(change const&, change const&) = default;
};

/// A job of another kind, and what became of the fields that it does not have as they were.
template <class Job> struct converted {
    converted() = default;
    converted(Job j, std::vector<change> c) : job(std::move(j)), changes(std::move(c)) {}

    Job job;
    std::vector<change> changes; ///< what is not named here is in the result as it was in the source
};

/// Whether the result means what the source meant: nothing is approximated or dropped.
bool loses_nothing(std::vector<change> const&) noexcept;

} // namespace kftrain::convert

#endif
