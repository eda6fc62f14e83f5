#ifndef KFTRAIN_MODEL_BOXED_HPP
#define KFTRAIN_MODEL_BOXED_HPP

#include <utility>

namespace kftrain {

/** A value that is usually absent: one pointer wide, on the heap when present, with the interface of std::optional.
    Copies are deep. Model structs use it for large, rarely used parts (probes, security contexts, volume sources).
    @par Thread safety Distinct objects: safe. Shared objects: as for `T`. */
template <class T> class boxed {
public:
    using value_type = T;

    boxed() = default;
    boxed(T value) : value_(new T(std::move(value))) {}
    boxed(boxed const& other) : value_(other.value_ != nullptr ? new T(*other.value_) : nullptr) {}
    boxed(boxed&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
    boxed& operator=(boxed other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    ~boxed() { delete value_; }

    bool has_value() const noexcept { return value_ != nullptr; }
    explicit operator bool() const noexcept { return has_value(); }
    T& operator*() noexcept { return *value_; }
    T const& operator*() const noexcept { return *value_; }
    T* operator->() noexcept { return value_; }
    T const* operator->() const noexcept { return value_; }

    /// Replaces the value, if any, by a new one.
    template <class... Args> T& emplace(Args&&... args) {
        T* const value = new T(std::forward<Args>(args)...);
        delete std::exchange(value_, value);
        return *value;
    }
    void reset() noexcept { delete std::exchange(value_, nullptr); }

    friend bool operator==(boxed const& a, boxed const& b) {
        return a && b ? *a == *b : a.has_value() == b.has_value();
    }

private:
    // A raw pointer: models have hundreds of these members, and each std::unique_ptr of another type costs every source
    // that includes them some milliseconds.
    T* value_ = nullptr;
};

} // namespace kftrain

#endif
