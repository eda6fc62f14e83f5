#ifndef KFTRAIN_CONVERT_REGISTRY_HPP
#define KFTRAIN_CONVERT_REGISTRY_HPP

/** @file The table of conversions between job kinds, by name, for `kftrain convert`. */

#include <kftrain/convert/change.hpp>
#include <kftrain/job/any_job.hpp>
#include <kftrain/model/document.hpp>

#include <span>
#include <string>
#include <string_view>

namespace kftrain::convert {

/// A kind in the spelling of a command line: `PyTorchJob`, `MPIJob.v2beta1`.
struct kind_name {
    kind_name() = default;
    explicit kind_name(std::string_view text); ///< the version follows the first dot

    std::string kind;
    std::string version; ///< empty: any
};

/// An available conversion.
struct conversion {
    constexpr conversion() = default;
    constexpr conversion(resource_info const& f, resource_info const& t, std::string_view how = {})
        : from(f), to(t), form(how) {}

    resource_info from; ///< without plural if no server serves it any more
    resource_info to;
    std::string_view form; ///< form of the source, if apiVersion and kind do not determine it
};

/// Returns all conversions, ordered by source.
std::span<conversion const> conversions() noexcept;
/// Returns `MPIJob of kubeflow.org/v1 to MPIJob of kubeflow.org/v2beta1`.
std::string to_string(conversion const&);

/** Reads a job of any convertible form and converts it. A job that already has the target kind is
    returned unchanged. Fields that its kind does not have are dropped and reported.
    @par Errors `errc::unknown_kind` if there is no such conversion, `errc::invalid_argument` if there are several;
    the message lists the available ones. `errc::duplicate_field`; those of decode_yaml() and of the conversion,
    which identifies fields without line and column. */
[[nodiscard]] result<converted<any_job>> convert_job(document, kind_name const& to);

} // namespace kftrain::convert

#endif
