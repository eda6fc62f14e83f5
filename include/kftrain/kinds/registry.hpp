#ifndef KFTRAIN_KINDS_REGISTRY_HPP
#define KFTRAIN_KINDS_REGISTRY_HPP

#include <kftrain/job/any_job.hpp>

#include <span>
#include <string_view>

namespace kftrain {

/// Every job kind that kftrain knows.
std::span<job_kind const* const> job_kinds() noexcept;

/// The kind of this apiVersion (`group/version`) and kind, or null.
job_kind const* find_job_kind(std::string_view api_version, std::string_view kind) noexcept;

/** Reads a job of any registered kind from YAML or JSON.
    @par Errors `errc::unknown_kind` if apiVersion and kind name none; else those of decode_yaml(). */
result<any_job> parse_job(std::string_view text);

} // namespace kftrain

#endif
