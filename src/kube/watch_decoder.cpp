#include "kube/watch_decoder.hpp"

#include <array>
#include <utility>

namespace kftrain::kube {
namespace {

constexpr std::string_view blanks = " \t\r\n";

/** Walks over the members of the outermost object. It finds where values end and checks no more than that needs: the
    value of `object` is checked by its decoder. */
class member_scanner {
public:
    explicit member_scanner(std::string_view text) : text_(text) {}

    bool enter() { return take('{'); }
    /// False at the end of the object or when the text is none; ok() tells which.
    bool next(std::string_view& name, std::string_view& value) {
        skip_blanks();
        if (take('}')) {
            skip_blanks();
            ok_ = at_ == text_.size();
            return false;
        }
        if (members_++ != 0 && !take(',')) return false;
        skip_blanks();
        auto const name_begin = at_;
        if (!skip_string()) return false;
        name = text_.substr(name_begin + 1, at_ - name_begin - 2);
        if (!take(':')) return false;
        skip_blanks();
        auto const value_begin = at_;
        if (!skip_value()) return false;
        value = text_.substr(value_begin, at_ - value_begin);
        return true;
    }
    bool ok() const noexcept { return ok_; }

private:
    void skip_blanks() {
        auto const next = text_.find_first_not_of(blanks, at_);
        at_ = next == std::string_view::npos ? text_.size() : next;
    }
    bool take(char c) {
        skip_blanks();
        if (at_ == text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    bool skip_string() {
        if (at_ == text_.size() || text_[at_] != '"') return false;
        for (++at_;;) {
            at_ = text_.find_first_of("\"\\", at_);
            if (at_ == std::string_view::npos) return at_ = text_.size(), false;
            if (text_[at_] == '"') return ++at_, true;
            at_ += 2;
        }
    }
    bool skip_value() {
        std::size_t depth = 0;
        auto const begin = at_;
        while (at_ < text_.size()) {
            char const c = text_[at_];
            if (c == '"') {
                if (!skip_string()) return false;
                if (depth == 0) return true;
                continue;
            }
            if (c == '{' || c == '[') {
                ++depth;
            } else if (c == '}' || c == ']') {
                if (depth == 0) return at_ != begin; // of the outermost object
                if (--depth == 0) return ++at_, true;
            } else if (depth == 0 && (c == ',' || blanks.find(c) != std::string_view::npos)) {
                return at_ != begin;
            }
            ++at_;
        }
        return false;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    unsigned members_ = 0;
    bool ok_ = false;
};

std::optional<watch_event::kind> kind_of(std::string_view quoted) {
    using enum watch_event::kind;
    static constexpr std::array<std::pair<std::string_view, watch_event::kind>, 5> kinds{{{"\"ADDED\"", added},
                                                                                          {"\"MODIFIED\"", modified},
                                                                                          {"\"DELETED\"", deleted},
                                                                                          {"\"BOOKMARK\"", bookmark},
                                                                                          {"\"ERROR\"", error}}};
    for (auto const& [name, kind] : kinds)
        if (name == quoted) return kind;
    return {};
}

watch_event event_of(watch_event::kind type, std::string_view object) {
    watch_event e;
    e.type = type;
    e.object = object;
    return e;
}

/// A line as servers write them, `{"type":"ADDED","object":...}`, taken apart from its ends. What stands between is taken for
/// the object, unread. Not for errors, which nobody decodes to the letter.
std::optional<watch_event> usual_form(std::string_view line) {
    constexpr std::string_view before_type = "{\"type\":";
    constexpr std::string_view before_object = ",\"object\":";
    if (!line.starts_with(before_type)) return {};
    line.remove_prefix(before_type.size());
    auto const type = line.substr(0, line.find(','));
    auto const kind = kind_of(type);
    if (!kind || *kind == watch_event::kind::error) return {};
    line.remove_prefix(type.size());
    auto const end = line.find_last_not_of(blanks);
    if (!line.starts_with(before_object) || line[end] != '}') return {};
    return event_of(*kind, line.substr(before_object.size(), end - before_object.size()));
}

failure broken(errc code, std::string message) {
    diagnostics d;
    d.message = std::move(message);
    return {code, std::move(d)};
}

} // namespace

void watch_decoder::feed(std::string_view bytes) {
    if (begin_ != 0) { // what next() consumed
        buffer_.erase(0, begin_);
        scanned_ -= begin_;
        begin_ = 0;
    }
    buffer_ += bytes;
}

/// The next complete line that holds more than blanks.
result<std::optional<std::string_view>> watch_decoder::take_line() {
    for (;;) {
        auto const end = buffer_.find('\n', scanned_);
        auto const stop = end == std::string::npos ? buffer_.size() : end;
        if (stop - begin_ > limit_)
            return broken(errc::too_large, "a watch event is larger than " + std::to_string(limit_) + " bytes");
        if (end == std::string::npos) {
            scanned_ = buffer_.size();
            return std::optional<std::string_view>();
        }
        auto const line = std::string_view(buffer_).substr(begin_, end - begin_);
        line_ = begin_;
        begin_ = scanned_ = end + 1;
        if (line.find_first_not_of(blanks) != std::string_view::npos) return std::optional(line);
    }
}

/// Nothing if the event is to be skipped.
result<std::optional<watch_event>> watch_decoder::scan(std::string_view line) {
    member_scanner members(line);
    std::string_view name, value, type, object;
    if (members.enter())
        while (members.next(name, value)) {
            if (name == "type") type = value;
            if (name == "object") object = value;
        }
    if (!members.ok() || type.empty() || object.empty())
        return broken(errc::syntax,
                      "expected a watch event with type and object, got " + std::string(line.substr(0, 200)));
    auto const kind = kind_of(type);
    if (!kind) {
        ++skipped_;
        return std::optional<watch_event>();
    }
    return std::optional(event_of(*kind, object));
}

result<std::optional<watch_event>> watch_decoder::next() {
    for (;;) {
        auto const line = take_line();
        if (!line) return line.error();
        if (!*line) return std::optional<watch_event>();
        auto event = scan(**line);
        if (!event || *event) return event;
    }
}

result<std::optional<watch_event>> watch_decoder::next_unread() {
    for (;;) {
        auto const line = take_line();
        if (!line) return line.error();
        if (!*line) return std::optional<watch_event>();
        if (auto const likely = usual_form(**line)) return likely;
        auto event = scan(**line);
        if (!event || *event) return event;
    }
}

result<std::optional<watch_event>> watch_decoder::exact() {
    return scan(std::string_view(buffer_).substr(line_, begin_ - line_ - 1));
}

} // namespace kftrain::kube
