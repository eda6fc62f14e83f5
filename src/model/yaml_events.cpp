#include "model/yaml_events.hpp"

#include "model/base64.hpp"
#include "model/yaml_checks.hpp"
#include "model/yaml_scalar.hpp"

#include <algorithm>

namespace kftrain::detail {
namespace {

constexpr std::string_view core_tags = "tag:yaml.org,2002:";
constexpr std::string_view binary_tag = "tag:yaml.org,2002:binary";

/// What a scalar means, its tag considered: `?` is a plain one, `!` a quoted one, others than these are left alone.
yaml_scalar meaning(std::string_view tag, std::string_view value) {
    if (tag == "?") return resolve_yaml_scalar(value);
    if (!tag.starts_with(core_tags)) return {};
    tag.remove_prefix(core_tags.size());
    if (tag == "float") return resolve_yaml_float(value);
    bool const resolves = tag == "int" || tag == "bool" || tag == "null";
    return resolves ? resolve_yaml_scalar(value) : yaml_scalar{};
}

/// Why the tag does not fit what the value means; empty if it does.
std::string tag_fault(std::string_view tag, std::string_view value, yaml_scalar::kind meant) {
    if (!tag.starts_with(core_tags)) return {};
    tag.remove_prefix(core_tags.size());
    using kind = yaml_scalar::kind;
    bool const number = meant == kind::integer || meant == kind::number || meant == kind::not_finite;
    bool const fits = tag == "int"     ? meant == kind::integer
                      : tag == "float" ? number
                      : tag == "bool"  ? meant == kind::boolean
                      : tag == "null"  ? meant == kind::null
                                       : true;
    return fits ? std::string() : "invalid YAML: " + quoted_for_message(value) + " is no !!" + std::string(tag);
}

} // namespace

// At a stray `,` or `]` the parser finds empty documents without end.
void yaml_events::OnDocumentStart(YAML::Mark const& mark) {
    if (mark.pos == document_pos_) {
        mark_ = mark;
        refuse(errc::syntax, "invalid YAML: expected a value, got " +
                                 quoted_for_message(text_.substr(std::min<std::size_t>(text_.size(), mark.pos), 20)));
    }
    document_pos_ = mark.pos;
}

void yaml_events::OnNull(YAML::Mark const& mark, YAML::anchor_t anchor) { take({what::null, mark}, anchor); }

void yaml_events::OnAlias(YAML::Mark const& mark, YAML::anchor_t anchor) { take({what::alias, mark, anchor}, 0); }

void yaml_events::OnScalar(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                           std::string const& value) {
    quoted_last_ = tag != "?";
    scalar_mark_ = mark;
    // Only quotes have escapes, and escapes are all that is not in the text, whose bytes are known to be good.
    take({what::scalar, mark, 0, tag, quoted_last_ ? mend_escapes(value) : value}, anchor);
}

void yaml_events::OnSequenceStart(YAML::Mark const& mark, std::string const&, YAML::anchor_t anchor,
                                  YAML::EmitterStyle::value) {
    take({what::list, mark}, anchor);
}

void yaml_events::OnSequenceEnd() { take({what::list_end, mark_}, 0); }

void yaml_events::OnMapStart(YAML::Mark const& mark, std::string const&, YAML::anchor_t anchor,
                             YAML::EmitterStyle::value style) {
    take({what::map, mark, 0, style == YAML::EmitterStyle::Flow ? "flow" : ""}, anchor);
}

void yaml_events::OnDocumentEnd() {
    auto const offset = [](YAML::Mark const& m) { return static_cast<std::size_t>(std::max(m.pos, 0)); };
    if (quoted_last_ && has_open_quote(text_, offset(scalar_mark_))) {
        mark_ = scalar_mark_;
        refuse(errc::syntax, "invalid YAML: the quote is never closed");
    }
    if (bare_key_ && lacks_colon(text_, offset(key_mark_), key_size_)) {
        mark_ = key_mark_;
        refuse(errc::syntax, "invalid YAML: no ':' after the key");
    }
}

void yaml_events::OnMapEnd() { take({what::map_end, mark_}, 0); }

void yaml_events::take(event e, YAML::anchor_t anchor) {
    bool const opens = e.opens();
    bool const closes = e.closes();
    if (closes) --level_;
    bool const starts_merge = merge_next_ && !merging_;
    if (starts_merge) {
        merge_next_ = false;
        merging_ = true;
        recordings_.push_back({level_, 0, recorded_.size()});
    }
    if (anchor != 0) {
        anchors_[anchor] = {};
        recordings_.push_back({level_, anchor, recorded_.size()});
    }
    bool const pass_on = !merging_;
    if (recordings_.empty()) {
        emit(e);
    } else {
        recorded_.push_back(std::move(e));
        // emit() may replay, which only reads the recording.
        if (pass_on) emit(recorded_.back());
    }
    if (opens) ++level_;
    if (opens) return;
    while (!recordings_.empty() && recordings_.back().level == level_) {
        auto const done = recordings_.back();
        recordings_.pop_back();
        finish(done);
    }
}

void yaml_events::finish(recording const& r) {
    range const recorded{r.begin, recorded_.size()};
    if (r.anchor != 0) {
        anchors_[r.anchor] = recorded;
        return;
    }
    merging_ = false;
    merge(recorded);
}

void yaml_events::emit(event const& e) {
    mark_ = e.mark;
    bool const expects_key = !open_.empty() && open_.back().map && open_.back().expects_key;
    if (e.kind != what::null || !open_.empty()) has_content_ = true;
    if (e.kind != what::null && !e.closes()) bare_key_ = false;
    switch (e.kind) {
    case what::alias: replay(target_of(e)); return;
    case what::map_end:
        check(sink_.end_object());
        open_.pop_back();
        value_done();
        return;
    case what::list_end:
        check(sink_.end_array());
        open_.pop_back();
        value_done();
        return;
    default: break;
    }
    if (expects_key) {
        emit_key(e);
        return;
    }
    switch (e.kind) {
    case what::map:
        check(sink_.begin_object());
        open_.push_back({true, true, !e.tag.empty()});
        return;
    case what::list:
        check(sink_.begin_array());
        open_.push_back({false, false, false});
        return;
    case what::null:
        if (!open_.empty()) check(sink_.null()); // an empty document is the caller's affair
        break;
    default: emit_scalar(e); break;
    }
    value_done();
}

void yaml_events::value_done() {
    if (!open_.empty() && open_.back().map) open_.back().expects_key = true;
}

void yaml_events::emit_key(event const& e) {
    if (e.kind == what::null) refuse(errc::syntax, "invalid YAML: null cannot be a key");
    if (e.kind != what::scalar) refuse(errc::syntax, "invalid YAML: a key must be a scalar");
    if (e.tag == "?" && e.value == "<<") {
        merge_next_ = true;
        return;
    }
    auto const scalar = meaning(e.tag, e.value);
    if (scalar.what == yaml_scalar::kind::null || scalar.what == yaml_scalar::kind::not_finite)
        refuse(errc::syntax, "invalid YAML: " + quoted_for_message(e.value) + " cannot be a key");
    if (auto fault = tag_fault(e.tag, e.value, scalar.what); !fault.empty()) refuse(errc::syntax, std::move(fault));
    if (e.tag == binary_tag)
        check(sink_.key(bytes_of(e)));
    else
        check(sink_.key(scalar.what == yaml_scalar::kind::string ? e.value : scalar.text));
    open_.back().expects_key = false;
    key_mark_ = e.mark;
    key_size_ = e.value.size();
    bare_key_ = e.tag == "?" && !open_.back().flow;
}

/// Kubernetes reads such a scalar as the string of its bytes, and base64 as the Go library does: line breaks only between.
std::string yaml_events::bytes_of(event const& binary) {
    auto bytes = binary.value.find_first_of(" \t") == std::string::npos ? base64_decode(binary.value) : std::nullopt;
    if (!bytes)
        refuse(errc::syntax, "invalid YAML: " + quoted_for_message(binary.value) + " is no !!binary, no base64");
    if (find_invalid_utf8(*bytes) != std::string_view::npos)
        refuse(errc::syntax, "invalid YAML: the bytes of the !!binary are not UTF-8, as strings must be");
    return *std::move(bytes);
}

void yaml_events::emit_scalar(event const& e) {
    if (e.tag == binary_tag) return check(sink_.string(bytes_of(e)));
    auto const scalar = meaning(e.tag, e.value);
    if (auto fault = tag_fault(e.tag, e.value, scalar.what); !fault.empty()) refuse(errc::syntax, std::move(fault));
    switch (scalar.what) {
    case yaml_scalar::kind::string: return check(sink_.string(e.value));
    case yaml_scalar::kind::null: return check(sink_.null());
    case yaml_scalar::kind::boolean: return check(sink_.boolean(scalar.boolean));
    case yaml_scalar::kind::integer: return check(sink_.integer(scalar.integer, scalar.text));
    case yaml_scalar::kind::number: return check(sink_.number(scalar.number, scalar.text));
    case yaml_scalar::kind::not_finite: refuse(errc::syntax, "invalid YAML: JSON has no number " + e.value);
    }
}

yaml_events::range yaml_events::target_of(event const& alias) {
    auto const at = anchors_.find(alias.target);
    if (at == anchors_.end() || at->second.end == 0) refuse(errc::syntax, "invalid YAML: an anchor contains itself");
    return at->second;
}

void yaml_events::replay(range r) {
    if (++replay_depth_ > max_depth_)
        refuse(errc::too_deep, "nested deeper than " + std::to_string(max_depth_) + " levels");
    for (std::size_t i = r.begin; i < r.end; ++i) {
        auto const& e = recorded_[i];
        std::size_t const cost = 32 + e.value.size();
        if (cost > budget_) refuse(errc::too_large, "aliases expand to more than is allowed");
        budget_ -= cost;
        if (!merge_next_) {
            emit(e);
            continue;
        }
        merge_next_ = false;
        range const value{i, end_of_node(i)};
        merge(value);
        i = value.end - 1;
    }
    --replay_depth_;
}

void yaml_events::merge(range r) {
    auto const& first = recorded_[r.begin];
    mark_ = first.mark;
    if (first.kind != what::list) return merge_map(r);
    std::vector<range> items;
    for (std::size_t i = r.begin + 1; i < r.end - 1; i = items.back().end) items.push_back({i, end_of_node(i)});
    // The last one written wins, and of several merged maps the first shall.
    for (auto item = items.rbegin(); item != items.rend(); ++item) merge_map(*item);
}

void yaml_events::merge_map(range r) {
    mark_ = recorded_[r.begin].mark;
    if (recorded_[r.begin].kind == what::alias) r = target_of(recorded_[r.begin]);
    if (recorded_[r.begin].kind != what::map)
        refuse(errc::syntax, "invalid YAML: a merge key takes a map or a list of maps");
    replay({r.begin + 1, r.end - 1});
}

std::size_t yaml_events::end_of_node(std::size_t begin) const {
    std::size_t depth = 0;
    for (std::size_t i = begin;; ++i) {
        if (recorded_[i].opens()) ++depth;
        if (recorded_[i].closes()) --depth;
        if (depth == 0) return i + 1;
    }
}

void yaml_events::check(bool ok) {
    if (!ok) throw stop{};
}

void yaml_events::refuse(errc code, std::string message) {
    sink_.fail(code, std::move(message));
    throw stop{};
}

} // namespace kftrain::detail
