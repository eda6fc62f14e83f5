#include "model/json/json_output.hpp"
#include "model/json/struct_layout.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/detail/descriptor_table.hpp>
#include <kftrain/model/raw_json.hpp>

#include <algorithm>

namespace kftrain {
namespace {

using namespace detail;

/** Writes over the table. Most empty values show without writing them. Whether an object has content shows only after
    writing it, so each write answers that and what turned out empty is cut off again. */
class writer {
public:
    explicit writer(std::string& out) : out_(out) {}

    /// True if the value is more than empty.
    bool value(model::descriptor const& d, void const* v) {
        switch (d.kind) {
        case model::shape::boolean: return boolean(*static_cast<bool const*>(v));
        case model::shape::integer: {
            std::int64_t const i = d.load_integer(v);
            out_.put(i);
            return i != 0;
        }
        case model::shape::number: {
            double const n = *static_cast<double const*>(v);
            scratch_.clear();
            append_number(n, scratch_);
            out_.put(scratch_);
            return n != 0;
        }
        case model::shape::string: {
            auto const& s = *static_cast<std::string const*>(v);
            out_.put_string(s);
            return !s.empty();
        }
        case model::shape::text: return text(d, v);
        case model::shape::raw: return raw(*static_cast<raw_json const*>(v));
        case model::shape::object: return object(d, v);
        case model::shape::array: return array(d, v);
        case model::shape::map: return map(d, v);
        case model::shape::optional:
            if (auto const* inner = d.peek(v)) {
                value(*d.element, inner);
                return true;
            }
            out_.put("null");
            return false;
        }
        return false;
    }
    void finish() { out_.finish(); }

private:
    /// True only if value() would answer false.
    static bool shows_empty(model::descriptor const& d, void const* v) {
        switch (d.kind) {
        case model::shape::boolean: return !*static_cast<bool const*>(v);
        case model::shape::string: return static_cast<std::string const*>(v)->empty();
        case model::shape::raw: return static_cast<raw_json const*>(v)->text.empty();
        case model::shape::array:
        case model::shape::map: return d.size(v) == 0;
        case model::shape::optional: return d.peek(v) == nullptr;
        case model::shape::integer: return d.load_integer(v) == 0;
        case model::shape::number:
        case model::shape::text:
        case model::shape::object: return false;
        }
        return false;
    }

    bool boolean(bool b) {
        out_.put(b ? std::string_view("true") : std::string_view("false"));
        return b;
    }

    bool text(model::descriptor const& d, void const* v) {
        scratch_.clear();
        d.print(v, scratch_);
        if (d.is_bare != nullptr && d.is_bare(v)) {
            out_.put(scratch_);
            return true;
        }
        if (scratch_.empty() && !d.quotes_empty) { // an unset quantity as a list item or map value; "" would be none
            out_.put("null");
            return false;
        }
        out_.put_string(scratch_);
        return !scratch_.empty() || d.is_bare != nullptr; // Go leaves out empty bytes, but no IntOrString
    }

    bool raw(raw_json const& r) {
        out_.put(r.text.empty() ? std::string_view("null") : std::string_view(r.text));
        return !r.text.empty();
    }

    bool object(model::descriptor const& d, void const* v) {
        ++depth_;
        char before = '{'; // of the next field
        if (d.info != nullptr) {
            out_.put(before);
            before = ',';
            header(*d.info);
        }
        bool content = false;
        auto const* f = layout_of(d, const_cast<void*>(v));
        for (auto const* const end = f + d.fields.size(); f != end; ++f) {
            void const* const member = static_cast<char const*>(v) + f->offset;
            bool const empty =
                f->is_string ? static_cast<std::string const*>(member)->empty() : shows_empty(*f->type, member);
            if (empty && !f->always) continue;
            std::size_t const mark = out_.mark();
            out_.put(before);
            if (f->quoted_size != 0)
                out_.put(std::string_view(f->quoted.data(), f->quoted_size));
            else
                out_.put(d.fields[d.fields.size() - static_cast<std::size_t>(end - f)].quoted);
            bool const full = value(*f->type, member);
            content = content || full;
            if (full || f->always)
                before = ',';
            else
                out_.cut(mark);
        }
        if (d.unknown != nullptr)
            for (auto const& [key, value] : *d.unknown(const_cast<void*>(v))) {
                out_.put(before);
                before = ',';
                name(key);
                raw(value);
                content = true;
            }
        if (before == '{') out_.put(before);
        out_.put('}');
        --depth_;
        return content;
    }

    void header(resource_info const& info) {
        out_.put(R"("apiVersion":")");
        if (!info.group.empty()) {
            out_.put(info.group);
            out_.put('/');
        }
        out_.put(info.version);
        out_.put(R"(","kind":")");
        out_.put(info.kind);
        out_.put(info.list ? std::string_view("List\"") : std::string_view("\""));
    }

    bool array(model::descriptor const& d, void const* v) {
        std::size_t const size = d.size(v);
        std::size_t const begin = out_.mark();
        std::size_t known = depth_ <= 1 ? 16 : size; // of the items of a list, after so many there is a guess
        out_.put('[');
        for (std::size_t i = 0; i < size; ++i) {
            if (i != 0) out_.put(',');
            value(*d.element, d.at(v, i));
            if (i + 1 != known || known == size) continue;
            // The next will not differ much; but where they do, a guess must not cost all memory.
            out_.expect((out_.mark() - begin) / known * std::min(size - known, 7 * known));
            known *= 8;
        }
        out_.put(']');
        return size != 0;
    }

    bool map(model::descriptor const& d, void const* v) {
        struct context {
            writer* self;
            model::descriptor const* element;
            bool first = true;
        } c{this, d.element};
        out_.put('{');
        d.visit(v, &c, [](void* p, std::string const& key, void const* entry) {
            auto& [self, element, first] = *static_cast<context*>(p);
            if (!first) self->out_.put(',');
            first = false;
            self->name(key);
            self->value(*element, entry);
        });
        out_.put('}');
        return !c.first;
    }

    void name(std::string_view key) {
        out_.put_string(key);
        out_.put(':');
    }

    json_output out_;
    std::size_t depth_ = 0; ///< of objects
    std::string scratch_;
};

} // namespace

void encode_json(model::descriptor const& type, void const* value, std::string& out) {
    writer w(out);
    w.value(type, value);
    w.finish();
}

} // namespace kftrain
