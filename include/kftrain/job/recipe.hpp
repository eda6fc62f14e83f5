#ifndef KFTRAIN_JOB_RECIPE_HPP
#define KFTRAIN_JOB_RECIPE_HPP

#include <kftrain/model/any_object.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace kftrain::rules {

/// A new ssh key pair.
struct ssh_key {
    enum class algorithm : std::uint8_t { ecdsa_p521, rsa_2048 };

    constexpr ssh_key() = default;
    constexpr explicit ssh_key(algorithm a) : kind(a) {}

    algorithm kind = algorithm::ecdsa_p521; ///< type of the key
};

/// A new text of unpredictable characters.
struct random_text {
    constexpr random_text() = default;
    constexpr explicit random_text(std::size_t n) : length(n) {}
    constexpr random_text(std::size_t n, std::string_view a) : length(n), alphabet(a) {}

    std::size_t length = 0; ///< number of characters
    /// 1 to 256 characters, which must live as long as the recipe
    std::string_view alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";
};

/// A key pair in the file formats of ssh.
struct key_texts {
    key_texts() = default;

    std::string private_pem; ///< `EC PRIVATE KEY` (SEC 1) or `RSA PRIVATE KEY` (PKCS #1)
    std::string public_line; ///< one line of `authorized_keys`, without comment, with its newline
};

/// The result of a recipe.
using content = std::variant<key_texts, std::string>;

/** Content that a pure plan cannot generate, such as keys: the executor of the plan generates it and puts it into
    the object. Made by recipe_for().
    @par Thread safety A value. */
struct recipe {
    recipe() = default;

    std::variant<ssh_key, random_text> what; ///< the content to generate
    /// Returns a copy of the object, which must be of the type of the recipe, with the content in its place.
    any_object (*filled)(any_object const& object, content const& made, std::size_t slot) = nullptr;
    std::size_t slot = 0; ///< distinguishes the recipes of one object
};

/** Content for an object of type `K`. `put` is a lambda without captures, `void(K&, key_texts const&, std::size_t
    slot)` for an ssh_key and `void(K&, std::string const&, std::size_t slot)` for a random_text. */
template <resource K, class What, class Put> recipe recipe_for(What what, Put, std::size_t slot = 0) {
    static_assert(std::is_empty_v<Put> && std::default_initializable<Put>, "put is a lambda without captures");
    using text = std::conditional_t<std::same_as<What, ssh_key>, key_texts, std::string>;
    recipe r;
    r.what = what;
    r.filled = [](any_object const& object, content const& made, std::size_t at) {
        auto const* const stored = object.get_if<K>();
        if (stored == nullptr)
            throw std::invalid_argument("a recipe was made for another type than that of the object");
        K next = *stored;
        Put()(next, std::get<text>(made), at);
        return any_object(std::move(next));
    };
    r.slot = slot;
    return r;
}

} // namespace kftrain::rules

#endif
