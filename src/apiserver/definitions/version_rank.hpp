#ifndef KFTRAIN_SRC_APISERVER_DEFINITIONS_VERSION_RANK_HPP
#define KFTRAIN_SRC_APISERVER_DEFINITIONS_VERSION_RANK_HPP

#include <charconv>
#include <compare>
#include <string_view>

namespace kftrain::apiserver {

/** Orders the versions of an API: `v2` above `v1`, `v1` above `v1beta2`, this above `v1alpha1`, all other names below.
    @par Upstream apimachinery `pkg/version/helpers.go`, `CompareKubeAwareVersionStrings`, v0.31 */
struct version_rank {
    int stability = 0; ///< 3 for a stable version, 2 for beta, 1 for alpha
    int major = 0, minor = 0;

    explicit version_rank(std::string_view text) noexcept {
        if (!take(text, "v") || !take_number(text, major)) return;
        if (text.empty())
            stability = 3;
        else if (take(text, "beta"))
            stability = take_number(text, minor) && text.empty() ? 2 : 0;
        else if (take(text, "alpha"))
            stability = take_number(text, minor) && text.empty() ? 1 : 0;
    }

    friend auto operator<=>(version_rank const&, version_rank const&) = default;

private:
    static bool take(std::string_view& text, std::string_view prefix) noexcept {
        if (!text.starts_with(prefix)) return false;
        text.remove_prefix(prefix.size());
        return true;
    }
    static bool take_number(std::string_view& text, int& to) noexcept {
        auto const [end, ec] = std::from_chars(text.data(), text.data() + text.size(), to);
        if (ec != std::errc()) return false;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        return true;
    }
};

} // namespace kftrain::apiserver

#endif
