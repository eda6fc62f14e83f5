#include "cli/run/live_view.hpp"

#include "base/code_points.hpp"
#include "base/joined.hpp"
#include "cli/commands.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iostream>

namespace kftrain::cli {
namespace {

/// Colours that are distinct on light and dark backgrounds.
constexpr std::array<int, 6> colours{36, 33, 32, 35, 34, 31};

terminal_size size_of_terminal() {
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return {};
    return {size.ws_row, size.ws_col};
}

/// The longest prefix of a UTF-8 text that takes fewer than `columns` columns, even if all characters after U+07FF are
/// wide.
std::string cut(std::string_view text, std::size_t columns) {
    std::size_t used = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!begins_character(text[i])) continue;
        used += static_cast<unsigned char>(text[i]) < 0xE0 ? 1 : 2; // no wide characters up to U+07FF
        if (used >= columns) return std::string(text.substr(0, i));
    }
    return std::string(text);
}

/// `and 37 more: 30 Running, 7 Pending`
std::string count(std::vector<status_row> const& rows, std::size_t shown) {
    std::vector<std::pair<std::string, std::size_t>> states;
    for (std::size_t i = shown; i < rows.size(); ++i) {
        auto const same = std::ranges::find(states, rows[i].state, &std::pair<std::string, std::size_t>::first);
        if (same == states.end())
            states.emplace_back(rows[i].state, 1);
        else
            ++same->second;
    }
    std::string const text = shown == 0 ? "" : "... and " + std::to_string(rows.size() - shown) + " more: ";
    return text + joined(states, ", ", [](auto const& s) { return std::to_string(s.second) + " " + s.first; });
}

} // namespace

std::vector<std::string> rows_that_fit(std::vector<status_row> const& rows, terminal_size size) {
    // The cursor needs one row, and the log must stay visible.
    std::size_t const limit = size.rows < 2 ? 0 : std::max<std::size_t>(size.rows / 2, 1);
    std::vector<std::string> lines;
    std::size_t const shown = rows.size() <= limit ? rows.size() : limit - std::min<std::size_t>(limit, 1);
    for (std::size_t i = 0; i < shown; ++i) lines.push_back(cut(rows[i].text, size.columns));
    if (shown < rows.size() && limit != 0) lines.push_back(cut(count(rows, shown), size.columns));
    return lines;
}

std::string progress_text(job_progress const& p) {
    constexpr std::size_t columns = 20;
    auto const part = p.fraction();
    if (!part) return p.to_string();
    auto const done = static_cast<std::size_t>(*part * columns);
    return "[" + std::string(done, '#') + std::string(columns - done, '-') + "] " + p.to_string();
}

std::string on_its_row(std::string_view text) {
    std::string line;
    while (text.ends_with('\r')) text.remove_suffix(1);
    // A progress bar draws over itself: keep its last state.
    if (auto const back = text.rfind('\r'); back != text.npos) text.remove_prefix(back + 1);
    while (!text.empty()) {
        auto const escape = text.find_first_of("\x1b\t");
        line += on_one_line(text.substr(0, escape));
        if (escape == text.npos) break;
        text.remove_prefix(escape);
        std::size_t length = 1;
        if (text.starts_with("\x1b[")) length = text.find_first_not_of("0123456789;:", 2);
        bool const stays = text[0] != '\x1b' || (length != 1 && length != text.npos && text[length] == 'm');
        if (!stays) length = 1;
        if (stays && text[0] == '\x1b') ++length;
        line += stays ? std::string(text.substr(0, length)) : on_one_line(text.substr(0, 1));
        text.remove_prefix(length);
    }
    return line;
}

live_view::live_view(std::vector<viewed_job> jobs, bool colour)
    : jobs_(std::move(jobs)), terminal_(::isatty(STDOUT_FILENO) != 0), colour_(colour) {}

std::string live_view::label(member const& m, std::size_t job) const {
    auto const& name = jobs_.at(job).name;
    if (m.rank) return (name.empty() ? "" : name + " ") + "rank " + std::to_string(*m.rank);
    auto const& own = m.pod_name.empty() ? m.host_name() : m.pod_name;
    return name.empty() || own.starts_with(name + "-") ? own : name + " " + own;
}

std::string live_view::row_name(replica const& r) const {
    auto const& name = jobs_.at(r.first).name;
    return name.empty() || r.second.starts_with(name + "-") ? r.second : name + " " + r.second;
}

void live_view::log(log_line const& line, std::size_t job) {
    clear();
    std::string const prefix = "[" + on_one_line(label(line.member, job)) + "] "; // the server may choose pod names
    std::string const text = terminal_ ? on_its_row(line.text) : line.text;
    if (terminal_ && colour_) {
        auto const colour =
            colours[static_cast<std::size_t>(line.member.rank.value_or(line.member.index)) % colours.size()];
        std::cout << "\x1b[" << colour << 'm' << prefix << "\x1b[0m" << text;
    } else {
        std::cout << prefix << text;
    }
    // Resets a colour that the program did not reset, so that it does not reach other lines.
    std::cout << (terminal_ && text.find('\x1b') != text.npos ? "\x1b[0m\n" : "\n");
    if (terminal_) draw();
}

void live_view::state(object_meta const& pod, std::string text) {
    std::size_t job = 0;
    member const* m = nullptr;
    for (; job < jobs_.size(); ++job) {
        bool const there = jobs_[job].namespace_.empty() || jobs_[job].namespace_ == pod.namespace_;
        m = there ? jobs_[job].layout.of(pod) : nullptr;
        if (m != nullptr) break;
    }
    if (m == nullptr) return;
    auto& shown = states_[replica(job, m->host_name())];
    if (shown == text) return;
    shown = std::move(text);
    if (terminal_) {
        clear();
        draw();
    } else {
        std::cout << on_one_line(pod.name) << "  " << (m->rank ? label(*m, job) + "  " : "") << on_one_line(shown)
                  << std::endl;
    }
}

void live_view::progress(job_progress const& p, std::size_t job) {
    auto const& name = jobs_.at(job).name;
    auto text = (name.empty() ? "" : name + " ") + progress_text(p);
    auto& shown = progress_[job];
    if (shown == text) return;
    shown = std::move(text);
    if (!terminal_) return;
    clear();
    draw();
}

void live_view::print_line(std::string_view text) {
    clear();
    std::cout << on_one_line(text) << '\n';
    draw();
}

void live_view::close() {
    clear();
    closed_ = true;
    flush();
}

// The cursor may not be in the first column, since a terminal prints ^C there.
void live_view::clear() {
    // Moves to the first column in the same sequence: after a carriage return, the terminal may insert ^C.
    if (drawn_ != 0) std::cout << "\x1b[" << drawn_ << "F\x1b[J";
    drawn_ = 0;
}

void live_view::draw() {
    if (terminal_ && !closed_) {
        std::size_t width = 0;
        for (std::size_t job = 0; job < jobs_.size(); ++job)
            for (auto const& r : jobs_[job].layout.members)
                width = std::max(width, row_name(replica(job, r.host_name())).size());
        std::vector<status_row> rows;
        for (auto const& [job, text] : progress_) rows.emplace_back(on_one_line(text), "jobs with progress");
        for (std::size_t job = 0; job < jobs_.size(); ++job)
            for (auto const& r : jobs_[job].layout.members) {
                replica const one(job, r.host_name());
                auto const name = row_name(one);
                auto const it = states_.find(one);
                std::string const state = it == states_.end() ? "waiting" : it->second;
                rows.emplace_back(name + std::string(width - name.size() + 2, ' ') +
                                      (r.rank ? label(r, job) + "  " : "") + on_one_line(state),
                                  state.substr(0, state.find_first_of(" ,")));
            }
        auto const lines = rows_that_fit(rows, size_of_terminal());
        for (auto const& line : lines) std::cout << "\x1b[G" << line << '\n'; // overwrites a ^C
        drawn_ = lines.size();
    }
    flush();
}

void live_view::flush() { std::cout.flush(); }

} // namespace kftrain::cli
