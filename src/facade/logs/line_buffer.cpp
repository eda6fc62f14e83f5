#include "facade/logs/line_buffer.hpp"

#include <utility>

namespace kftrain {

line_buffer::entry::entry(line_buffer& buffer, boost::asio::any_io_executor const& executor, buffered_line line)
    : buffer_(buffer), line_(std::move(line)), timer_(executor, boost::asio::steady_timer::time_point::max()) {
    buffer_.waiting_.push_back(this);
}

line_buffer::entry::~entry() {
    if (!in_) buffer_.waiting_.remove(this);
}

bool line_buffer::fits(buffered_line const& line) const noexcept {
    if (lines_.empty()) return true;
    return lines_.size() < most_lines_ && bytes_ + line.text.size() <= most_bytes_;
}

void line_buffer::add(buffered_line line) {
    bytes_ += line.text.size();
    ++line.origin->queued;
    lines_.push_back(std::move(line));
    if (on_line_) on_line_();
}

bool line_buffer::put(buffered_line& line) {
    if (closed_) return true; // and is dropped
    if (!waiting_.empty() || !fits(line)) return false;
    add(std::move(line));
    return true;
}

std::optional<buffered_line> line_buffer::take() {
    if (lines_.empty()) return {};
    std::optional<buffered_line> taken(std::move(lines_.front()));
    lines_.pop_front();
    bytes_ -= taken->text.size();
    --taken->origin->queued;
    while (!closed_ && !waiting_.empty() && fits(waiting_.front()->line_)) {
        auto* const next = waiting_.front();
        waiting_.pop_front();
        next->in_ = true;
        add(std::move(next->line_));
        next->timer_.cancel();
    }
    return taken;
}

void line_buffer::close() {
    closed_ = true;
    lines_.clear();
    bytes_ = 0;
}

} // namespace kftrain
