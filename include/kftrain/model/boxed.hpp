#ifndef KFTRAIN_MODEL_BOXED_HPP
#define KFTRAIN_MODEL_BOXED_HPP

#include <memory>
#include <utility>

namespace kftrain {

/** A value that is rarely there: one pointer wide, on the heap when present, with the interface of std::optional.
    Copies are deep. Model structs keep large, seldom used parts in it (probes, security contexts, volume sources).
    @par Thread safety Distinct objects: safe. Shared objects: as for `T`. */
template <class T> class boxed {
public:
    using value_type = T;

    boxed() = default;
    boxed(T value) : value_(std::make_unique<T>(std::move(value))) {}
    boxed(boxed const& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
    boxed(boxed&&) noexcept = default;
    boxed& operator=(boxed other) noexcept {
        value_.swap(other.value_);
        return *this;
    }
    ~boxed() = default;

    bool has_value() const noexcept { return value_ != nullptr; }
    explicit operator bool() const noexcept { return has_value(); }
    T& operator*() noexcept { return *value_; }
    T const& operator*() const noexcept { return *value_; }
    T* operator->() noexcept { return value_.get(); }
    T const* operator->() const noexcept { return value_.get(); }

    /// Puts a new value in the place of any old one.
    template <class... Args> T& emplace(Args&&... args) {
        value_ = std::make_unique<T>(std::forward<Args>(args)...);
        return *value_;
    }
    void reset() noexcept { value_.reset(); }

    friend bool operator==(boxed const& a, boxed const& b) {
        return a && b ? *a == *b : a.has_value() == b.has_value();
    }

private:
    std::unique_ptr<T> value_;
};

} // namespace kftrain

#endif
