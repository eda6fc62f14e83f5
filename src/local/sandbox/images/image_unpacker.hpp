#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_IMAGES_IMAGE_UNPACKER_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_IMAGES_IMAGE_UNPACKER_HPP

#include <boost/json/object.hpp>

namespace kftrain::local::sandbox {

/** Serves one request for an image over the message socket `client`, and replies with `{"image": ...}` and a descriptor
    of the directory of the unpacked image, or with `{"error": SENTENCE}`, and
    `"may_pass": true` if the same request may succeed later. As long as a copy of the descriptor is open,
    the image stays in the store.

    Members of the request: `store`, `form` (`oci` or `archive`), `path`, `tag`, and the numbers of image_store_options.

    The store has a directory `sha256-DIGEST` for each image, with `rootfs` and `image.json`. It comes into being by a
    rename, so that it is always complete. The names of unfinished ones begin with `.new-`: the next process that
    unpacks something removes what killed ones left. Only one process unpacks at a time. */
void serve_image(boost::json::object const& request, int client);

} // namespace kftrain::local::sandbox

#endif
