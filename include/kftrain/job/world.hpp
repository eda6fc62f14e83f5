#ifndef KFTRAIN_JOB_WORLD_HPP
#define KFTRAIN_JOB_WORLD_HPP

#include <kftrain/model/any_object.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain::rules {

/// Namespace and name of an object.
struct object_name {
    object_name() = default;
    object_name(std::string ns, std::string n) : namespace_(std::move(ns)), name(std::move(n)) {}

    std::string namespace_; ///< empty: the namespace of the object that refers to it, or none at cluster scope
    std::string name;       ///< name of the object

    friend bool operator==(object_name const&, object_name const&) = default;
};

/// A change of an object of a watched row.
struct change {
    change() = default;
    change(std::size_t w, any_object b, any_object a) : watched(w), before(std::move(b)), after(std::move(a)) {}

    std::size_t watched = 0; ///< index of the row in controller_rules::watches()
    any_object before;       ///< empty for a new object
    any_object after;        ///< empty for a deleted object
};

/// Objects of one relation as objects of type `K`: a view, as short-lived as the world. Objects of other types are
/// skipped.
template <resource K> class typed_objects {
public:
    typed_objects() = default;
    explicit typed_objects(std::span<any_object const> all) : all_(all) {}

    class iterator {
    public:
        using value_type = K;
        using difference_type = std::ptrdiff_t;

        iterator() = default;
        iterator(any_object const* at, any_object const* end) : at_(at), end_(end) { pass_others(); }

        K const& operator*() const noexcept { return *at_->template get_if<K>(); }
        K const* operator->() const noexcept { return at_->template get_if<K>(); }
        iterator& operator++() noexcept {
            ++at_;
            pass_others();
            return *this;
        }
        iterator operator++(int) noexcept {
            auto before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(iterator const& a, iterator const& b) noexcept { return a.at_ == b.at_; }

    private:
        void pass_others() noexcept {
            while (at_ != end_ && !at_->template is<K>()) ++at_;
        }

        any_object const* at_ = nullptr;
        any_object const* end_ = nullptr;
    };

    iterator begin() const noexcept { return {all_.data(), all_.data() + all_.size()}; }
    iterator end() const noexcept { return {all_.data() + all_.size(), all_.data() + all_.size()}; }
    bool empty() const noexcept { return begin() == end(); }

private:
    std::span<any_object const> all_;
};

/** The observed objects for one primary object, by the rows of its controller. Snapshots: handles to immutable
    objects.
    @par Thread safety Safe as long as nothing is added. */
class world {
public:
    world() = default;

    /// Returns the objects of the rows of this name, row by row, ordered by namespace and name; empty if there is no
    /// such row.
    std::span<any_object const> all(std::string_view relation) const noexcept;
    template <resource K> typed_objects<K> of(std::string_view relation) const noexcept {
        return typed_objects<K>(all(relation));
    }
    /// Returns the first object of this name, or null; it lives as long as the world.
    template <resource K> K const* find(std::string_view relation, std::string_view name) const noexcept {
        for (auto const& object : of<K>(relation))
            if (object.metadata.name == name) return &object;
        return nullptr;
    }
    /// Returns the changes since the last successful plan, in order, of the rows that request changes.
    std::span<change const> changes() const noexcept { return changes_; }

    /// Adds objects of a relation, for the creator of a world. `relation` must outlive it.
    void add(std::string_view relation, std::vector<any_object> objects);
    void set_changes(std::vector<change> changes) noexcept;
    std::vector<change> take_changes() noexcept;

private:
    struct row {
        row(std::string_view n, std::vector<any_object> o) : name(n), objects(std::move(o)) {}

        std::string_view name;
        std::vector<any_object> objects;
    };

    std::vector<row> rows_;
    std::vector<change> changes_;
};

} // namespace kftrain::rules

#endif
