#ifndef KFTRAIN_MODEL_NAME_MAP_HPP
#define KFTRAIN_MODEL_NAME_MAP_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain {

/** Values by name, sorted by name, in one block of memory: references and iterators are valid until the next
    insertion or removal. Offers a part of the interface of `std::map<std::string, T>`; do not change the names of
    iterated entries. Deliberately small: nearly every model contains such maps, and `boost::container::flat_map`
    takes as long to compile as a quarter of the models.
    @par Thread safety Distinct objects: safe. Shared objects: as for `T`. */
template <class T> class name_map {
public:
    using key_type = std::string;
    using mapped_type = T;
    using value_type = std::pair<std::string, T>;
    using size_type = std::size_t;
    using iterator = value_type*;
    using const_iterator = value_type const*;

    name_map();
    /// If entries have equal names, the first one wins.
    name_map(std::initializer_list<value_type> entries);
    name_map(name_map const&);
    name_map(name_map&&) noexcept;
    name_map& operator=(name_map const&);
    name_map& operator=(name_map&&) noexcept;
    ~name_map();

    bool empty() const noexcept { return rows_.empty(); }
    std::size_t size() const noexcept { return rows_.size(); }
    iterator begin() noexcept { return rows_.data(); }
    iterator end() noexcept { return rows_.data() + rows_.size(); }
    const_iterator begin() const noexcept { return rows_.data(); }
    const_iterator end() const noexcept { return rows_.data() + rows_.size(); }

    iterator find(std::string_view name) noexcept;
    const_iterator find(std::string_view name) const noexcept { return const_cast<name_map*>(this)->find(name); }
    bool contains(std::string_view name) const noexcept { return find(name) != end(); }
    std::size_t count(std::string_view name) const noexcept { return contains(name) ? 1 : 0; }
    /// Returns the first entry whose name is not less.
    iterator lower_bound(std::string_view name) noexcept;
    const_iterator lower_bound(std::string_view name) const noexcept {
        return const_cast<name_map*>(this)->lower_bound(name);
    }
    /// Throws std::out_of_range if there is none.
    T& at(std::string_view name);
    T const& at(std::string_view name) const { return const_cast<name_map*>(this)->at(name); }
    /// Returns the value of this name; inserts one if there is none.
    T& operator[](std::string name);

    /// Adds an entry unless its name exists. Returns its position and whether it is new.
    template <class... Args> std::pair<iterator, bool> try_emplace(std::string name, Args&&... args) {
        auto const at = lower_bound(name);
        if (at != end() && at->first == name) return {at, false};
        return {put(at, std::move(name), T(std::forward<Args>(args)...)), true};
    }
    template <class Name, class Value> std::pair<iterator, bool> emplace(Name&& name, Value&& value) {
        return try_emplace(std::string(std::forward<Name>(name)), std::forward<Value>(value));
    }
    std::pair<iterator, bool> insert(value_type entry);
    template <class Iterator> void insert(Iterator first, Iterator last) {
        for (; first != last; ++first) insert(value_type(*first));
    }
    /// Adds an entry, or replaces the value of the existing one.
    std::pair<iterator, bool> insert_or_assign(std::string name, T value);
    /// Adds an entry whose name must be greater than all existing ones; this is not checked.
    value_type& append(std::string_view name);

    iterator erase(const_iterator at);
    std::size_t erase(std::string_view name);
    void clear() noexcept;
    void reserve(std::size_t entries);
    void shrink_to_fit();

    /// The entries, sorted by distinct names; extract() leaves the map empty.
    std::vector<value_type> extract() noexcept;
    void adopt(std::vector<value_type>&& sorted) noexcept;

    friend bool operator==(name_map const& a, name_map const& b) { return a.equals(b); }

private:
    iterator put(iterator at, std::string&& name, T&& value);
    bool equals(name_map const& other) const;

    std::vector<value_type> rows_;
};

template <class T> name_map<T>::name_map() = default;
template <class T> name_map<T>::name_map(name_map const&) = default;
template <class T> name_map<T>::name_map(name_map&&) noexcept = default;
template <class T> name_map<T>& name_map<T>::operator=(name_map const&) = default;
template <class T> name_map<T>& name_map<T>::operator=(name_map&&) noexcept = default;
template <class T> name_map<T>::~name_map() = default;

template <class T> name_map<T>::name_map(std::initializer_list<value_type> entries) {
    rows_.reserve(entries.size());
    for (auto const& entry : entries) insert(entry);
}

template <class T> typename name_map<T>::iterator name_map<T>::lower_bound(std::string_view name) noexcept {
    iterator first = begin();
    for (std::size_t left = size(); left != 0;) {
        std::size_t const half = left / 2;
        if (first[half].first < name) {
            first += half + 1;
            left -= half + 1;
        } else {
            left = half;
        }
    }
    return first;
}

template <class T> typename name_map<T>::iterator name_map<T>::find(std::string_view name) noexcept {
    iterator const at = lower_bound(name);
    return at != end() && at->first == name ? at : end();
}

template <class T> T& name_map<T>::at(std::string_view name) {
    iterator const at = find(name);
    if (at == end()) throw std::out_of_range("no entry of the name " + std::string(name));
    return at->second;
}

template <class T> T& name_map<T>::operator[](std::string name) { return try_emplace(std::move(name)).first->second; }

template <class T> auto name_map<T>::insert(value_type entry) -> std::pair<iterator, bool> {
    return try_emplace(std::move(entry.first), std::move(entry.second));
}

template <class T> auto name_map<T>::insert_or_assign(std::string name, T value) -> std::pair<iterator, bool> {
    iterator const at = lower_bound(name);
    if (at == end() || at->first != name) return {put(at, std::move(name), std::move(value)), true};
    at->second = std::move(value);
    return {at, false};
}

template <class T> auto name_map<T>::append(std::string_view name) -> value_type& {
    return rows_.emplace_back(name, T());
}

template <class T> auto name_map<T>::put(iterator at, std::string&& name, T&& value) -> iterator {
    auto const index = at - begin();
    rows_.emplace(rows_.begin() + index, std::move(name), std::move(value));
    return begin() + index;
}

template <class T> auto name_map<T>::erase(const_iterator at) -> iterator {
    auto const index = at - begin();
    rows_.erase(rows_.begin() + index);
    return begin() + index;
}

template <class T> std::size_t name_map<T>::erase(std::string_view name) {
    iterator const at = find(name);
    if (at == end()) return 0;
    erase(at);
    return 1;
}

template <class T> void name_map<T>::clear() noexcept { rows_.clear(); }
template <class T> void name_map<T>::reserve(std::size_t entries) { rows_.reserve(entries); }
template <class T> void name_map<T>::shrink_to_fit() { rows_.shrink_to_fit(); }
template <class T> auto name_map<T>::extract() noexcept -> std::vector<value_type> { return std::exchange(rows_, {}); }
template <class T> void name_map<T>::adopt(std::vector<value_type>&& sorted) noexcept { rows_ = std::move(sorted); }
template <class T> bool name_map<T>::equals(name_map const& other) const { return rows_ == other.rows_; }

/// Labels, annotations, selectors.
using string_map = name_map<std::string>;
extern template class name_map<std::string>;
extern template class name_map<std::int32_t>;

} // namespace kftrain

#endif
