#ifndef KFTRAIN_PYTHON_VALUE_HPP
#define KFTRAIN_PYTHON_VALUE_HPP

#include "errors.hpp"

#include <kftrain/job/any_job.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/value_ref.hpp>

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <string>
#include <variant>

namespace kftrain::python {

namespace py = pybind11;

/// An object that Python holds, and that all values of it and of its parts share.
struct whole_object {
    whole_object(std::shared_ptr<void> o, model::descriptor const& t, void* a)
        : owner(std::move(o)), table(&t), address(a) {}

    std::shared_ptr<void> owner; ///< keeps the object alive
    model::descriptor const* table;
    void* address;
    std::uint64_t changes = 0;                               ///< that may have moved or destroyed parts
    std::weak_ptr<std::shared_ptr<whole_object>> list_place; ///< where a list keeps the object after its first change
};

/** A described value that Python holds: a whole object, or a part of one. A part keeps the whole object alive.

    Items of lists and maps move in memory when others are inserted or erased. So a part stores how it is reached from
    the whole object, and looks its address up again after such a change. If it no longer exists, its use raises
    ReferenceError.
    @par Thread safety Protected by the GIL. */
class value : public std::enable_shared_from_this<value> {
public:
    /// How a part is reached: by the index of a member, the index of an item, or the name in a map.
    struct member_step {
        std::size_t index;
    };
    struct item_step {
        std::size_t index;
    };
    using step = std::variant<member_step, item_step, std::string>;

    /// A whole object; `owner` keeps `object` alive.
    value(std::shared_ptr<void> owner, model::descriptor const& table, void* object);
    explicit value(std::shared_ptr<whole_object> whole);
    value(std::shared_ptr<value> parent, step how, value_ref at);

    described_type type() const noexcept { return at_.type(); }
    /// Returns the view of the value. It is valid until a list, map or object is changed.
    value_ref view();
    /// Returns the address of the value; null if it is absent.
    void* address();
    /// Returns the place in the whole object, e.g. `spec.containers[0].image`.
    std::string path() const;

    std::size_t size() { return view().size(); }
    bool contains(std::string_view name) { return view().contains(name); }
    py::list names();

    /// Returns the value as Python has it: None if it is absent, a bool, an int, a float, a str, a datetime, a
    /// timedelta or bytes; for an object, list or map another `value`.
    py::object get_member(std::size_t index) { return get(member_step{index}); }
    py::object get_item(std::size_t index) { return get(item_step{index}); }
    py::object get_entry(std::string name) { return get(std::move(name)); }

    /// Sets the value if its Python type is one that needs no conversion; otherwise returns false.
    bool set_member(std::size_t index, py::handle to) { return set(member_step{index}, to); }
    bool set_item(std::size_t index, py::handle to) { return set(item_step{index}, to); }
    void set_member_json(std::size_t index, std::string_view text) { set_json(member_step{index}, text); }
    void set_item_json(std::size_t index, std::string_view text) { set_json(item_step{index}, text); }
    void set_entry_json(std::string name, std::string_view text);
    void insert_json(std::size_t index, std::string_view text);
    void erase_item(std::size_t index);
    void erase_entry(std::string const& name);
    /// Reads the value itself, which must be new. `strict` rejects unknown and repeated fields.
    void read_json(std::string_view text, bool strict);
    void read_yaml(std::string_view text, bool strict);
    /// Replaces the value itself.
    void replace_json(std::string_view text);

    std::string to_json() { return view().to_json(); }
    std::string to_yaml();
    bool equals(value& other) { return view() == other.view(); }
    py::list diff(value& other);
    std::string merge_patch(value& other);

private:
    py::object get(step how);
    bool set(step how, py::handle to);
    void set_json(step how, std::string_view text);
    value_ref part(step const& how);
    std::string path_of(step const& how) const;
    void keep_in_list();
    void before_move();

    std::shared_ptr<whole_object> whole_;
    std::shared_ptr<value> parent_; ///< null for the whole object
    step how_;
    value_ref at_;
    std::uint64_t changes_at_lookup_ = 0; ///< whole_object::changes when `at_` was looked up
};

/// Makes a value of a struct that is part of the objects of another type: an object of `table`, and in it the value
/// that the steps lead to. A list on the way gets one item, and a map one entry.
std::shared_ptr<value> make_value(described_type stored, std::vector<std::size_t> const& members);

/// Returns whether a value consists of other values: an object, a list or a map.
constexpr bool holds_parts(value_kind k) noexcept {
    return k == value_kind::object || k == value_kind::list || k == value_kind::map;
}
/// Copies a value without parts as Python has it; None if it is absent.
py::object python_scalar(const_value_ref const& v);

/// Returns options of decoding; `strict` rejects unknown and repeated fields.
decode_options reading(bool strict);

std::shared_ptr<value> value_of(any_job job);
std::shared_ptr<value> value_of(any_object const& object);
/// Copies the job; raises TypeError if the value is no job.
any_job job_of(value& v);

void bind_values(py::module_& m);

} // namespace kftrain::python

#endif
