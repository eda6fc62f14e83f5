// usage: bench_render_kinds [REPLICAS]
//
// Measures rendering of jobs with REPLICAS (10000) of every registered kind, and with a tenth of it: processor time,
// including that of freeing the objects. The jobs are those of examples/manifests and test/bench/jobs; their largest
// replica type is scaled. A linear kind shows a ratio near 10. If each pod lists all others, the text grows with the
// square: such a job is as large as its rules and 1 GiB of text permit, and the ratio is near 100.
#include "bench/plan/scaled_job.hpp"
#include "bench/support/paired.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace kftrain::bench {
namespace {

constexpr double most_text = 1024.0 * 1024.0 * 1024.0;

issues faults_of(any_job const& job, std::int64_t replicas) {
    auto const large = scaled(job, replicas);
    return large ? large->validate() : issues();
}

/// Bytes of all objects, as JSON.
double text_of(any_job const& job) {
    double bytes = 0;
    for (auto const& object : job.render()) bytes += static_cast<double>(object.to_json().size());
    return bytes;
}

double seconds_of(any_job const& job) {
    double least = 1e9;
    for (int round = 0; round < 3; ++round) {
        double const start = processor_seconds();
        keep(job.render());
        least = std::min(least, processor_seconds() - start);
    }
    return least;
}

struct size_limit {
    std::int64_t replicas = 0;
    std::string why; ///< what keeps the job from being larger; empty if nothing does
};

/// The largest job that its rules and the memory of a small machine accept, up to `wanted` replicas.
size_limit limit_of(any_job const& job, std::int64_t wanted) {
    size_limit limit{wanted, ""};
    if (auto const found = faults_of(job, wanted); !found.empty()) {
        limit.why = found.front().rule;
        std::int64_t valid = wanted / 100, invalid = wanted;
        while (invalid - valid > 1) {
            auto const middle = valid + (invalid - valid) / 2;
            (faults_of(job, middle).empty() ? valid : invalid) = middle;
        }
        limit.replicas = valid;
    }
    auto const some = scaled(job, limit.replicas / 10), half = scaled(job, limit.replicas / 20);
    if (!some || !half) return limit;
    double const text = text_of(*some), growth = text / text_of(*half);
    if (growth < 2.2) return limit; // 2 is linear
    limit.why += limit.why.empty() ? "lists all" : ", lists all";
    double const whole = 100 * text;
    if (whole > most_text)
        limit.replicas = static_cast<std::int64_t>(static_cast<double>(limit.replicas) * std::sqrt(most_text / whole));
    return limit;
}

void print_row(any_job const& job, std::int64_t wanted) {
    std::string const kind = job.resource().api_version() + " " + std::string(job.resource().kind);
    auto const limit = limit_of(job, wanted);
    auto const large = scaled(job, limit.replicas), tenth = scaled(job, limit.replicas / 10);
    if (!large || !tenth || !large->validate().empty()) {
        std::printf("%-32s no valid job of %lld replicas\n", kind.c_str(), static_cast<long long>(limit.replicas));
        return;
    }
    double const part = seconds_of(*tenth), whole = seconds_of(*large);
    std::printf("%-32s %9lld %9zu %10.3f %10.4f %7.1f  %s\n", kind.c_str(), static_cast<long long>(limit.replicas),
                large->render().size(), whole, part, whole / part, limit.why.c_str());
    std::fflush(stdout);
}

void print_table(std::int64_t replicas) {
    std::printf("%-32s %9s %9s %10s %10s %7s\n", "kind", "replicas", "objects", "seconds", "of a tenth", "ratio");
    auto const jobs = jobs_with_replicas();
    for (auto const* rules : known_job_rules()) {
        auto const job = std::find_if(jobs.begin(), jobs.end(), [&](any_job const& j) { return &j.rules() == rules; });
        if (job != jobs.end())
            print_row(*job, replicas);
        else
            std::printf("%-32s no manifest with replicas\n", std::string(rules->primary().info->kind).c_str());
    }
    std::printf("target: 10000 replicas <= 1 s, growing linearly; \"lists all\": each pod lists all others, and the "
                "text, up to 1 GiB here, grows by the square\n");
}

} // namespace
} // namespace kftrain::bench

int main(int argc, char** argv) {
    auto const replicas = argc > 1 ? std::atoll(argv[1]) : 10'000;
    kftrain::bench::print_table(std::max<std::int64_t>(replicas, 1'000));
}
