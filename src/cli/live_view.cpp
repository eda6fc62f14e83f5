#include "cli/live_view.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <iostream>

namespace kftrain::cli {
namespace {

/// Colours that can be told apart on light and dark ground.
constexpr std::array<int, 6> colours{36, 33, 32, 35, 34, 31};

} // namespace

live_view::live_view(topology layout) : layout_(std::move(layout)), terminal_(::isatty(STDOUT_FILENO) != 0) {}

std::string live_view::label(replica const& r) const { return r.rank ? "rank " + std::to_string(*r.rank) : r.name; }

void live_view::log(log_line const& line) {
    clear();
    std::string const prefix = "[" + label(line.replica) + "] ";
    if (terminal_) {
        auto const colour =
            colours[static_cast<std::size_t>(line.replica.rank.value_or(line.replica.index)) % colours.size()];
        std::cout << "\x1b[" << colour << 'm' << prefix << "\x1b[0m" << line.text << '\n';
    } else {
        std::cout << prefix << line.text << '\n';
    }
    draw();
}

void live_view::state(std::string const& replica_name, std::string text) {
    auto& shown = states_[replica_name];
    if (shown == text) return;
    shown = std::move(text);
    if (terminal_) {
        clear();
        draw();
    } else if (auto const* r = layout_.find(replica_name)) {
        std::cout << replica_name << "  " << (r->rank ? label(*r) + "  " : "") << shown << std::endl;
    }
}

void live_view::say(std::string_view text) {
    clear();
    std::cout << text << '\n';
    draw();
}

void live_view::close() {
    clear();
    closed_ = true;
    std::cout.flush();
}

void live_view::clear() {
    if (drawn_ != 0) std::cout << "\x1b[" << drawn_ << "A\x1b[J";
    drawn_ = 0;
}

void live_view::draw() {
    if (terminal_ && !closed_) {
        std::size_t width = 0;
        for (auto const& r : layout_.replicas) width = std::max(width, r.name.size());
        for (auto const& r : layout_.replicas) {
            auto const it = states_.find(r.name);
            std::cout << r.name << std::string(width - r.name.size() + 2, ' ') << (r.rank ? label(r) + "  " : "")
                      << (it == states_.end() ? "waiting" : it->second) << '\n';
        }
        drawn_ = layout_.replicas.size();
    }
    std::cout.flush();
}

} // namespace kftrain::cli
