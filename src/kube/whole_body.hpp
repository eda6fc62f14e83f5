#ifndef KFTRAIN_SRC_KUBE_WHOLE_BODY_HPP
#define KFTRAIN_SRC_KUBE_WHOLE_BODY_HPP

#include <kftrain/kube/message.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace kftrain::kube::detail {

/// The length that an answer gives itself; 0 if it does not.
std::size_t announced_length(http_fields const& fields);

/// A body that is put together from its pieces.
class whole_body {
public:
    whole_body() = default;
    whole_body(std::size_t limit, std::size_t announced) : limit_(limit), announced_(announced) {}

    /// False, and nothing is added, if it became longer than the limit.
    bool add(std::string piece);
    std::string take() noexcept { return std::move(text_); }

private:
    void make_room(std::size_t needed);

    std::size_t limit_ = 0;
    std::size_t announced_ = 0;
    std::string text_;
};

} // namespace kftrain::kube::detail

#endif
