#ifndef KFTRAIN_TEST_FUZZ_DRAWN_MANIFESTS_HPP
#define KFTRAIN_TEST_FUZZ_DRAWN_MANIFESTS_HPP

#include <kftrain/job/job_rules.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Manifests for the target of that name: of every registered kind, as no flipping of bytes would find them.
namespace fuzz {

/// A job of this kind, after those of the kept corpus and of the examples; it may be one that is not admitted.
std::string draw_manifest(kftrain::rules::job_rules const& kind, std::uint64_t seed);

/// The first job of a manifest with something else in one place of its spec; nothing if there is none that could be
/// read.
std::optional<std::string> redraw_manifest(std::string_view manifest, std::uint64_t seed);

} // namespace fuzz

#endif
