#ifndef KFTRAIN_MODEL_RAW_JSON_HPP
#define KFTRAIN_MODEL_RAW_JSON_HPP

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain {

/// A JSON value of any shape, kept as compact text. Empty text means absent.
struct raw_json {
    raw_json() = default;
    explicit raw_json(std::string t) : text(std::move(t)) {}

    std::string text;

    friend bool operator==(raw_json const&, raw_json const&) = default;
};

/** Fields that a type does not define, kept so that read-modify-write loses nothing. One pointer wide while empty,
    which it nearly always is. */
class unknown_fields {
public:
    using value_type = std::pair<std::string, raw_json>;
    using list = std::vector<value_type>;

    unknown_fields() = default;
    unknown_fields(unknown_fields const& other) : list_(other.list_ ? std::make_unique<list>(*other.list_) : nullptr) {}
    unknown_fields(unknown_fields&&) noexcept = default;
    unknown_fields& operator=(unknown_fields other) noexcept {
        list_.swap(other.list_);
        return *this;
    }
    ~unknown_fields() = default;

    bool empty() const noexcept { return !list_ || list_->empty(); }
    value_type const* begin() const noexcept { return list_ ? list_->data() : nullptr; }
    value_type const* end() const noexcept { return list_ ? list_->data() + list_->size() : nullptr; }
    raw_json const* find(std::string_view name) const noexcept {
        for (auto const& [n, v] : *this)
            if (n == name) return &v;
        return nullptr;
    }
    /// Adds a field of a name that is not there yet; the caller knows.
    value_type& append(std::string_view name) {
        if (!list_) list_ = std::make_unique<list>();
        return list_->emplace_back(name, raw_json());
    }
    /// Adds a field, or replaces the one of this name.
    void set(std::string_view name, raw_json value) {
        if (!list_) list_ = std::make_unique<list>();
        for (auto& [n, v] : *list_)
            if (n == name) return void(v = std::move(value));
        list_->emplace_back(name, std::move(value));
    }

    friend bool operator==(unknown_fields const& a, unknown_fields const& b) {
        if (a.end() - a.begin() != b.end() - b.begin()) return false;
        for (auto const& [name, value] : a) {
            auto const* other = b.find(name);
            if (other == nullptr || !(*other == value)) return false;
        }
        return true;
    }

private:
    std::unique_ptr<list> list_;
};

} // namespace kftrain

#endif
