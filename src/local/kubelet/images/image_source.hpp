#ifndef KFTRAIN_SRC_LOCAL_KUBELET_IMAGES_IMAGE_SOURCE_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_IMAGES_IMAGE_SOURCE_HPP

#include <kftrain/local/pod_options.hpp>
#include <kftrain/objects/core.hpp>

#include "local/sandbox/images/image_config.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace kftrain::local {

using sandbox::image_config;

/// Ends the message of a container whose image could not be served for a reason that may pass.
inline constexpr std::string_view may_pass_text = "; this may pass";

/// The forms of an entry of pod_options::images.
enum class image_form { host, venv, directory, oci, archive };

/// The source of an image.
struct image_source {
    image_source() = default;
    friend bool operator==(image_source const&, image_source const&) = default;

    /// Whether containers have a root file system of their own.
    bool has_root() const noexcept { return form != image_form::host && form != image_form::venv; }
    /// Whether it is unpacked first, and may contain a command.
    bool is_unpacked() const noexcept { return form == image_form::oci || form == image_form::archive; }

    image_form form = image_form::host;
    std::string path; ///< empty for `host`
    std::string tag;  ///< of an OCI image layout; may be empty
};

/// Returns the text that parse_image_source() reads.
std::string to_string(image_source const& source);

/** Reads `host`, `venv:PATH`, `dir:PATH`, `oci:PATH`, `oci:PATH:TAG` or `archive:FILE`. A colon behind the last slash
    begins a tag.
    @par Errors `errc::syntax` */
result<image_source> parse_image_source(std::string_view text);

/// Returns why the source cannot be used; empty if it can.
std::string fault_of(image_source const& source);

/** Returns what serves the image: `host` if the table is empty.
    @par Errors `errc::invalid_argument` with a sentence that names the option, if no entry covers the image */
result<image_source> source_of_image(std::string_view image, pod_options const& options);

/// Returns the issues of the containers whose images no entry of the table covers. Paths begin with `spec`.
issues uncovered_images(core::pod_spec const& spec, pod_options const& options);

/// Returns what a virtual environment sets; absent for other sources.
std::optional<image_config> config_of_venv(image_source const& source);

} // namespace kftrain::local

#endif
