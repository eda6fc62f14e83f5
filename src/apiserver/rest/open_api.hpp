#ifndef KFTRAIN_SRC_APISERVER_REST_OPEN_API_HPP
#define KFTRAIN_SRC_APISERVER_REST_OPEN_API_HPP

#include <kftrain/apiserver/object_store.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::apiserver {

struct open_api_document {
    std::string content_type = "application/json", text;
};

/** Makes the documents of `/openapi/v2`, of `/openapi/v3` and of the group versions below it when a client reads them,
    and keeps them until the served kinds change.
    @par Upstream kube-openapi `pkg/handler`, `pkg/handler3` */
class open_api_documents {
public:
    using document = std::shared_ptr<open_api_document const>;

    /** Returns the document at a path; null for other paths.
        @param accept The media types that the client accepts */
    document find(object_store const&, std::vector<std::string> const& path, std::string_view accept);

    /// Bytes of documents that are kept; those beyond it are made for each request.
    static constexpr std::size_t most_bytes = std::size_t{16} << 20U;

private:
    std::uint64_t kinds_ = 0; ///< identifies the kinds that the documents describe
    std::size_t bytes_ = 0;
    std::map<std::string, document> made_; ///< by version and path
};

} // namespace kftrain::apiserver

#endif
