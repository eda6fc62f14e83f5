#ifndef KFTRAIN_SRC_KUBE_ANSWERS_ANSWER_CHECK_HPP
#define KFTRAIN_SRC_KUBE_ANSWERS_ANSWER_CHECK_HPP

#include "kube/http/request_parts.hpp"

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/message.hpp>

#include <string>
#include <string_view>

namespace kftrain::kube::detail {

/** The required content of an answer, independent of the type of the objects: a list for a list, and the object with
    that name and namespace for a call about one object.
    @par Upstream apiserver `pkg/endpoints/handlers`; client-go accepts other objects, its dynamic client no list
    without kind */
class expected_answer {
public:
    expected_answer() = default;
    explicit expected_answer(http_request const& request);
    /// `subject`: the parts of the request, if they are known.
    expected_answer(http_request const& request, request_parts const& subject);

    /// Whether any answer will do.
    bool is_any() const noexcept { return form_ == form::any; }
    /** Checks `text`, the body of a successful answer. A text that is not a JSON object, or does not decode, passes:
        its decoder reports that.
        @par Errors `errc::protocol` */
    result<void> check(std::string_view text) const;

private:
    enum class form { any, list, object };

    result<void> check_list(std::string_view text) const;
    result<void> check_object(std::string_view text) const;

    form form_ = form::any;
    std::string resource_;
    std::string namespace_; ///< empty: any
    std::string name_;      ///< empty: the server makes one
    std::string prefix_;    ///< of that
};

} // namespace kftrain::kube::detail

#endif
