#include "selector.hpp"

#include "json_access.hpp"
#include "refusals.hpp"

#include <algorithm>
#include <charconv>

namespace kftrain::apiserver {

/// key | !key | key = v | key == v | key != v | key in (a, b) | key notin (a, b) | key > n | key < n, with commas between
class selector::label_parser {
public:
    explicit label_parser(std::string_view text) : rest_(text) {}

    answer<std::vector<requirement>> run() {
        std::vector<requirement> out;
        skip();
        while (!rest_.empty()) {
            auto r = one();
            if (!r) return r.error();
            out.push_back(std::move(*r));
            skip();
            if (rest_.empty()) break;
            if (!take(",")) return wrong("',' or end of string");
            skip();
            if (rest_.empty()) return wrong("a key");
        }
        return out;
    }

private:
    answer<requirement> one() {
        requirement r;
        if (take("!")) {
            r.what = op::absent;
            r.key = word();
            if (r.key.empty()) return wrong("a key");
            return r;
        }
        r.key = word();
        if (r.key.empty()) return wrong("'!' or a key");
        skip();
        if (rest_.empty() || rest_.front() == ',') return r;
        if (take("!=")) return single(std::move(r), op::not_in);
        if (take("==") || take("=")) return single(std::move(r), op::in);
        if (take(">")) return number(std::move(r), op::above);
        if (take("<")) return number(std::move(r), op::below);
        auto const before = rest_;
        auto const name = word();
        if (name != "in" && name != "notin") {
            rest_ = before;
            return wrong("in, notin, =, ==, !=, > or <");
        }
        r.what = name == "in" ? op::in : op::not_in;
        skip();
        if (!take("(")) return wrong("'('");
        for (;;) {
            r.values.push_back(word()); // an empty word is a value, too
            skip();
            if (take(")")) return r;
            if (!take(",")) return wrong("',' or ')'");
        }
    }
    answer<requirement> single(requirement r, op what) {
        r.what = what;
        r.values.push_back(word());
        return r;
    }
    answer<requirement> number(requirement r, op what) {
        auto parsed = single(std::move(r), what);
        std::int64_t n = 0;
        auto const& v = parsed->values.front();
        auto const end = v.data() + v.size();
        if (std::from_chars(v.data(), end, n).ptr != end || v.empty()) return wrong("an integer after > or <");
        return parsed;
    }
    refusal wrong(std::string_view wanted) const {
        return bad_request("unable to parse requirement: found '" + std::string(rest_) +
                           "', expected: " + std::string(wanted));
    }
    void skip() {
        auto const at = rest_.find_first_not_of(" \t\r\n");
        rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at);
    }
    bool take(std::string_view token) {
        if (!rest_.starts_with(token)) return false;
        rest_.remove_prefix(token.size());
        return true;
    }
    std::string word() {
        skip();
        constexpr std::string_view label_characters =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./";
        auto const end = std::min(rest_.find_first_not_of(label_characters), rest_.size());
        std::string out(rest_.substr(0, end));
        rest_.remove_prefix(end);
        return out;
    }

    std::string_view rest_;
};

namespace {

/// Cuts at unescaped commas; `\,`, `\=` and `\\` stay as they are.
std::vector<std::string_view> terms_of(std::string_view text) {
    std::vector<std::string_view> out;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && text[i] == '\\') {
            ++i;
        } else if (i == text.size() || text[i] == ',') {
            if (i > start) out.push_back(text.substr(start, i - start));
            start = i + 1;
        }
    }
    if (start < text.size()) out.push_back(text.substr(start));
    return out;
}

std::string unescaped(std::string_view s) {
    std::string out;
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (s[i] == '\\' && i + 1 < s.size()) ++i;
        out += s[i];
    }
    return out;
}

std::string text_at(json::object const& o, std::string_view path) {
    auto const* v = at_path(o, path);
    if (v == nullptr || v->is_null()) return {};
    return v->is_string() ? std::string(view(v->get_string())) : json::serialize(*v);
}

} // namespace

answer<selector> selector::parse(resource_definition const& d, std::string_view ns, std::string_view labels,
                                 std::string_view fields) {
    selector out;
    out.namespace_ = ns;
    auto parsed = label_parser(labels).run();
    if (!parsed) return parsed.error();
    out.labels_ = std::move(*parsed);
    for (auto const term : terms_of(fields)) {
        field f;
        auto at = term.find('=');
        if (at == std::string_view::npos || at == 0)
            return bad_request("invalid selector: '" + std::string(fields) + "'; can't understand '" +
                               std::string(term) + "'");
        auto value = term.substr(at + 1);
        if (value.starts_with('='))
            value.remove_prefix(1);
        else if (term[at - 1] == '!')
            f.equal = false, --at;
        f.path = term.substr(0, at);
        f.value = unescaped(value);
        bool const known = f.path == "metadata.name" ||
                           (f.path == "metadata.namespace" && d.where == scope::namespaced) ||
                           std::ranges::find(d.selectable_fields, f.path) != d.selectable_fields.end();
        if (!known) return bad_request("field label not supported: " + f.path);
        out.fields_.push_back(std::move(f));
    }
    return out;
}

bool selector::matches(stored_object const& object) const {
    if (!namespace_.empty() && object.namespace_() != namespace_) return false;
    for (auto const& f : fields_)
        if ((text_at(object.value(), f.path) == f.value) != f.equal) return false;
    if (labels_.empty()) return true;
    auto const* found = object_in(metadata_of(object.value()), "labels");
    auto const& labels = found != nullptr ? *found : empty_object;
    for (auto const& r : labels_) {
        auto const* v = labels.if_contains(key(r.key));
        auto const value = v != nullptr ? view(v->get_string()) : std::string_view{};
        auto const listed = [&] { return v != nullptr && std::ranges::find(r.values, value) != r.values.end(); };
        auto const compare = [&](bool above) {
            std::int64_t a = 0, b = 0;
            auto const end = value.data() + value.size();
            if (value.empty() || std::from_chars(value.data(), end, a).ptr != end) return false;
            auto const& limit = r.values.front();
            std::from_chars(limit.data(), limit.data() + limit.size(), b);
            return above ? a > b : a < b;
        };
        bool ok = false;
        switch (r.what) {
        case op::exists: ok = v != nullptr; break;
        case op::absent: ok = v == nullptr; break;
        case op::in: ok = listed(); break;
        case op::not_in: ok = !listed(); break;
        case op::above: ok = compare(true); break;
        case op::below: ok = compare(false); break;
        }
        if (!ok) return false;
    }
    return true;
}

} // namespace kftrain::apiserver
