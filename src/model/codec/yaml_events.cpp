#include "model/codec/yaml_events.hpp"

#include "model/json/json_text.hpp"
#include "model/scalars/base64.hpp"
#include "model/yaml/yaml_scalar.hpp"

#include <utility>

namespace kftrain::detail {
namespace {

/// Interprets a scalar by its tag; all tags but those of YAML's numbers, booleans and null make it a string.
yaml_scalar meaning(yaml_tag tag, bool plain, std::string_view value) {
    switch (tag) {
    case yaml_tag::none: return plain ? resolve_yaml_scalar(value) : yaml_scalar{};
    case yaml_tag::number: return resolve_yaml_float(value);
    case yaml_tag::integer:
    case yaml_tag::boolean:
    case yaml_tag::null: return resolve_yaml_scalar(value);
    default: return {};
    }
}

bool is_null(std::string_view plain) {
    return plain.empty() || plain == "~" || plain == "null" || plain == "Null" || plain == "NULL";
}

bool is_merge_key(yaml_tag tag, bool plain, std::string_view value) {
    bool const untagged = plain && (tag == yaml_tag::none || tag == yaml_tag::other);
    return value == "<<" && (tag == yaml_tag::merge || untagged);
}

/// Why the tag does not fit what the value means; empty if it does.
std::string tag_fault(yaml_tag tag, std::string_view value, yaml_scalar::kind meant) {
    using kind = yaml_scalar::kind;
    auto const check = [&](bool fits, char const* name) {
        return fits ? std::string() : "invalid YAML: " + quoted_for_message(value) + " is not a valid !!" + name;
    };
    switch (tag) {
    case yaml_tag::integer: return check(meant == kind::integer, "int");
    case yaml_tag::number:
        return check(meant == kind::integer || meant == kind::number || meant == kind::not_finite, "float");
    case yaml_tag::boolean: return check(meant == kind::boolean, "bool");
    case yaml_tag::null: return check(meant == kind::null, "null");
    default: return {};
    }
}

} // namespace

void yaml_events::set_current(yaml_event const& e) {
    using kind = yaml_event::kind;
    current_.mark = e.mark;
    current_.plain = e.plain;
    current_.tag = e.tag;
    current_.value = e.value;
    switch (e.what) {
    case kind::alias: current_.kind = what::alias; break;
    case kind::list: current_.kind = what::list; break;
    case kind::map: current_.kind = what::map; break;
    case kind::list_end: current_.kind = what::list_end; break;
    case kind::map_end: current_.kind = what::map_end; break;
    default: current_.kind = e.plain && e.tag == yaml_tag::none && is_null(e.value) ? what::null : what::scalar; break;
    }
    if (current_.closes()) current_.mark = mark_;
    if (current_.kind != what::alias) return;
    auto const at = names_.find(e.anchor);
    if (at == names_.end()) {
        mark_ = e.mark;
        refuse(errc::syntax, "invalid YAML: unknown anchor " + quoted_for_message(e.anchor));
    }
    current_.target = at->second;
}

void yaml_events::take(yaml_event const& taken) {
    set_current(taken);
    auto& e = current_;
    bool const opens = e.opens();
    bool const closes = e.closes();
    if (closes) --level_;
    if (opens && level_ >= max_depth_ && merging_) too_deep(e.mark);
    bool const starts_merge = merge_next_ && !merging_;
    if (starts_merge) {
        merge_next_ = false;
        merging_ = true;
        recordings_.push_back({level_, 0, recorded_.size()});
    }
    if (!taken.anchor.empty() && e.kind != what::alias) {
        names_.insert_or_assign(std::string(taken.anchor), anchors_.size());
        recordings_.push_back({level_, anchors_.size(), recorded_.size()});
        anchors_.emplace_back();
    }
    bool const pass_on = !merging_;
    if (recordings_.empty()) {
        emit(e);
    } else {
        recorded_.push_back(e);
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
        open_.push_back({true, true, {}});
        return;
    case what::list:
        check(sink_.begin_array());
        open_.push_back({false, false, {}});
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
    if (is_merge_key(e.tag, e.plain, e.value)) {
        merge_next_ = true;
        return;
    }
    auto const scalar = meaning(e.tag, e.plain, e.value);
    if (scalar.what == yaml_scalar::kind::null || scalar.what == yaml_scalar::kind::not_finite)
        refuse(errc::syntax, "invalid YAML: " + quoted_for_message(e.value) + " cannot be a key");
    if (auto fault = tag_fault(e.tag, e.value, scalar.what); !fault.empty()) refuse(errc::syntax, std::move(fault));
    std::string const bytes = e.tag == yaml_tag::binary ? bytes_of(e) : std::string();
    std::string_view const text = scalar.what == yaml_scalar::kind::string ? e.value : scalar.text;
    std::string_view const key = e.tag == yaml_tag::binary ? bytes : text;
    check(sink_.key(key, may_repeat(key)));
    open_.back().expects_key = false;
}

/** Keys from a merge key may be repeated after it, or in another merged map; the last value wins, as in kubectl. A key
    before the merge key may not: there YAML's own rule and kubectl differ. */
bool yaml_events::may_repeat(std::string_view key) {
    auto& known = open_.back().merged;
    auto const before = known.find(key);
    bool const found = before != known.end();
    if (merged_.depth != open_.size()) {
        if (found) known.erase(before); // a second one of the map's own is a duplicate
        return found;
    }
    if (found) return std::exchange(before->second, merged_.number) != merged_.number;
    known.emplace(key, merged_.number);
    return false;
}

/// Kubernetes reads such a scalar as the string of its bytes, and base64 as the Go library does: only line breaks may
/// separate the characters.
std::string yaml_events::bytes_of(event const& binary) {
    auto bytes = binary.value.find_first_of(" \t") == std::string::npos ? base64_decode(binary.value) : std::nullopt;
    if (!bytes)
        refuse(errc::syntax,
               "invalid YAML: " + quoted_for_message(binary.value) + " is not valid base64, which !!binary requires");
    if (find_invalid_utf8(*bytes) != std::string_view::npos)
        refuse(errc::syntax, "invalid YAML: the bytes of a !!binary value are not UTF-8");
    return *std::move(bytes);
}

void yaml_events::emit_scalar(event const& e) {
    if (e.tag == yaml_tag::binary) return check(sink_.string(bytes_of(e)));
    auto const scalar = meaning(e.tag, e.plain, e.value);
    if (auto fault = tag_fault(e.tag, e.value, scalar.what); !fault.empty()) refuse(errc::syntax, std::move(fault));
    switch (scalar.what) {
    case yaml_scalar::kind::string: return check(sink_.string(e.value));
    case yaml_scalar::kind::null: return check(sink_.null());
    case yaml_scalar::kind::boolean: return check(sink_.boolean(scalar.boolean));
    case yaml_scalar::kind::integer: return check(sink_.integer(scalar.integer, scalar.text));
    case yaml_scalar::kind::number: return check(sink_.number(scalar.number, scalar.text));
    case yaml_scalar::kind::not_finite:
        refuse(errc::syntax, "invalid YAML: JSON cannot represent the number " + e.value);
    }
}

yaml_events::range yaml_events::target_of(event const& alias) {
    range const target = anchors_[alias.target];
    if (target.end == 0) refuse(errc::syntax, "invalid YAML: an anchor contains itself");
    return target;
}

void yaml_events::replay(range r) {
    if (++replay_depth_ > max_depth_) too_deep(mark_);
    for (std::size_t i = r.begin; i < r.end; ++i) {
        auto const& e = recorded_[i];
        std::size_t const cost = 32 + e.value.size();
        if (cost > budget_) refuse(errc::too_large, "the expansion of aliases exceeds the limit");
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
        refuse(errc::syntax, "invalid YAML: a merge key requires a map or a list of maps");
    auto const outer = std::exchange(merged_, {open_.size(), ++merged_count_});
    replay({r.begin + 1, r.end - 1});
    merged_ = outer;
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

void yaml_events::too_deep(yaml_mark const& mark) {
    mark_ = mark;
    refuse(errc::too_deep, "nested deeper than " + std::to_string(max_depth_) + " levels");
}

void yaml_events::refuse(errc code, std::string message) {
    sink_.fail(code, std::move(message));
    throw stop{};
}

} // namespace kftrain::detail
