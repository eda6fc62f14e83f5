#ifndef KFTRAIN_KUBE_MESSAGE_HPP
#define KFTRAIN_KUBE_MESSAGE_HPP

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain::kube {

/// Header fields in wire order. Names are case-insensitive.
class http_fields {
public:
    using value_type = std::pair<std::string, std::string>;

    http_fields() = default;

    void add(std::string name, std::string value);
    /// Replaces all fields of this name by one.
    void set(std::string name, std::string value);
    /// Returns the first field of this name, or an empty view.
    std::string_view get(std::string_view name) const noexcept;
    /// Returns all fields of this name, in their order.
    std::vector<std::string_view> get_all(std::string_view name) const;

    auto begin() const noexcept { return list_.begin(); }
    auto end() const noexcept { return list_.end(); }

private:
    std::vector<value_type> list_;
};

/// An HTTP request as a value. `target` is path and query, percent-encoded, without scheme and host.
struct http_request {
    http_request() = default;

    std::string method;
    std::string target;
    http_fields fields;
    std::string body;
};

/// Status line and fields of a response, before its body.
struct http_response_head {
    http_response_head() = default;

    unsigned status = 0;
    http_fields fields;
};

/// A whole response.
struct http_response : http_response_head {
    http_response() = default;

    std::string body;
};

} // namespace kftrain::kube

#endif
