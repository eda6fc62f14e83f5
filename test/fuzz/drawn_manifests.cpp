#include "fuzz/drawn_manifests.hpp"

#include "support/drawn_jobs.hpp"

#include <kftrain/kinds/registry.hpp>

#include <map>

namespace fuzz {

using namespace kftrain;

namespace {

test::job_drawer const& drawer_of(rules::job_rules const& kind) {
    static auto const all = [] {
        test::known_documents known;
        known.learn_folder(KFTRAIN_SOURCE_DIR "/test/fuzz/corpus/manifest");
        known.learn_folder(KFTRAIN_SOURCE_DIR "/examples/manifests");
        std::map<rules::job_rules const*, test::job_drawer> drawers;
        for (auto const* k : known_job_rules()) drawers.emplace(k, test::job_drawer(*k, known.of(*k)));
        return drawers;
    }();
    return all.at(&kind);
}

} // namespace

std::string draw_manifest(rules::job_rules const& kind, std::uint64_t seed) { return drawer_of(kind).draw(seed); }

std::optional<std::string> redraw_manifest(std::string_view manifest, std::uint64_t seed) {
    auto const jobs = parse_jobs(manifest);
    if (!jobs || jobs->empty()) return std::nullopt;
    boost::json::error_code ec;
    auto document = boost::json::parse(jobs->front().to_json(), ec);
    if (ec) return std::nullopt; // nested deeper than Boost.JSON goes
    drawer_of(jobs->front().rules()).redraw(document.as_object(), seed);
    return boost::json::serialize(document);
}

} // namespace fuzz
