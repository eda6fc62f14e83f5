#ifndef KFTRAIN_PYTHON_OBJECTS_HPP
#define KFTRAIN_PYTHON_OBJECTS_HPP

#include "engine.hpp"

#include <kftrain/kube/any_api.hpp>
#include <kftrain/model/any_object.hpp>

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kftrain::python {

/// Returns an object without other references as Python has it: a `Value`, or its JSON as a str if the library does
/// not model its type.
py::object own_object(any_object object);
/// The same for a copy of an object that others refer to.
py::object copied_object(any_object const& object);

/// An object to write, or its JSON, which is read when the type is known.
using written_object = std::variant<any_object, std::string>;
written_object written_object_of(py::handle from);
/// @par Errors those of decode_json()
result<any_object> object_of(written_object const& from, object_type const& type);

/** A list as it was read. An unused object is stored as JSON, which needs half of the memory. It is decoded when it is
    used, and stays decoded once it has been changed.
    @par Thread safety Protected by the GIL, except for append(). */
class object_items {
public:
    object_items() = default;
    explicit object_items(kube::any_list list) : metadata_(std::move(list.metadata)) { append(list.items); }

    void append(std::vector<any_object> const& items);
    void clear() { items_->clear(); }
    void set_version(std::string version) { metadata_.resource_version = std::move(version); }

    std::size_t size() const noexcept { return items_->size(); }
    /// An object that belongs to the list: a change shows in the list.
    py::object get(std::size_t index) const;
    /// A handle to the object as it was read.
    any_object handle(std::size_t index) const;
    meta::list_meta const& metadata() const noexcept { return metadata_; }

private:
    struct item {
        std::string text;
        std::weak_ptr<whole_object> used;      ///< while Python uses it
        std::shared_ptr<whole_object> changed; ///< after its first change
    };

    meta::list_meta metadata_;
    std::shared_ptr<object_type const> type_;
    std::shared_ptr<std::vector<item>> items_ = std::make_shared<std::vector<item>>();
};

/// A handler that ends the call with what `make` converts the result to, on a thread with the GIL.
template <class T, class Make> auto handler_with(std::shared_ptr<call> const& c, Make make) {
    return asio::bind_cancellation_slot(c->signal.slot(), [c, make](error_code ec, T result) {
        if (ec) return c->finish(ec, {});
        // Shared because a std::function can be copied, which would copy the result.
        c->finish(ec, [make, kept = std::make_shared<T>(std::move(result))] { return make(std::move(*kept)); });
    });
}

inline auto object_handler(std::shared_ptr<call> const& c) { return handler_with<any_object>(c, &own_object); }

void bind_objects(py::module_& m);

} // namespace kftrain::python

#endif
