#include <kftrain/facade/job_progress.hpp>
#include <kftrain/facade/progress_record.hpp>

#include "base/whole_number.hpp"
#include "facade/timeline/drawing.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace kftrain {
namespace {

constexpr std::string_view marker = "kftrain-progress/1 ";
constexpr std::size_t longest_line = 1024;
constexpr std::size_t longest_prefix = 256;
constexpr std::size_t longest_unit = 16;
constexpr std::int64_t largest = std::int64_t{1} << 53;

std::optional<std::int64_t> report_count(std::string_view text) {
    auto const n = read_whole_number<std::int64_t>(text);
    return n && *n >= 0 && *n <= largest ? n : std::nullopt;
}

/// A finite number in decimal or scientific notation.
std::optional<double> report_number(std::string_view text) {
    double value = 0;
    if (text.empty() || text.find_first_not_of("0123456789+-.eE") != text.npos) return std::nullopt;
    auto const [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (ec != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

bool is_unit(std::string_view text) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/_-.%";
    return text.size() <= longest_unit && text.find_first_not_of(letters) == text.npos;
}

/// Sets a field; returns whether the value is valid. Fields of later versions are ignored.
bool set_report_field(job_progress& p, std::string_view name, std::string_view value) {
    auto const set = [](auto& field, auto number) {
        field = number;
        return number.has_value();
    };
    if (name == "step") return set(p.step, report_count(value));
    if (name == "total") return set(p.total, report_count(value));
    if (name == "epoch") return set(p.epoch, report_count(value));
    if (name == "loss") {
        p.diverged = value == "nan" || value == "inf" || value == "-inf";
        return p.diverged || set(p.loss, report_number(value));
    }
    if (name == "rate") return set(p.rate, report_number(value)) && *p.rate >= 0;
    if (name == "left") {
        auto const seconds = report_number(value);
        if (!seconds || *seconds < 0 || *seconds > static_cast<double>(largest)) return false;
        p.left = std::llround(*seconds);
        return true;
    }
    if (name == "unit") {
        p.unit = value;
        return is_unit(value);
    }
    return true;
}

/// At most four significant digits.
std::string short_number(double n) {
    char text[32];
    auto const [end, ec] = std::to_chars(text, text + sizeof text, n, std::chars_format::general, 4);
    return {text, end};
}

} // namespace

std::optional<job_progress> parse_progress(std::string_view line) {
    if (line.size() > longest_line) return std::nullopt;
    while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
    auto const at = line.find(marker);
    if (at == line.npos || at > longest_prefix) return std::nullopt;
    line.remove_prefix(at + marker.size());
    job_progress p;
    std::set<std::string_view> names;
    while (!line.empty()) {
        auto const field = line.substr(0, line.find(' '));
        line.remove_prefix(std::min(field.size() + 1, line.size()));
        auto const equals = field.find('=');
        if (equals == field.npos || equals == 0 || equals + 1 == field.size()) return std::nullopt;
        auto const name = field.substr(0, equals);
        if (!names.insert(name).second || !set_report_field(p, name, field.substr(equals + 1))) return std::nullopt;
    }
    if (!p.step) return std::nullopt;
    return p;
}

std::optional<double> job_progress::fraction() const noexcept {
    if (!step || !total || *total == 0) return std::nullopt;
    return std::min(1.0, static_cast<double>(*step) / static_cast<double>(*total));
}

std::string job_progress::to_string() const {
    if (!step) return {};
    auto text = "step " + std::to_string(*step);
    if (total) text += "/" + std::to_string(*total);
    if (auto const part = fraction()) text += " (" + std::to_string(static_cast<int>(*part * 100)) + "%)";
    if (epoch) text += ", epoch " + std::to_string(*epoch);
    if (loss) text += ", loss " + short_number(*loss);
    if (diverged) text += ", loss is not finite";
    if (rate) text += ", " + short_number(*rate) + (unit.empty() ? "/s" : " " + unit);
    if (left && fraction() != 1.0) text += ", " + duration_text(*left) + " left";
    return text;
}

job_log_options primary_log(membership const& all) {
    job_log_options how;
    how.timestamps = true;
    if (all.rank_env.rank.empty())
        how.indices.push_back(0);
    else
        how.ranks.push_back(0);
    return how;
}

bool progress_record::take(log_line const& line, time_point now) {
    auto const& m = line.member;
    if (m.index != 0 && m.rank != 0) return false;
    auto read = parse_progress(line.text);
    if (!read) return false;
    rating own;
    own.by_rank = !m.rank ? 1 : *m.rank == 0 ? 0 : 2;
    own.role = m.role;
    own.index = m.index;
    if (decides_ && *decides_ < own) return false;
    if (!decides_ || own < *decides_) first_.reset();
    decides_ = own;
    time_point at;
    read->time = parse_scalar(line.time, at) ? at : now;
    read->pod = m.pod_name;
    bool const reported = read->left.has_value();
    bool const set_back = first_ && (*read->step < *latest_.step || read->pod != latest_.pod);
    latest_ = *std::move(read);
    if (!first_ || set_back) first_ = latest_;
    if (!reported) estimate_rest();
    return true;
}

/// From the mean speed since the first report.
void progress_record::estimate_rest() {
    auto const steps = static_cast<double>(*latest_.step - *first_->step);
    auto const seconds = static_cast<double>((*latest_.time - *first_->time).count());
    if (!latest_.total || *latest_.total <= *latest_.step || steps <= 0 || seconds <= 0) return;
    auto const left = static_cast<double>(*latest_.total - *latest_.step) * seconds / steps;
    latest_.left = std::llround(std::min(left, static_cast<double>(largest)));
}

} // namespace kftrain
