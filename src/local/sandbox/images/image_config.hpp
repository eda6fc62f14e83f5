#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_IMAGES_IMAGE_CONFIG_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_IMAGES_IMAGE_CONFIG_HPP

#include <boost/json/object.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kftrain::local::sandbox {

/** The settings of an image for its containers.
    @par Upstream OCI image-spec v1.0.2 `config.md` */
struct image_config {
    image_config() = default;

    std::vector<std::string> entrypoint;
    std::vector<std::string> cmd;
    std::vector<std::string> env; ///< NAME=VALUE
    std::string working_dir;
    std::string user; ///< `USER` or `USER:GROUP`, each a name or a number; empty: root
};

boost::json::object to_json(image_config const& config);

/** Reads member `config` of an image configuration. Throws `std::runtime_error` with a sentence if a member has another
    type, or a text contains a NUL byte. */
image_config config_of(boost::json::object const& document);

/// One image of an OCI image layout.
struct image_reference {
    image_reference() = default;

    std::string digest;    ///< `sha256:` and 64 hexadecimal digits
    std::string tag;       ///< empty: the layout has no name for it
    bool is_index = false; ///< of several platforms
};

/** Finds the image with the tag in `index.json` of a layout. Without a tag: the only image, or the one with the tag
    `latest`. Throws `std::runtime_error` with a sentence that names the tags of the layout. */
image_reference find_image(boost::json::object const& index, std::string_view tag);

/// The hexadecimal digits of a SHA-256 digest. Throws `std::runtime_error` for every other text.
std::string hex_of(std::string_view digest);

} // namespace kftrain::local::sandbox

#endif
