#include "model/json_text.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/raw_json.hpp>

namespace kftrain {
namespace {

using namespace detail;

/** Writes over the table. Whether an object has content shows only after writing it, so each write answers that and
    what turned out empty is cut off again. */
class writer {
public:
    explicit writer(std::string& out) : out_(out) {}

    /// True if the value is more than empty.
    bool value(descriptor const& d, void const* v) {
        switch (d.kind) {
        case shape::boolean: return boolean(*static_cast<bool const*>(v));
        case shape::integer: {
            std::int64_t const i = d.load_integer(v);
            append_number(i, out_);
            return i != 0;
        }
        case shape::number: {
            double const n = *static_cast<double const*>(v);
            append_number(n, out_);
            return n != 0;
        }
        case shape::string: {
            auto const& s = *static_cast<std::string const*>(v);
            append_string(s, out_);
            return !s.empty();
        }
        case shape::text: {
            std::string s;
            d.print(v, s);
            if (d.is_bare != nullptr && d.is_bare(v)) {
                out_ += s;
                return true;
            }
            if (s.empty() && !d.quotes_empty) { // an unset quantity as a list item or map value; "" would be none
                out_ += "null";
                return false;
            }
            append_string(s, out_);
            return !s.empty() || d.is_bare != nullptr; // Go leaves out empty bytes, but no IntOrString
        }
        case shape::raw: return raw(*static_cast<raw_json const*>(v));
        case shape::object: return object(d, v);
        case shape::array: return array(d, v);
        case shape::map: return map(d, v);
        case shape::optional:
            if (auto const* inner = d.peek(v)) {
                value(*d.element, inner);
                return true;
            }
            out_ += "null";
            return false;
        }
        return false;
    }

private:
    bool boolean(bool b) {
        out_ += b ? "true" : "false";
        return b;
    }

    bool raw(raw_json const& r) {
        out_ += r.text.empty() ? "null" : std::string_view(r.text);
        return !r.text.empty();
    }

    bool object(descriptor const& d, void const* v) {
        out_ += '{';
        if (d.info != nullptr) header(*d.info);
        bool content = false;
        for (auto const& f : d.fields) {
            std::size_t const mark = out_.size();
            name(f.name);
            bool const full = value(*f.type, f.get_const(v));
            content = content || full;
            if (!full && !f.always) out_.resize(mark);
        }
        if (d.unknown != nullptr)
            for (auto const& [key, value] : *d.unknown(const_cast<void*>(v))) {
                name(key);
                raw(value);
                content = true;
            }
        out_ += '}';
        return content;
    }

    void header(resource_info const& info) {
        name("apiVersion");
        append_string(info.api_version(), out_);
        name("kind");
        append_string(info.list ? std::string(info.kind).append("List") : std::string(info.kind), out_);
    }

    bool array(descriptor const& d, void const* v) {
        std::size_t const size = d.size(v);
        out_ += '[';
        for (std::size_t i = 0; i < size; ++i) {
            if (i != 0) out_ += ',';
            value(*d.element, d.at(v, i));
        }
        out_ += ']';
        return size != 0;
    }

    bool map(descriptor const& d, void const* v) {
        struct context {
            writer* self;
            descriptor const* element;
        } c{this, d.element};
        out_ += '{';
        d.visit(v, &c, [](void* p, std::string const& key, void const* entry) {
            auto const& [self, element] = *static_cast<context*>(p);
            self->name(key);
            self->value(*element, entry);
        });
        out_ += '}';
        return d.size(v) != 0;
    }

    void name(std::string_view key) {
        if (out_.back() != '{') out_ += ',';
        append_string(key, out_);
        out_ += ':';
    }

    std::string& out_;
};

} // namespace

void encode_json(descriptor const& type, void const* value, std::string& out) { writer(out).value(type, value); }

} // namespace kftrain
