#include "apiserver/checks/body_type.hpp"

#include "apiserver/refusals/refusals.hpp"
#include "model/codec/collected_faults.hpp"
#include "model/codec/tree_decode.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/detail/descriptor_table.hpp>
#include <kftrain/model/object_type.hpp>
#include <kftrain/model/quantity.hpp>
#include <kftrain/model/scalars.hpp>

#include <algorithm>
#include <set>

// Every source that describes an object with such members holds these tables.
extern template struct kftrain::model::table<kftrain::time_point>;
extern template struct kftrain::model::table<kftrain::micro_time>;
extern template struct kftrain::model::table<kftrain::quantity>;
extern template struct kftrain::model::table<kftrain::bytes>;

namespace kftrain::apiserver {
namespace {

/// Why Go does not read this as a MicroTime; empty if it does.
std::string micro_time_fault(std::string_view text) {
    constexpr std::string_view layout = "2006-01-02T15:04:05.000000Z07:00", digits = "0123456789";
    constexpr std::size_t to_seconds = 19;
    auto const rest = text.substr(std::min(to_seconds, text.size()));
    auto const end = rest.starts_with('.') ? rest.find_first_not_of(digits, 1) : 0;
    if (end == 7) return {};
    bool const longer = end > 7 && end != rest.npos;
    return "parsing time " + in_quotes(text) + " as " + in_quotes(layout) + ": cannot parse " +
           in_quotes(longer ? rest.substr(7) : rest) + " as " + (longer ? "\"Z07:00\"" : "\".000000\"");
}

template <class Object> void visit_members(Object& o, model::descriptor const& d, auto const& visit);

/// Calls `visit(text, type)` for each value of a tree, which may be const, that its type holds as something else than a
/// string.
template <class Value> void visit_texts(Value& v, model::descriptor const* d, auto const& visit) {
    while (d->kind == model::shape::optional) d = d->element;
    auto* const object = v.if_object();
    auto* const list = v.if_array();
    if (d->kind == model::shape::text) {
        visit(v, *d);
    } else if (d->kind == model::shape::object && object != nullptr) {
        visit_members(*object, *d, visit);
    } else if (d->kind == model::shape::array && list != nullptr) {
        for (auto& item : *list) visit_texts(item, d->element, visit);
    } else if (d->kind == model::shape::map && object != nullptr) {
        for (auto& entry : *object) visit_texts(entry.value(), d->element, visit);
    }
}

template <class Object> void visit_members(Object& o, model::descriptor const& d, auto const& visit) {
    for (auto& member : o)
        if (auto const* f = d.find(std::string_view(member.key().data(), member.key().size())))
            visit_texts(member.value(), f->type, visit);
}

/// Spells a value of this type as servers do; false if it is of another type.
template <class T> bool spell_as(json::value& v, model::descriptor const& d) {
    if (&d != &descriptor_of<T>()) return false;
    auto const text = v.is_string() ? std::string(view(v.get_string())) : json::serialize(v);
    T value{};
    if (v.is_null() || !d.parse(&value, text)) return true;
    if (d.make_canonical != nullptr) d.make_canonical(&value);
    std::string out;
    d.print(&value, out);
    if (!v.is_string() || out != text) v = out;
    return true;
}

/// Leases and events alone have such times.
std::string micro_time_fault(resource_definition const& d, json::object const& object) {
    if (d.kind != "Lease" && d.kind != "Event") return {};
    std::string fault;
    visit_members(object, *d.type->model, [&](json::value const& v, model::descriptor const& type) {
        if (&type == &descriptor_of<micro_time>() && v.is_string() && fault.empty())
            fault = micro_time_fault(view(v.get_string()));
    });
    return fault;
}

/// Readers write `a.b[0]["c/d"]`, servers write `a.b[0].c/d`.
std::string spelled_by_servers(std::string_view path) {
    std::string out;
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (!path.substr(i).starts_with("[\"")) {
            out += path[i];
            continue;
        }
        out += '.';
        for (i += 2; i < path.size() && path[i] != '"'; ++i) {
            if (path[i] == '\\' && i + 1 < path.size()) ++i;
            out += path[i];
        }
        ++i; // the bracket
    }
    return out;
}

/// Collects the faults that a client reads: each once, and no more than a server reports.
class strict_fault_list {
public:
    /// Upstream: sigs.k8s.io/json `internal/golang/encoding/json/kubernetes_patch.go`.
    static constexpr std::size_t most = 100;

    void add(std::string fault) {
        if (is_full()) return;
        auto const [known, first] = known_.insert(std::move(fault));
        if (first) found_.push_back(*known);
    }
    bool is_full() const noexcept { return found_.size() == most; }
    std::vector<std::string> take() noexcept { return std::move(found_); }

private:
    std::set<std::string> known_;
    std::vector<std::string> found_;
};

/// Finds names that occur twice in an object of a valid JSON text.
class repetition_finder {
public:
    explicit repetition_finder(std::string_view text) : text_(text) {}

    std::vector<std::string> find() {
        read_value();
        return found_.take();
    }

private:
    char next() {
        at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool take(char c) {
        if (next() != c) return false;
        ++at_;
        return true;
    }

    std::string read_string() {
        auto const begin = at_++;
        while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
        at_ = std::min(at_ + 1, text_.size());
        auto const token = text_.substr(begin, at_ - begin);
        if (token.find('\\') == token.npos) return std::string(token.substr(1, token.size() - 2));
        return std::string(view(json::parse(key(token)).get_string()));
    }

    void read_value() {
        auto const c = next();
        if (c == '{') return read_object();
        if (c == '[') return read_list();
        if (c == '"')
            read_string();
        else
            at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
    }

    void read_object() {
        std::set<std::string> names;
        auto const here = path_.size();
        for (++at_; next() == '"'; take(',')) {
            auto name = read_string();
            path_.append(here == 0 ? "" : ".").append(name);
            if (!names.insert(std::move(name)).second && !found_.is_full())
                found_.add("duplicate field \"" + path_ + "\"");
            take(':');
            read_value();
            path_.resize(here);
        }
        take('}');
    }

    void read_list() {
        auto const here = path_.size();
        ++at_;
        for (std::size_t i = 0; next() != ']' && next() != '\0'; ++i, take(',')) {
            path_.append("[").append(std::to_string(i)).append("]");
            read_value();
            path_.resize(here);
        }
        take(']');
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string path_;
    strict_fault_list found_;
};

} // namespace

boost::system::result<typed_body, std::string> read_type(resource_definition const& d, json::object const& object) {
    if (d.type == nullptr) return typed_body();
    auto const typed = d.type->make();
    auto const fits = detail::decode_tree(object, *d.type->model, typed.get());
    if (fits) {
        auto fault = micro_time_fault(d, object);
        if (!fault.empty()) return fault;
        return typed_body(typed);
    }
    if (fits.error().code == errc::wrong_kind) return typed_body();
    auto const& detail = fits.error().detail;
    return (detail.path.empty() ? "" : detail.path + ": ") + detail.message;
}

answer<typed_body> check_type(resource_definition const& d, json::object const& body) {
    auto typed = read_type(d, body);
    if (!typed)
        return bad_request(d.kind + " in version " + in_quotes(d.version) + " cannot be handled as a " + d.kind + ": " +
                           typed.error());
    return std::move(*typed);
}

void spell_canonically(resource_definition const& d, json::object& object) {
    if (d.type == nullptr) return;
    visit_members(object, *d.type->model, [](json::value& v, model::descriptor const& type) {
        (void)(spell_as<quantity>(v, type) || spell_as<time_point>(v, type) || spell_as<micro_time>(v, type) ||
               spell_as<bytes>(v, type));
    });
}

std::vector<std::string> strict_faults(resource_definition const& d, std::string_view text) {
    if (d.type == nullptr) return repetition_finder(text).find();
    std::vector<failure> found;
    decode_options options;
    options.strict = true;
    options.found = &found;
    auto const object = d.type->make();
    auto const read = decode_json(text, *d.type->model, object.get(), options);
    if (!read && (detail::is_type_fault(read.error().code) || !is_collected(read.error(), found))) return {};
    strict_fault_list texts;
    std::set<std::string> unknown; // Go's decoder knows the repetitions of known fields only
    for (auto const& f : found)
        if (f.code == errc::unknown_field) unknown.insert(f.detail.path);
    for (auto const& f : found) {
        bool const repeated = f.code == errc::duplicate_field;
        if (!repeated || !unknown.contains(f.detail.path))
            texts.add((repeated ? "duplicate field \"" : "unknown field \"") + spelled_by_servers(f.detail.path) +
                      "\"");
    }
    return texts.take();
}

} // namespace kftrain::apiserver
