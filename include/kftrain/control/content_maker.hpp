#ifndef KFTRAIN_CONTROL_CONTENT_MAKER_HPP
#define KFTRAIN_CONTROL_CONTENT_MAKER_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/job/recipe.hpp>

#include <memory>

namespace kftrain::control {

/** Makes what the recipes of plans ask for. Tests give operators one that makes the same each time.
    @par Thread safety Each says; an operator uses it on the executor of its client. */
class content_maker {
public:
    virtual ~content_maker() = default;

    virtual result<rules::key_texts> make(rules::ssh_key) = 0;
    virtual result<std::string> make(rules::random_text const&) = 0;
};

/** Makes keys and texts by the random numbers of OpenSSL. A key takes its time on the calling thread: an RSA key some tenth of
    a second, one on a curve a hundredth of that.
    @par Errors `errc::invalid_argument` for an alphabet that is empty or has more than 256 characters, or a length beyond
    4096; an error of its own if OpenSSL refuses.
    @par Thread safety Safe.
    @par Upstream Go `crypto/x509` (MarshalECPrivateKey, MarshalPKCS1PrivateKey), `golang.org/x/crypto/ssh`
    (MarshalAuthorizedKey): the same files. */
std::shared_ptr<content_maker> make_content_maker();

} // namespace kftrain::control

#endif
