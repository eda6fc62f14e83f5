#include "model/patch/json_patch.hpp"

#include "model/json/json_text.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <charconv>
#include <vector>

namespace kftrain::detail {

namespace json = boost::json;

namespace {

/// Items and members that insertions and removals may push along, a second of work: upstream has no such bound.
constexpr std::size_t most_moved = std::size_t{1} << 28U;
constexpr std::size_t most_copied = std::size_t{3} << 20U;

/// The places of a JSON pointer, unescaped.
using pointer = std::vector<std::string>;

/// Equality as RFC 6902, section 4.6, wants it: numbers by value.
bool equal_json(json::value const& a, json::value const& b) {
    if (a.is_array() && b.is_array())
        return std::equal(a.get_array().begin(), a.get_array().end(), b.get_array().begin(), b.get_array().end(),
                          equal_json);
    if (a.is_object() && b.is_object()) {
        auto const& other = b.get_object();
        return a.get_object().size() == other.size() &&
               std::all_of(a.get_object().begin(), a.get_object().end(), [&](auto const& member) {
                   auto const* v = other.if_contains(member.key());
                   return v != nullptr && equal_json(member.value(), *v);
               });
    }
    bool const by_value = a.is_number() && b.is_number() && (a.is_double() || b.is_double());
    return by_value ? a.to_number<double>() == b.to_number<double>() : a == b;
}

class runner {
public:
    runner(json::value& root, patch_dialect dialect) : root_(root), by_server_(dialect == patch_dialect::server) {}

    void run(json::value const& operation, std::size_t index) {
        where_ = "operation " + std::to_string(index);
        if (!operation.is_object()) refuse("expected an object");
        operation_ = &operation.get_object();
        auto const op = text("op");
        reaches_root_ = !by_server_ || op == "replace" || op == "test";
        if (op == "add") return add_bounded(parse("path"), value());
        if (op == "remove") return void(take(parse("path")));
        if (op == "replace") {
            auto const path = parse("path");
            bool const adds = look(path) == nullptr && may_be_absent(path);
            if (adds) return add_bounded(path, value());
            if (by_server_ && path.empty() && !value().is_structured()) refuse("expected an object or a list as value");
            auto& replaced = find(path);
            bound(path, value());
            replaced = value();
            return;
        }
        if (op == "test") {
            auto const path = parse("path");
            auto const* found = look(path);
            if (found == nullptr && may_be_absent(path) && value().is_null()) return;
            if (found == nullptr || !(by_server_ ? *found == value() : equal_json(*found, value())))
                refuse("the test of " + quoted_for_message(text("path")) + " failed: expected " + shown(value()) +
                       ", got " + (found == nullptr ? std::string("nothing") : shown(*found)));
            return;
        }
        if (op == "copy") {
            auto const from = parse("from");
            bool const absent = look(from) == nullptr && may_be_absent(from);
            json::value copied = absent ? json::value() : find(from);
            copied_ += json::serialize(copied).size();
            if (copied_ > most_copied) refuse("copies exceed " + std::to_string(most_copied) + " bytes");
            return add_bounded(parse("path"), std::move(copied));
        }
        if (op == "move") {
            auto const from = parse("from");
            auto const to = parse("path");
            if (to.size() > from.size() && std::equal(from.begin(), from.end(), to.begin()))
                refuse(quoted_for_message(text("from")) + " cannot be moved into itself");
            // A value that is not deeper than before fits.
            return to.size() > from.size() ? add_bounded(to, take(from)) : add(to, take(from));
        }
        refuse("expected add, remove, replace, move, copy or test as op, got " + quoted_for_message(op));
    }

private:
    [[noreturn]] void refuse(std::string const& why) const { refuse_patch(where_ + ": " + why); }
    static std::string shown(json::value const& v) { return quoted_for_message(json::serialize(v)); }

    std::string text(std::string_view name) const {
        auto const* v = operation_->if_contains(to_boost(name));
        if (v == nullptr || !v->is_string()) refuse("expected a string as " + std::string(name));
        return std::string(to_std(v->get_string()));
    }
    json::value const& value() const {
        static json::value const null;
        auto const* v = operation_->if_contains("value");
        if (v == nullptr && !by_server_) refuse("expected a value");
        return v != nullptr ? *v : null;
    }

    pointer parse(std::string_view name) const {
        auto whole = text(name);
        pointer out;
        if (whole.empty() && reaches_root_) return out;
        auto const start = whole.find('/');
        if (by_server_ && start == whole.npos) refuse("nothing exists at " + quoted_for_message(whole));
        if (start != 0 && !by_server_) refuse("expected / at the start of " + quoted_for_message(whole));
        for (std::size_t i = start; i < whole.size(); ++i) {
            if (whole[i] == '/') {
                out.emplace_back();
                continue;
            }
            char const next = whole[i] == '~' && i + 1 < whole.size() ? whole[i + 1] : '\0';
            bool const escaped = next == '0' || next == '1';
            if (whole[i] == '~' && !escaped && !by_server_) refuse("expected ~0 or ~1 in " + quoted_for_message(whole));
            out.back() += !escaped ? whole[i] : next == '0' ? '~' : '/';
            if (escaped) ++i;
        }
        return out;
    }

    /// `size` is the number of places that there are.
    std::size_t index(std::string const& token, std::size_t size) const {
        std::string_view digits = token;
        bool const negative = by_server_ && digits.starts_with('-');
        if (by_server_ && (digits.starts_with('-') || digits.starts_with('+'))) digits.remove_prefix(1);
        std::size_t n = 0;
        auto const r = std::from_chars(digits.data(), digits.data() + digits.size(), n);
        bool const leading_zero = !by_server_ && digits.size() > 1 && digits.front() == '0';
        if (digits.empty() || leading_zero || r.ec != std::errc() || r.ptr != digits.data() + digits.size())
            refuse("expected an index into a list, got " + quoted_for_message(token));
        bool const from_end = negative && n != 0;
        if (from_end ? n > size : n >= size)
            refuse("index " + token + " exceeds the end of a list of " + std::to_string(size));
        return from_end ? size - n : n;
    }

    /// Null where there is nothing.
    json::value* look(pointer const& path) const { return look(path, path.size()); }
    json::value* look(pointer const& path, std::size_t depth) const {
        json::value* at = &root_;
        for (std::size_t i = 0; i < depth; ++i) {
            if (auto* o = at->if_object()) {
                at = o->if_contains(to_boost(path[i]));
                if (at == nullptr) return nullptr;
            } else if (auto* a = at->if_array()) {
                at = &(*a)[index(path[i], a->size())];
            } else {
                return nullptr;
            }
        }
        return at;
    }
    json::value& find(pointer const& path) const {
        auto* v = look(path);
        if (v == nullptr) missing(path);
        return *v;
    }
    void charge(std::size_t items) {
        moved_ += items;
        if (moved_ > most_moved) refuse("too many insertions and removals in long lists and objects");
    }

    bool may_be_absent(pointer const& path) const {
        if (!by_server_ || path.empty()) return false;
        auto const* parent = look(path, path.size() - 1);
        return parent != nullptr && parent->is_object();
    }
    [[noreturn]] void missing(pointer const& path) const {
        std::string whole;
        for (auto const& token : path) {
            whole += '/';
            for (char const c : token) {
                if (c == '~' || c == '/')
                    whole += c == '~' ? "~0" : "~1";
                else
                    whole += c;
            }
        }
        refuse("nothing exists at " + quoted_for_message(whole));
    }

    /// Whether a value has no more than these levels. What it walks over is charged for, as it may be moved often.
    bool fits(json::value const& v, std::size_t levels) {
        if (!v.is_structured()) return true;
        if (levels == 0) return false;
        if (auto const* list = v.if_array()) {
            charge(list->size());
            return std::all_of(list->begin(), list->end(), [&](auto const& item) { return fits(item, levels - 1); });
        }
        auto const& o = v.get_object();
        charge(o.size());
        return std::all_of(o.begin(), o.end(), [&](auto const& m) { return fits(m.value(), levels - 1); });
    }
    /// Functions that go through a document call themselves once for each level.
    void bound(pointer const& path, json::value const& v) {
        if (path.size() > most_levels || !fits(v, most_levels - path.size()))
            refuse("expected at most " + std::to_string(most_levels) + " nested levels, got more at " +
                   quoted_for_message(text("path")));
    }

    void add_bounded(pointer const& path, json::value v) {
        bound(path, v);
        add(path, std::move(v));
    }
    void add(pointer const& path, json::value v) {
        if (path.empty()) {
            root_ = std::move(v);
            return;
        }
        auto* parent = look(path, path.size() - 1);
        auto const& last = path.back();
        if (parent != nullptr && parent->is_object()) {
            parent->get_object()[to_boost(last)] = std::move(v);
        } else if (parent != nullptr && parent->is_array()) {
            auto& list = parent->get_array();
            auto const at = last == "-" ? list.size() : index(last, list.size() + 1);
            charge(list.size() - at);
            list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), std::move(v));
        } else {
            missing(pointer(path.begin(), path.end() - 1));
        }
    }

    json::value take(pointer const& path) {
        json::value taken = std::move(find(path));
        if (path.empty()) {
            root_ = nullptr;
            return taken;
        }
        auto& parent = *look(path, path.size() - 1);
        if (auto* o = parent.if_object()) {
            charge(o->size());
            o->stable_erase(to_boost(path.back()));
        } else {
            auto& list = parent.get_array();
            auto const at = index(path.back(), list.size());
            charge(list.size() - at);
            list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
        }
        return taken;
    }

    json::value& root_;
    bool by_server_;
    bool reaches_root_ = true; ///< whether the operation may name the whole document
    json::object const* operation_ = nullptr;
    std::string where_;
    std::size_t copied_ = 0;
    std::size_t moved_ = 0;
};

} // namespace

void run_json_patch(json::value& target, json::value const& patch, patch_dialect dialect) {
    if (!patch.is_array()) refuse_patch("expected a list of operations as patch");
    auto const& operations = patch.get_array();
    if (operations.size() > most_operations)
        refuse_patch("expected at most " + std::to_string(most_operations) + " operations, got " +
                     std::to_string(operations.size()));
    runner r(target, dialect);
    for (std::size_t i = 0; i < operations.size(); ++i) r.run(operations[i], i);
}

} // namespace kftrain::detail
