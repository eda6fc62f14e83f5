#include "bench/support/measurement.hpp"

#include "bench/support/child_process.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include <malloc.h>
#include <sys/resource.h>

namespace kftrain::bench {
namespace {

double seconds(timeval t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); }

rusage own_usage() {
    rusage u{};
    ::getrusage(RUSAGE_SELF, &u);
    return u;
}

struct column {
    char const* head;
    double (*value)(measurement const&);
};

constexpr column columns[] = {
    {"CPU us each", [](measurement const& m) { return m.per_us(); }},
    {"wall s", [](measurement const& m) { return m.wall; }},
    {"p50 us", [](measurement const& m) { return m.p50_us; }},
    {"p90 us", [](measurement const& m) { return m.p90_us; }},
    {"p99 us", [](measurement const& m) { return m.p99_us; }},
    {"free ms", [](measurement const& m) { return 1e3 * m.free_cpu; }},
    {"peak MB", [](measurement const& m) { return m.maxrss_mb; }},
    {"live KB each", [](measurement const& m) { return m.items == 0 ? 0 : 1e3 * m.live_mb / m.items; }},
};

} // namespace

instant instant::now() {
    auto const u = own_usage();
    timespec t{};
    ::clock_gettime(CLOCK_MONOTONIC, &t);
    return {static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec), seconds(u.ru_utime),
            seconds(u.ru_stime)};
}

double live_heap_mb() {
    ::malloc_trim(0);
    auto const m = ::mallinfo2();
    return static_cast<double>(m.uordblks + m.hblkhd) / 1e6;
}

measurement between(instant begin, instant end, double count) {
    measurement m;
    m.wall = end.wall - begin.wall;
    m.user = end.user - begin.user;
    m.sys = end.sys - begin.sys;
    m.count = count;
    m.maxrss_mb = static_cast<double>(own_usage().ru_maxrss) / 1024;
    return m;
}

void set_delays(measurement& m, std::vector<double> microseconds) {
    std::sort(microseconds.begin(), microseconds.end());
    auto const at = [&](std::size_t percent) { return microseconds[microseconds.size() * percent / 100]; };
    m.p50_us = at(50);
    m.p90_us = at(90);
    m.p99_us = at(99);
}

void print_json(std::string_view what, measurement const& m) {
    std::printf("{\"what\":\"%.*s\",\"wall\":%.4f,\"cpu\":%.4f,\"user\":%.4f,\"sys\":%.4f,\"per\":%.3f,\"rate\":%.0f,"
                "\"maxrss_mb\":%.1f",
                static_cast<int>(what.size()), what.data(), m.wall, m.cpu(), m.user, m.sys, m.per_us(),
                m.count / m.wall, m.maxrss_mb);
    if (m.items != 0)
        std::printf(",\"items\":%.0f,\"live_mb\":%.1f,\"live_per_pod\":%.0f", m.items, m.live_mb,
                    1e6 * m.live_mb / m.items);
    if (m.added != 0)
        std::printf(",\"added\":%.0f,\"sync_wall\":%.3f,\"sync_cpu\":%.3f", m.added, m.sync_wall, m.sync_cpu);
    if (m.free_cpu != 0) std::printf(",\"free_cpu\":%.4f", m.free_cpu);
    if (m.p50_us != 0) std::printf(",\"p50_us\":%.0f,\"p90_us\":%.0f,\"p99_us\":%.0f", m.p50_us, m.p90_us, m.p99_us);
    std::printf("}\n");
    std::fflush(stdout);
}

measurement measured_apart(std::function<measurement()> const& work) {
    child_process const child([&](child_process::send_function const& send) {
        auto const m = work();
        send(std::string_view(reinterpret_cast<char const*>(&m), sizeof m));
    });
    auto const bytes = child.receive();
    measurement m;
    std::memcpy(&m, bytes.data(), sizeof m);
    return m;
}

void comparison::add(std::string name, std::function<measurement()> work) {
    auto& results = results_.emplace_back();
    times_.add(std::move(name), [&results, work = std::move(work)] {
        results.push_back(measured_apart(work));
        return results.back().cpu();
    });
}

double comparison::median(std::size_t way, double (*value)(measurement const&)) const {
    std::vector<double> all;
    for (auto const& m : results_[way]) all.push_back(value(m));
    std::sort(all.begin(), all.end());
    return all[all.size() / 2];
}

void comparison::run(std::string const& title, int rounds) {
    times_.measure(rounds);
    auto const applies = [&](column const& c) {
        for (std::size_t i = 0; i < times_.size(); ++i)
            if (median(i, c.value) != 0) return true;
        return false;
    };
    std::printf("\n%s; %d rounds\n  %-44s %7s", title.c_str(), rounds, "", "x CPU");
    for (auto const& c : columns)
        if (applies(c)) std::printf(" %12s", c.head);
    for (std::size_t i = 0; i < times_.size(); ++i) {
        std::printf("\n  %-44s %7.3f", times_.name(i).c_str(), times_.ratio(i, 0));
        for (auto const& c : columns)
            if (applies(c)) std::printf(" %12.3f", median(i, c.value));
    }
    std::printf("\n");
    std::fflush(stdout);
}

} // namespace kftrain::bench
