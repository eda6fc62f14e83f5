#include "value.hpp"

#include "text_value.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/kinds/types.hpp>
#include <kftrain/model/patch.hpp>

#include <pybind11/stl.h>

#include <algorithm>
#include <cctype>

namespace kftrain::python {
namespace {

/// Gives access to the address of a view.
class addressed : public const_value_ref {
public:
    explicit addressed(const_value_ref const& v) : const_value_ref(v) {}
    void* whole() const noexcept { return const_cast<void*>(address()); }
    void* object() const noexcept { return const_cast<void*>(present()); }
};

[[noreturn]] void raise_gone(std::string const& path) {
    PyErr_SetString(PyExc_ReferenceError, (path + " no longer exists in its object").c_str());
    throw py::error_already_set();
}

void expect_same_type(value& a, value& b) {
    if (a.type().name() == b.type().name()) return;
    throw py::type_error("expected a " + std::string(a.type().name()) + ", got a " + std::string(b.type().name()));
}

py::object names_of(described_type t) {
    auto const* const info = t.resource();
    if (info == nullptr) return py::none();
    auto const text = [](std::string_view s) { return py::str(s.data(), s.size()); };
    return py::make_tuple(info->api_version(), text(info->kind), text(info->plural),
                          info->where == resource_scope::namespaced, info->list);
}

py::list members_of(described_type t) {
    py::list all;
    for (std::size_t i = 0; i < t.member_count(); ++i) {
        auto const m = t.member(i);
        all.append(py::make_tuple(std::string(m.name), std::string(m.json_name), m.type));
    }
    return all;
}

} // namespace

py::object python_scalar(const_value_ref const& v) {
    if (v.is_absent()) return py::none();
    switch (v.kind()) {
    case value_kind::boolean: return py::bool_(*v.boolean());
    case value_kind::integer: return py::int_(*v.integer());
    case value_kind::number: return py::float_(*v.number());
    case value_kind::string: return python_str(*v.text());
    case value_kind::text: return python_text(v);
    default: return python_json(*v.text());
    }
}

value::value(std::shared_ptr<void> owner, model::descriptor const& table, void* object)
    : value(std::make_shared<whole_object>(std::move(owner), table, object)) {}

value::value(std::shared_ptr<whole_object> whole)
    : whole_(std::move(whole)), how_(member_step{0}), at_(*whole_->table, whole_->address) {}

value::value(std::shared_ptr<value> parent, step how, value_ref at)
    : whole_(parent->whole_),
      parent_(std::move(parent)),
      how_(std::move(how)),
      at_(at),
      changes_at_lookup_(whole_->changes) {}

value_ref value::part(step const& how) {
    auto const from = view();
    if (from.is_absent()) raise_gone(path());
    if (auto const* const m = std::get_if<member_step>(&how))
        return unwrap(from.at(from.type().member(m->index).json_name), path());
    if (auto const* const i = std::get_if<item_step>(&how)) return unwrap(from.at(i->index), path());
    return unwrap(from.at(std::string_view(std::get<std::string>(how))), path());
}

value_ref value::view() {
    if (parent_ == nullptr || changes_at_lookup_ == whole_->changes) return at_;
    auto const from = parent_->view();
    auto const exists = [&] {
        if (from.is_absent()) return false;
        if (auto const* const i = std::get_if<item_step>(&how_)) return i->index < from.size();
        auto const* const name = std::get_if<std::string>(&how_);
        return name == nullptr || from.contains(*name);
    };
    if (!exists()) raise_gone(path());
    auto const now = parent_->part(how_);
    if (now.is_absent()) raise_gone(path());
    at_ = now.emplace(); // the value without the optional around it
    changes_at_lookup_ = whole_->changes;
    return at_;
}

void* value::address() { return addressed(view()).object(); }

std::string value::path_of(step const& how) const {
    auto text = path();
    if (auto const* const i = std::get_if<item_step>(&how)) return text.append("[" + std::to_string(i->index) + "]");
    auto const* const m = std::get_if<member_step>(&how);
    std::string const name(m != nullptr ? type().member(m->index).json_name : std::get<std::string>(how));
    auto const plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; };
    if (name.empty() || !std::ranges::all_of(name, plain)) return text.append("[" + kftrain::to_json(name) + "]");
    if (!text.empty()) text += '.';
    return text + name;
}

std::string value::path() const { return parent_ == nullptr ? std::string() : parent_->path_of(how_); }

py::list value::names() {
    py::list all;
    view().for_each([&](std::string_view name, const_value_ref const&) { all.append(python_str(name)); });
    return all;
}

/// Makes the list from which the object was taken return this object from now on. Called before every change.
void value::keep_in_list() {
    if (auto const place = whole_->list_place.lock()) *place = whole_;
}

/// Called before a change that may move or destroy parts.
void value::before_move() {
    keep_in_list();
    ++whole_->changes;
}

py::object value::get(step how) {
    auto const v = part(how);
    if (v.is_absent() || !holds_parts(v.kind())) return python_scalar(v);
    return py::cast(std::make_shared<value>(shared_from_this(), std::move(how), v.emplace()));
}

bool value::set(step how, py::handle to) {
    keep_in_list();
    auto const at = part(how);
    auto const kind = at.kind();
    if (to.is_none()) {
        if (holds_parts(kind)) before_move();
        at.reset();
        return true;
    }
    if (py::isinstance<value>(to)) {
        auto& from = to.cast<value&>();
        auto const source = from.view();
        auto const fits =
            kind == value_kind::object ? source.type().name() == at.type().name() : source.type() == at.type();
        if (!fits) return false;
        set_json(std::move(how), source.to_json());
        return true;
    }
    auto const apply = [&](auto const& native) {
        unwrap(at.set(native), path_of(how));
        return true;
    };
    if (kind == value_kind::json || holds_parts(kind)) return false;
    if (PyBool_Check(to.ptr())) return apply(to.cast<bool>());
    if (PyLong_Check(to.ptr())) {
        int overflow = 0;
        auto const number = PyLong_AsLongLongAndOverflow(to.ptr(), &overflow);
        if (overflow != 0) return false;
        return kind == value_kind::number ? apply(static_cast<double>(number)) : apply(std::int64_t(number));
    }
    if (PyFloat_Check(to.ptr())) return apply(to.cast<double>());
    if (PyUnicode_Check(to.ptr())) {
        Py_ssize_t size = 0;
        auto const* const text = PyUnicode_AsUTF8AndSize(to.ptr(), &size);
        if (text == nullptr) throw py::error_already_set(); // a lone surrogate
        return apply(std::string_view(text, static_cast<std::size_t>(size)));
    }
    return false;
}

void value::set_json(step how, std::string_view text) {
    keep_in_list();
    auto const at = part(how);
    if (holds_parts(at.kind())) before_move();
    unwrap(at.set_json(text), path_of(how));
}

void value::set_entry_json(std::string name, std::string_view text) {
    auto const map = view();
    bool const added = !map.contains(name);
    before_move();
    auto const at = unwrap(map.insert(std::string_view(name)), path());
    auto const done = at.set_json(text);
    if (done) return;
    if (added) (void)map.erase(std::string_view(name));
    raise(done.error(), path_of(step(name)));
}

void value::insert_json(std::size_t index, std::string_view text) {
    before_move();
    auto const list = view();
    auto const at = unwrap(list.insert(index), path());
    auto const done = at.set_json(text);
    if (done) return;
    (void)list.erase(index);
    raise(done.error(), path_of(item_step{index}));
}

void value::erase_item(std::size_t index) {
    before_move();
    unwrap(view().erase(index), path());
}

void value::erase_entry(std::string const& name) {
    before_move();
    unwrap(view().erase(std::string_view(name)), path());
}

decode_options reading(bool strict) {
    decode_options o;
    o.strict = strict;
    return o;
}

void value::read_json(std::string_view text, bool strict) {
    before_move();
    unwrap(kftrain::decode_json(text, at_.type().table(), addressed(view()).whole(), reading(strict)), path());
}

void value::read_yaml(std::string_view text, bool strict) {
    before_move();
    unwrap(kftrain::decode_yaml(text, at_.type().table(), addressed(view()).whole(), reading(strict)), path());
}

void value::replace_json(std::string_view text) {
    before_move();
    unwrap(view().set_json(text), path());
}

std::string value::to_yaml() {
    std::string out;
    auto const v = view();
    encode_yaml(v.type().table(), addressed(v).whole(), out);
    return out;
}

py::list value::diff(value& other) {
    expect_same_type(*this, other);
    py::list all;
    auto const before = addressed(view());
    auto const after = addressed(other.view());
    for (auto const& d : kftrain::diff(before.type().table(), before.whole(), after.whole()))
        all.append(py::make_tuple(python_str(d.path), python_str(d.before), python_str(d.after)));
    return all;
}

std::string value::merge_patch(value& other) {
    expect_same_type(*this, other);
    auto const before = addressed(view());
    auto const after = addressed(other.view());
    return unwrap(kftrain::merge_patch(before.type().table(), before.whole(), after.whole()));
}

std::shared_ptr<value> make_value(described_type stored, std::vector<std::size_t> const& members) {
    auto const types = known_types();
    auto const* const table = &stored.table();
    auto const found = std::ranges::find(types, table, [](object_type const* t) { return t->model; });
    if (found == types.end()) throw py::type_error(std::string(stored.name()) + " is not a stored type");
    auto object = (*found)->make();
    value_ref at(*table, object.get());
    for (auto const index : members) {
        at = unwrap(at.at(at.type().member(index).json_name));
        while (at.kind() == value_kind::list || at.kind() == value_kind::map)
            at = unwrap(at.kind() == value_kind::list ? at.append() : at.insert("x"));
        at = at.emplace();
    }
    auto* const address = addressed(at).object();
    return std::make_shared<value>(std::move(object), at.type().table(), address);
}

std::shared_ptr<value> value_of(any_job job) {
    auto owner = std::make_shared<any_job>(std::move(job));
    // The job is this one's alone, and no constant.
    auto* const object = const_cast<void*>(owner->get());
    auto const& table = *owner->type().model;
    return std::make_shared<value>(std::move(owner), table, object);
}

std::shared_ptr<value> value_of(any_object const& object) {
    auto copy = object.type().copy(object.erased().get());
    auto* const address = copy.get();
    return std::make_shared<value>(std::move(copy), *object.type().model, address);
}

any_job job_of(value& v) {
    auto const* const table = &v.type().table();
    for (auto const* const rules : known_job_rules())
        if (rules->primary().model == table) return any_job(*rules, v.address());
    throw py::type_error("expected a job, got a " + std::string(v.type().name()));
}

void bind_values(py::module_& m) {
    py::class_<described_type>(m, "Type", "The type of a value: a handle to a table of the library.")
        .def_property_readonly("name", [](described_type t) { return std::string(t.name()); })
        .def_property_readonly("kind", [](described_type t) { return std::string(to_string(t.kind())); })
        .def_property_readonly("optional", &described_type::is_optional)
        .def_property_readonly("element", &described_type::element)
        .def_property_readonly("resource", &names_of, "(apiVersion, kind, plural, namespaced, is a list), or None")
        .def_property_readonly("members", &members_of, "[(C++ name, JSON name, type)]")
        .def("__eq__", [](described_type a, described_type b) { return a == b; })
        .def("__hash__", [](described_type t) { return std::hash<void const*>()(&t.table()); });

    py::class_<value, std::shared_ptr<value>>(m, "Value", "An object of the library, or a part of one.")
        .def_property_readonly("type", &value::type)
        .def_property_readonly("path", &value::path)
        .def("__len__", &value::size)
        .def("names", &value::names)
        .def("contains", &value::contains)
        .def("get_member", &value::get_member)
        .def("get_item", &value::get_item)
        .def("get_entry", &value::get_entry)
        .def("set_member", &value::set_member)
        .def("set_item", &value::set_item)
        .def("set_member_json", &value::set_member_json)
        .def("set_item_json", &value::set_item_json)
        .def("set_entry_json", &value::set_entry_json)
        .def("insert_json", &value::insert_json)
        .def("erase_item", &value::erase_item)
        .def("erase_entry", &value::erase_entry)
        .def("read_json", &value::read_json)
        .def("read_yaml", &value::read_yaml)
        .def("replace_json", &value::replace_json)
        .def("to_json", [](value& v) { return python_str(v.to_json()); })
        .def("to_yaml", [](value& v) { return python_str(v.to_yaml()); })
        .def("equals", &value::equals)
        .def("diff", &value::diff)
        .def("merge_patch", &value::merge_patch);

    m.def("make_value", &make_value);
    m.def(
        "stored_types",
        [] {
            std::vector<described_type> all;
            for (auto const* const t : known_types()) all.emplace_back(*t->model);
            return all;
        },
        "Every type of object that kftrain models.");
    m.def(
        "type_of_document",
        [](std::string const& text) {
            auto const type = unwrap(type_of_document(text));
            return py::make_tuple(type.api_version, type.kind);
        },
        "apiVersion and kind of a document.");
}

} // namespace kftrain::python
