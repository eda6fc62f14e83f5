#include "bench/plan/scaled_job.hpp"

#include <kftrain/kinds/registry.hpp>

#include <boost/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace kftrain::bench {
namespace {

/// Visits what has a number of replicas of a template, whatever the kind calls it.
template <class Visit> void for_each_set(boost::json::value& at, Visit const& visit) {
    if (auto* const list = at.if_array())
        for (auto& item : *list) for_each_set(item, visit);
    auto* const object = at.if_object();
    if (object == nullptr) return;
    if (object->contains("template"))
        if (auto* const count = object->if_contains("replicas"); count != nullptr && count->is_int64())
            visit(count->as_int64());
    for (auto& [_, member] : *object) for_each_set(member, visit);
}

} // namespace

std::optional<any_job> scaled(any_job const& job, std::int64_t replicas) {
    auto document = boost::json::parse(job.to_json());
    std::int64_t all = 0;
    std::int64_t* largest = nullptr;
    for_each_set(document, [&](std::int64_t& count) {
        all += count;
        if (largest == nullptr || count >= *largest) largest = &count;
    });
    if (largest == nullptr || replicas <= all - *largest) return std::nullopt;
    *largest = replicas - (all - *largest);
    auto read = parse_job(boost::json::serialize(document));
    return read ? std::optional(*std::move(read)) : std::nullopt;
}

std::vector<any_job> jobs_with_replicas() {
    std::vector<std::filesystem::path> files;
    for (auto const* folder : {KFTRAIN_SOURCE_DIR "/examples/manifests", KFTRAIN_SOURCE_DIR "/test/bench/jobs"})
        for (auto const& file : std::filesystem::directory_iterator(folder))
            if (file.path().extension() == ".yaml") files.push_back(file.path());
    std::sort(files.begin(), files.end());
    std::vector<any_job> jobs;
    for (auto const& path : files) {
        std::ifstream file(path);
        std::string const text{std::istreambuf_iterator<char>(file), {}};
        auto read = parse_jobs(text);
        if (!read) {
            std::fprintf(stderr, "%s: %s\n", path.c_str(), read.error().to_string().c_str());
            std::exit(1);
        }
        for (auto& job : *read)
            if (scaled(job, 100)) jobs.push_back(std::move(job));
    }
    return jobs;
}

} // namespace kftrain::bench
