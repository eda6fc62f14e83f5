#include "model/code_points.hpp"
#include "model/pattern.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace kftrain {
namespace {

constexpr std::size_t most_repeats = 1000; // as RE2 has it
constexpr std::size_t most_steps = 100'000;

} // namespace

/// Emits steps from the end to the beginning: each construct is told where to go on.
class pattern::parser {
public:
    explicit parser(std::string_view text) : text_(code_points(text)) {}

    std::optional<pattern> run() {
        pattern out;
        out_ = &out.steps_;
        auto const last = add({step::kind::done, 0, 0, {}});
        if (!skim_alternatives() || at_ != text_.size()) return std::nullopt;
        at_ = 0;
        out.start_ = alternatives(last);
        if (failed_) return std::nullopt;
        return out;
    }

private:
    /* Two passes over the same grammar: the first finds where constructs end, so that the second can emit a sequence from
       its last part to its first. */
    bool more() const { return at_ < text_.size() && text_[at_] != U'|' && text_[at_] != U')'; }

    bool skim_alternatives() {
        for (;;) {
            while (more())
                if (!skim_atom() || !skim_repeats()) return false;
            if (at_ == text_.size() || text_[at_] != U'|') return true;
            ++at_;
        }
    }
    bool skim_atom() {
        auto const c = text_[at_++];
        if (c == U'*' || c == U'+' || c == U'?') return false;
        if (c == U'\\') return at_++ < text_.size();
        if (c == U'[') {
            if (at_ < text_.size() && text_[at_] == U'^') ++at_;
            if (at_ < text_.size() && text_[at_] == U']') ++at_;
            while (at_ < text_.size() && text_[at_] != U']') {
                if (text_[at_] == U'[' && at_ + 1 < text_.size() && text_[at_ + 1] == U':') return false;
                at_ += text_[at_] == U'\\' ? 2 : 1;
            }
            return at_++ < text_.size();
        }
        if (c != U'(') return true;
        if (at_ < text_.size() && text_[at_] == U'?') {
            if (at_ + 1 >= text_.size() || text_[at_ + 1] != U':') return false; // flags, names
            at_ += 2;
        }
        if (++depth_ > 200) return false;
        bool const fine = skim_alternatives() && at_ < text_.size() && text_[at_] == U')';
        --depth_;
        ++at_;
        return fine;
    }
    bool skim_repeats() {
        while (at_ < text_.size()) {
            auto const c = text_[at_];
            if (c == U'{') {
                std::size_t least = 0, most = 0;
                if (!bounds(least, most)) return false;
            } else if (c == U'*' || c == U'+' || c == U'?') {
                ++at_;
            } else {
                break;
            }
        }
        return true;
    }
    /// Reads `{2}`, `{2,}`, `{2,5}`; `most` is 0 for no bound.
    bool bounds(std::size_t& least, std::size_t& most) {
        auto const count = [&](std::size_t& n) {
            bool any = false;
            for (n = 0; at_ < text_.size() && text_[at_] >= U'0' && text_[at_] <= U'9' && n <= most_repeats; any = true)
                n = n * 10 + (text_[at_++] - U'0');
            return any && n <= most_repeats;
        };
        ++at_;
        if (!count(least)) return false;
        most = least;
        if (at_ < text_.size() && text_[at_] == U',') {
            ++at_;
            if (at_ < text_.size() && text_[at_] == U'}')
                most = 0;
            else if (!count(most) || most < least || most == 0)
                return false;
        } else if (least == 0) {
            return false;
        }
        return at_ < text_.size() && text_[at_++] == U'}';
    }

    std::size_t add(step s) {
        if (out_->size() >= most_steps) failed_ = true;
        if (!failed_) out_->push_back(std::move(s));
        return out_->size() - 1;
    }
    std::size_t split(std::size_t a, std::size_t b) { return add({step::kind::split, a, b, {}}); }

    std::size_t alternatives(std::size_t next) {
        auto first = sequence(next);
        while (at_ < text_.size() && text_[at_] == U'|') {
            ++at_;
            auto const second = sequence(next);
            first = split(first, second);
        }
        return first;
    }
    std::size_t sequence(std::size_t next) {
        struct part {
            std::size_t from, repeats, to;
        };
        std::vector<part> parts;
        while (more()) {
            part p{};
            p.from = at_;
            skim_atom();
            p.repeats = at_;
            skim_repeats();
            p.to = at_;
            parts.push_back(p);
        }
        auto const end = at_;
        for (auto p = parts.rbegin(); p != parts.rend(); ++p) next = repeated(p->from, p->repeats, p->to, next);
        at_ = end;
        return next;
    }
    /// The atom at `from`, repeated as the text from `repeats` to `to` says; the last sign binds weakest.
    std::size_t repeated(std::size_t from, std::size_t repeats, std::size_t to, std::size_t next) {
        // Repeats of repeats multiply, even where they add no step.
        if (++repeats_ > most_steps) failed_ = true;
        if (failed_) return next;
        if (repeats == to) {
            at_ = from;
            return atom(next);
        }
        auto sign = repeats;
        for (at_ = repeats; at_ < to;) {
            sign = at_;
            if (text_[at_] == U'{') {
                std::size_t a = 0, b = 0;
                bounds(a, b);
            } else {
                ++at_;
            }
        }
        auto const inner = [&](std::size_t then) { return repeated(from, repeats, sign, then); };
        std::size_t least = text_[sign] == U'+' ? 1 : 0, most = text_[sign] == U'?' ? 1 : 0;
        if (text_[sign] == U'{') {
            at_ = sign;
            bounds(least, most);
        }
        if (most == 0) {
            auto const loop = split(next, next);
            auto const body = inner(loop);
            if (!failed_) (*out_)[loop].other = body;
            next = loop;
        } else {
            for (auto n = most; n > least; --n) next = split(next, inner(next));
        }
        for (std::size_t n = 0; n < least; ++n) next = inner(next);
        return next;
    }
    std::size_t atom(std::size_t next) {
        auto const c = text_[at_++];
        switch (c) {
        case U'(': {
            if (text_[at_] == U'?') at_ += 2;
            auto const inside = alternatives(next);
            ++at_;
            return inside;
        }
        case U'[': return add({step::kind::one_of, next, 0, char_class()});
        case U'.': return add({step::kind::one_of, next, 0, {{0, U'\n' - 1}, {U'\n' + 1, 0x10FFFF}}});
        case U'^': return add({step::kind::begin, next, 0, {}});
        case U'$': return add({step::kind::end, next, 0, {}});
        case U'\\': return add({step::kind::one_of, next, 0, escape()});
        default: return add({step::kind::one_of, next, 0, {{c, c}}});
        }
    }
    ranges escape() {
        auto const c = text_[at_++];
        switch (c) {
        case U'd': return {{U'0', U'9'}};
        case U'w': return {{U'0', U'9'}, {U'A', U'Z'}, {U'_', U'_'}, {U'a', U'z'}};
        case U's': return {{U'\t', U'\n'}, {U'\f', U'\r'}, {U' ', U' '}};
        case U'n': return {{U'\n', U'\n'}};
        case U't': return {{U'\t', U'\t'}};
        case U'r': return {{U'\r', U'\r'}};
        default: break;
        }
        bool const word = (c >= U'0' && c <= U'9') || (c >= U'A' && c <= U'Z') || (c >= U'a' && c <= U'z');
        if (word || c >= 0x80) failed_ = true;
        return {{c, c}};
    }
    ranges char_class() {
        ranges set;
        bool const negated = text_[at_] == U'^';
        if (negated) ++at_;
        bool first = true;
        while (first || text_[at_] != U']') {
            first = false;
            auto c = text_[at_++];
            if (c == U'\\') {
                auto const part = escape();
                if (part.size() > 1 || part[0].first != part[0].second) {
                    set.insert(set.end(), part.begin(), part.end());
                    continue;
                }
                c = part[0].first;
            }
            auto last = c;
            if (text_[at_] == U'-' && text_[at_ + 1] != U']') {
                ++at_;
                last = text_[at_++];
                if (last == U'\\') last = escape()[0].first;
                if (last < c) failed_ = true;
            }
            set.emplace_back(c, last);
        }
        ++at_;
        if (!negated) return set;
        std::ranges::sort(set);
        ranges rest;
        char32_t free = 0;
        for (auto const& [from, to] : set) {
            if (from > free) rest.emplace_back(free, from - 1);
            free = std::max<char32_t>(free, to + 1);
        }
        rest.emplace_back(free, 0x10FFFF);
        return rest;
    }

    std::u32string text_;
    std::size_t at_ = 0;
    int depth_ = 0;
    bool failed_ = false;
    std::size_t repeats_ = 0; ///< how often repeated() was asked
    std::vector<step>* out_ = nullptr;
};

result<pattern> pattern::parse(std::string_view text) {
    if (auto p = parser(text).run()) return std::move(*p);
    failure f;
    f.code = errc::not_supported;
    f.detail.message = "cannot match the pattern '" + std::string(text) + "'";
    return f;
}

} // namespace kftrain
