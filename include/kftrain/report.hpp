#ifndef KFTRAIN_REPORT_HPP
#define KFTRAIN_REPORT_HPP

/** @file Reports the progress of a training program as lines of its output, which kftrain reads. Needs only C++17; you
    can copy this header. */

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace kftrain {

/// The progress of a program; see docs/guides/progress-and-timeline.md.
struct progress_report {
    progress_report() = default;
    explicit progress_report(std::int64_t s) : step(s) {}

    std::int64_t step = 0;             ///< completed steps, 0 to 2^53
    std::optional<std::int64_t> total; ///< steps of the whole training
    std::optional<std::int64_t> epoch; ///< current epoch
    std::optional<double> loss;        ///< may be infinite or not a number
    std::optional<double> rate;        ///< throughput in `unit`, at least 0
    std::string unit;                  ///< at most 16 letters, digits and `/ _ - . %`; others are left out
    /// Seconds until the end; absent: computed from the mean speed if `total` is set.
    std::optional<double> left;

    progress_report& with_total(std::int64_t n) { return total = n, *this; }
    progress_report& with_epoch(std::int64_t n) { return epoch = n, *this; }
    progress_report& with_loss(double x) { return loss = x, *this; }
    progress_report& with_rate(double x, std::string u = {}) { return rate = x, unit = std::move(u), *this; }
};

/** Writes reports, at most one in `every`, and the last one when it is destroyed. Of the processes of one pod only the
    one with `LOCAL_RANK` 0 writes; of those that mpirun starts, whose output has one log, only rank 0. Values that
    cannot be written are left out.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class progress_reporter {
public:
    using clock = std::chrono::steady_clock;

    /// @param stream Must be open until the destructor returns. @param every Shortest time between two lines.
    explicit progress_reporter(std::FILE* stream = stdout, clock::duration every = std::chrono::seconds(1))
        : stream_(stream), every_(every), writes_(is_first_process()) {}
    progress_reporter(progress_reporter const&) = delete;
    progress_reporter& operator=(progress_reporter const&) = delete;
    ~progress_reporter() { flush(); }

    /// Writes a line if `every` has passed since the last line, or if `step` is `total`. Otherwise keeps the report; a
    /// later report replaces it.
    void report(progress_report const& p) { report(p, clock::now()); }
    /// The same with `now` as the current time.
    void report(progress_report const& p, clock::time_point now) {
        if (!writes_) return;
        if (!begun_ || p.step < first_step_) {
            begun_ = true;
            first_step_ = p.step;
            since_ = now;
        }
        last_ = p;
        last_time_ = now;
        pending_ = true;
        if (now >= due_ || p.total == p.step) flush();
    }

    /// Writes the last report now, unless it is written already.
    void flush() {
        if (!pending_) return;
        pending_ = false;
        due_ = last_time_ + every_;
        auto const line = line_of(last_);
        if (line.empty()) return;
        std::fwrite(line.data(), 1, line.size(), stream_);
        std::fflush(stream_);
    }

private:
    static constexpr std::int64_t largest = std::int64_t{1} << 53;

    static bool is_first_process() {
        for (char const* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "LOCAL_RANK"})
            if (char const* const value = std::getenv(name)) return std::string_view(value) == "0";
        return true;
    }
    static void add(std::string& line, char const* name, std::optional<std::int64_t> n) {
        if (n && *n >= 0 && *n <= largest) line += std::string(" ") + name + "=" + std::to_string(*n);
    }
    static std::string text_of(double x) {
        if (std::isnan(x)) return "nan";
        if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
        char text[32];
        auto const end = std::to_chars(text, text + sizeof text, x, std::chars_format::general, 6).ptr;
        return std::string(text, end);
    }
    static bool is_unit(std::string_view text) {
        constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/_-.%";
        return !text.empty() && text.size() <= 16 && text.find_first_not_of(letters) == text.npos;
    }

    std::string line_of(progress_report const& p) const {
        if (p.step < 0 || p.step > largest) return {};
        std::string line = "kftrain-progress/1";
        add(line, "step", p.step);
        add(line, "total", p.total);
        add(line, "epoch", p.epoch);
        if (p.loss) line += " loss=" + text_of(*p.loss);
        if (p.rate && *p.rate >= 0 && std::isfinite(*p.rate)) {
            line += " rate=" + text_of(*p.rate);
            if (is_unit(p.unit)) line += " unit=" + p.unit;
        }
        if (auto const left = p.left ? p.left : rest_of(p); left && *left >= 0 && *left <= double(largest))
            add(line, "left", std::llround(*left));
        return line + '\n';
    }
    std::optional<double> rest_of(progress_report const& p) const {
        if (!p.total || p.step <= first_step_ || p.step > *p.total) return std::nullopt;
        double const seconds = std::chrono::duration<double>(last_time_ - since_).count();
        return double(*p.total - p.step) * seconds / double(p.step - first_step_);
    }

    std::FILE* stream_;
    clock::duration every_;
    bool writes_;
    bool begun_ = false;
    bool pending_ = false;
    clock::time_point due_ = clock::time_point::min();
    clock::time_point since_, last_time_;
    std::int64_t first_step_ = 0;
    progress_report last_;
};

} // namespace kftrain

#endif
