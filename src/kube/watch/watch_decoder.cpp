#include "kube/watch/watch_decoder.hpp"

#include "kube/answers/json_members.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace kftrain::kube {
namespace {

using detail::json_frame;
using detail::json_members;

constexpr std::string_view blanks = json_members::blanks;

/// Nothing if there is no such type of event.
std::optional<watch_event> event_of(std::string_view quoted_type, std::string_view object) {
    static constexpr std::array<std::pair<std::string_view, change_kind>, 3> changes{
        {{"\"ADDED\"", change_kind::added},
         {"\"MODIFIED\"", change_kind::modified},
         {"\"DELETED\"", change_kind::deleted}}};
    watch_event e;
    e.object = object;
    for (auto const& [name, kind] : changes)
        if (name == quoted_type) e.change = kind;
    e.is_error = quoted_type == "\"ERROR\"";
    if (e.is_bookmark() && quoted_type != "\"BOOKMARK\"") return {};
    return e;
}

/// Splits a line in the usual form, `{"type":"ADDED","object":...}`, from both ends. The text between is taken as the
/// object without reading it. Not for errors, which are not decoded completely.
std::optional<watch_event> usual_form(std::string_view line) {
    constexpr std::string_view before_type = "{\"type\":";
    constexpr std::string_view before_object = ",\"object\":";
    if (!line.starts_with(before_type)) return {};
    line.remove_prefix(before_type.size());
    auto const type = line.substr(0, line.find(','));
    line.remove_prefix(type.size());
    auto const end = line.find_last_not_of(blanks);
    if (!line.starts_with(before_object) || line[end] != '}') return {};
    auto event = event_of(type, line.substr(before_object.size(), end - before_object.size()));
    if (event && event->is_error) return {};
    return event;
}

failure broken(errc code, std::string message) {
    diagnostics d;
    d.message = std::move(message);
    return {code, std::move(d)};
}

constexpr std::size_t shown_of_event = 200;

result<std::optional<watch_event>> event_in(std::string_view text) {
    json_members members(text);
    std::string_view name, value, type, object;
    if (members.enter())
        while (members.next(name, value)) {
            if (name == "type") type = value;
            if (name == "object") object = value;
        }
    if (type.empty() && detail::find_failed_status(text) == detail::status_verdict::failure)
        return event_of("\"ERROR\"", text); // the server failed after it had sent 200
    if (!members.ok() || type.empty() || object.empty())
        return broken(errc::syntax, "expected a watch event with type and object, got " +
                                        std::string(text.substr(0, shown_of_event)));
    auto event = event_of(type, object);
    if (!event)
        return broken(errc::syntax, "expected a watch event of type ADDED, MODIFIED, DELETED, BOOKMARK or ERROR, got " +
                                        std::string(type.substr(0, shown_of_event)));
    return event;
}

} // namespace

void watch_decoder::feed(std::string_view bytes) {
    if (begin_ != 0) { // what was returned
        buffer_.erase(0, begin_);
        no_newline_ -= std::min(no_newline_, begin_);
        begin_ = last_ = 0;
    }
    buffer_ += bytes;
}

std::size_t watch_decoder::pending() const noexcept {
    auto const begin = buffer_.find_first_not_of(blanks, begin_);
    return begin == std::string::npos ? 0 : buffer_.size() - begin;
}

void watch_decoder::move_to(std::size_t begin) {
    begin_ = no_newline_ = begin;
    frame_ = json_frame();
    exact_ = false;
}

void watch_decoder::skip_blanks() {
    auto const begin = std::min(buffer_.find_first_not_of(blanks, begin_), buffer_.size());
    if (begin != begin_) move_to(begin);
}

result<std::optional<watch_event>> watch_decoder::next() {
    skip_blanks();
    auto const rest = std::string_view(buffer_).substr(begin_);
    if (rest.empty()) return std::optional<watch_event>();
    auto const state = frame_.read(rest);
    if (frame_.size() > limit_)
        return broken(errc::too_large, "a watch event is larger than " + std::to_string(limit_) + " bytes");
    if (state == json_frame::state::broken)
        return broken(errc::syntax, "expected a watch event, got " + std::string(rest.substr(0, shown_of_event)));
    if (state == json_frame::state::incomplete) return std::optional<watch_event>();
    auto const text = rest.substr(0, frame_.size());
    last_ = begin_;
    move_to(begin_ + text.size());
    return event_in(text);
}

/// The event on the line that begins here, if the line is complete and looks as servers write events.
std::optional<watch_event> watch_decoder::take_usual_line() {
    auto const end = buffer_.find('\n', no_newline_);
    no_newline_ = std::min(end, buffer_.size());
    if (end == std::string::npos || end - begin_ > limit_) return {};
    auto const event = usual_form(std::string_view(buffer_).substr(begin_, end - begin_));
    if (!event) return {};
    last_ = begin_;
    move_to(end + 1);
    return event;
}

result<std::optional<watch_event>> watch_decoder::next_unread() {
    skip_blanks();
    if (!exact_ && begin_ != buffer_.size()) {
        if (auto const likely = take_usual_line()) return likely;
        // Most pieces end within an event: it ends with a bracket, or its line does.
        bool const ends = no_newline_ != buffer_.size() || buffer_.back() == '}';
        if (!ends && buffer_.size() - begin_ <= limit_) return std::optional<watch_event>();
    }
    return next();
}

result<std::optional<watch_event>> watch_decoder::exact() {
    move_to(last_);
    exact_ = true;
    return next();
}

} // namespace kftrain::kube
