#ifndef KFTRAIN_CONTROL_CONTENT_MAKER_HPP
#define KFTRAIN_CONTROL_CONTENT_MAKER_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/job/recipe.hpp>

#include <memory>

namespace kftrain::control {

/** Makes the keys and texts for the recipes of plans. Tests pass operators a maker with the same results each time.
    @par Thread safety Documented by each maker. An operator calls a maker that the caller passed on the executor of its
    client. */
class content_maker {
public:
    virtual ~content_maker() = default;

    [[nodiscard]] virtual result<rules::key_texts> make(rules::ssh_key) = 0;
    [[nodiscard]] virtual result<std::string> make(rules::random_text const&) = 0;
};

/** Makes keys and texts with the random numbers of OpenSSL. It makes a key on the calling thread: an RSA key takes some
    tenths of a second, a key on an elliptic curve a hundredth of that.

    An operator without a maker of its own makes keys with this one on up to four threads, which it starts with the
    first key. These threads post each key to the executor of its client. That executor must therefore accept posts from
    other threads: an `io_context` must not be constructed with `BOOST_ASIO_CONCURRENCY_HINT_UNSAFE`. Destroying the
    operator joins the threads, and so waits until the keys that they are making are finished.
    @par Errors `errc::invalid_argument` for an alphabet that is empty or has more than 256 characters, or a length
    beyond 4096; an error of its own if OpenSSL refuses.
    @par Thread safety Safe.
    @par Upstream Go `crypto/x509` (MarshalECPrivateKey, MarshalPKCS1PrivateKey), `golang.org/x/crypto/ssh`
    (MarshalAuthorizedKey): the same files. */
std::shared_ptr<content_maker> make_content_maker();

} // namespace kftrain::control

#endif
