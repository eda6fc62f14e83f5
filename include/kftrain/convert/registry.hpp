#ifndef KFTRAIN_CONVERT_REGISTRY_HPP
#define KFTRAIN_CONVERT_REGISTRY_HPP

/** @file
    The table of conversions between job kinds, by name; `kftrain convert` is made of it. */

#include <kftrain/convert/change.hpp>
#include <kftrain/job/any_job.hpp>

#include <span>
#include <string>
#include <string_view>

namespace kftrain::convert {

/// A kind as it is named on a command line: `PyTorchJob`, `MPIJob.v2beta1`.
struct kind_name {
    kind_name() = default;
    explicit kind_name(std::string_view text); ///< the version is what stands behind the first dot

    std::string kind;
    std::string version; ///< empty: any
};

/// A conversion that there is.
struct conversion {
    constexpr conversion() = default;
    constexpr conversion(resource_info const& f, resource_info const& t, std::string_view how = {})
        : from(f), to(t), form(how) {}

    resource_info from; ///< without plural where no server serves it any more
    resource_info to;
    std::string_view form; ///< of the source, where apiVersion and kind do not tell it
};

/// All of them, by source.
std::span<conversion const> conversions() noexcept;
/// `MPIJob of kubeflow.org/v1 to MPIJob of kubeflow.org/v2beta1`.
std::string to_string(conversion const&);

/** Reads a job of any convertible form from YAML or JSON, and converts it. A job that is of the kind already comes back as it is.
    Fields that its kind does not have are dropped and told of.
    @par Errors `errc::unknown_kind` when there is no such conversion, `errc::invalid_argument` when there are several; the message
    names those that there are. `errc::duplicate_field`; those of decode_yaml() and of the conversion, which names fields without
    line and column. */
result<converted<any_job>> convert_job(yaml_document const&, kind_name const& to);

} // namespace kftrain::convert

#endif
