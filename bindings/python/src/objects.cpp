#include "objects.hpp"

#include <kftrain/kinds/types.hpp>
#include <kftrain/model/dynamic_object.hpp>
#include <kftrain/model/quantity.hpp>

#include <pybind11/stl.h>

#include <algorithm>
#include <optional>

namespace kftrain::python {

py::object own_object(any_object object) {
    if (object.empty()) return py::none();
    if (object.is<dynamic_object>()) return python_str(object.to_json());
    // Decoded for this object alone, and no constant.
    auto owner = std::const_pointer_cast<void>(object.erased());
    auto* const address = owner.get();
    return py::cast(std::make_shared<value>(std::move(owner), *object.type().model, address));
}

py::object copied_object(any_object const& object) {
    if (object.empty()) return py::none();
    if (object.is<dynamic_object>()) return python_str(object.to_json());
    return py::cast(value_of(object));
}

void object_items::append(std::vector<any_object> const& items) {
    if (items.empty()) return;
    if (type_ == nullptr) type_ = items.front().type().share();
    std::string text;
    for (auto const& object : items) {
        text.clear();
        encode_json(*type_->model, object.erased().get(), text);
        items_->emplace_back().text = std::string(text.begin(), text.end()); // without spare room
    }
}

py::object object_items::get(std::size_t index) const {
    auto& at = items_->at(index);
    if (type_->model == &descriptor_of<dynamic_object>()) return python_str(at.text);
    auto whole = at.changed ? at.changed : at.used.lock();
    if (!whole) {
        // Decoded for this list alone, and no constant.
        auto owner = std::const_pointer_cast<void>(unwrap(type_->decode(at.text)));
        auto* const address = owner.get();
        whole = std::make_shared<whole_object>(std::move(owner), *type_->model, address);
        whole->list_place = std::shared_ptr<std::shared_ptr<whole_object>>(items_, &at.changed);
        at.used = whole;
    }
    return py::cast(std::make_shared<value>(std::move(whole)));
}

any_object object_items::handle(std::size_t index) const {
    return any_object(*type_, unwrap(type_->decode(items_->at(index).text)));
}

written_object written_object_of(py::handle from) {
    if (!py::isinstance<value>(from)) return from.cast<std::string>();
    auto& v = from.cast<value&>();
    auto const* const table = &v.type().table();
    auto const types = known_types();
    auto const found = std::ranges::find(types, table, [](object_type const* t) { return t->model; });
    if (found == types.end() || (*found)->metadata_of == nullptr)
        throw py::type_error("expected an object of an API, got a " + std::string(v.type().name()));
    return any_object(**found, (*found)->copy(v.address()));
}

result<any_object> object_of(written_object const& from, object_type const& type) {
    if (auto const* const object = std::get_if<any_object>(&from)) return *object;
    auto decoded = type.decode(std::get<std::string>(from));
    if (!decoded) return decoded.error();
    return any_object(type, std::move(*decoded));
}

namespace {

std::string json_of_yaml(std::string const& text) {
    dynamic_object object;
    unwrap(kftrain::decode_yaml(text, descriptor_of<dynamic_object>(), &object));
    return to_json(object);
}

std::string yaml_of_json(std::string const& text) {
    dynamic_object object;
    unwrap(kftrain::decode_json(text, descriptor_of<dynamic_object>(), &object));
    std::string out;
    encode_yaml(descriptor_of<dynamic_object>(), &object, out);
    return out;
}

/// Returns the amount as digits and a decimal exponent, `12e-3`; nothing for a text that is no quantity.
std::optional<std::string> quantity_amount(std::string const& text) {
    auto const q = quantity::parse(text);
    if (!q) return std::nullopt;
    return q->as(quantity::format::decimal_exponent).text();
}

/// `format` is the number of an enumerator of quantity::format.
std::string quantity_text(std::string const& amount, int format) {
    return quantity(amount).as(static_cast<quantity::format>(format)).text();
}

} // namespace

void bind_objects(py::module_& m) {
    py::class_<any_object>(m, "Object", "An object that does not change.")
        .def_property_readonly("namespace", [](any_object const& o) { return python_str(o.metadata().namespace_); })
        .def_property_readonly("name", [](any_object const& o) { return python_str(o.metadata().name); })
        .def_property_readonly("uid", [](any_object const& o) { return python_str(o.metadata().uid); })
        .def_property_readonly("version", [](any_object const& o) { return python_str(o.metadata().resource_version); })
        .def("copy", &copied_object);
    py::class_<object_items>(m, "ObjectItems", "The objects of a list.")
        .def("__len__", &object_items::size)
        .def("get", &object_items::get)
        .def("handle", &object_items::handle)
        .def_property_readonly("version",
                               [](object_items const& i) { return python_str(i.metadata().resource_version); })
        .def_property_readonly("continue_token",
                               [](object_items const& i) { return python_str(i.metadata().continue_); })
        .def_property_readonly("remaining", [](object_items const& i) { return i.metadata().remaining_item_count; });
    m.def("json_of_yaml", [](std::string const& text) { return python_str(json_of_yaml(text)); });
    m.def("yaml_of_json", [](std::string const& text) { return python_str(yaml_of_json(text)); });
    m.def("quantity_amount", &quantity_amount);
    m.def("quantity_canonical", [](std::string const& text) { return quantity(text).canonical(); });
    m.def("quantity_text", &quantity_text);
}

} // namespace kftrain::python
