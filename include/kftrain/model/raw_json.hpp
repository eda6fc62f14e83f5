#ifndef KFTRAIN_MODEL_RAW_JSON_HPP
#define KFTRAIN_MODEL_RAW_JSON_HPP

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain {

/// A JSON value of any shape, kept as compact text. Empty text means absent.
struct raw_json {
    raw_json() = default;
    explicit raw_json(std::string t) : text(std::move(t)) {}

    std::string text; ///< compact JSON; empty if absent

    friend bool operator==(raw_json const&, raw_json const&) = default;
};

/** Fields that a type does not define, kept so that read-modify-write loses nothing. One pointer wide while empty,
    which is the usual case. */
class unknown_fields {
public:
    using value_type = std::pair<std::string, raw_json>;
    using list = std::vector<value_type>;

    unknown_fields() = default;
    unknown_fields(unknown_fields const& other) : list_(other.list_ != nullptr ? copy(*other.list_) : nullptr) {}
    unknown_fields(unknown_fields&& other) noexcept : list_(std::exchange(other.list_, nullptr)) {}
    unknown_fields& operator=(unknown_fields other) noexcept {
        std::swap(list_, other.list_);
        return *this;
    }
    ~unknown_fields() {
        if (list_ != nullptr) destroy(list_);
    }

    bool empty() const noexcept { return list_ == nullptr || begin() == end(); }
    value_type const* begin() const noexcept;
    value_type const* end() const noexcept;
    raw_json const* find(std::string_view name) const noexcept;
    /// Adds a field whose name must not exist yet; this is not checked.
    value_type& append(std::string_view name);
    /// Adds a field, or replaces the one of this name.
    void set(std::string_view name, raw_json value);

private:
    static list* copy(list const&);
    static void destroy(list*) noexcept;

    list* list_ = nullptr; // its code is compiled once: every model has such a member
};

} // namespace kftrain

#endif
