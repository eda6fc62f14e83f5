#ifndef KFTRAIN_SRC_LOCAL_NODE_ADDRESS_POOL_HPP
#define KFTRAIN_SRC_LOCAL_NODE_ADDRESS_POOL_HPP

#include <charconv>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <system_error>

namespace kftrain::local {

/// Assigns the addresses of pods, the one that was free longest first.
class address_pool {
public:
    /// `prefix` is the first half, e.g. `10.244`. The addresses .0.0, .0.1 and .255.255 are never handed out.
    explicit address_pool(std::string prefix) : prefix_(std::move(prefix)) {}

    /// Absent when all are in use.
    std::optional<std::string> take() {
        for (std::uint32_t tries = 0; tries < limit - lowest; ++tries) {
            std::uint32_t const candidate = next_;
            next_ = next_ + 1 == limit ? lowest : next_ + 1;
            if (used_.insert(candidate).second) return text(candidate);
        }
        return std::nullopt;
    }
    void release(std::string const& address) {
        std::uint32_t high = 0, low = 0;
        auto const* const end = address.data() + address.size();
        if (!address.starts_with(prefix_ + ".")) return;
        auto const at = std::from_chars(address.data() + prefix_.size() + 1, end, high);
        if (at.ec != std::errc() || at.ptr == end || *at.ptr != '.') return;
        auto const last = std::from_chars(at.ptr + 1, end, low);
        if (last.ec == std::errc() && last.ptr == end && low <= 0xFFU) used_.erase(high << 8U | low);
    }

private:
    std::string text(std::uint32_t n) const {
        return prefix_ + "." + std::to_string(n >> 8U) + "." + std::to_string(n & 0xFFU);
    }

    static constexpr std::uint32_t lowest = 2;
    static constexpr std::uint32_t limit = 0xFFFF;
    std::string prefix_;
    std::uint32_t next_ = lowest;
    std::set<std::uint32_t> used_;
};

} // namespace kftrain::local

#endif
