#include "golden/flags.hpp"

#include "golden/compare.hpp"

#include <kftrain/kinds/pytorch_job.hpp>

#include <stdexcept>

namespace golden {

kftrain::operator_options read_flags(json::object const& about) {
    kftrain::pytorch_operator_options told;
    for (auto const& flag : list_of(about, "flags")) {
        std::string const all(flag.as_string());
        auto const name = all.substr(0, all.find('=')), value = all.substr(all.find('=') + 1);
        if (name == "--pytorch-init-container-image")
            told.init_container_image = value;
        else if (name == "--pytorch-init-container-max-tries")
            told.init_container_max_tries = std::stoi(value);
        else
            throw std::runtime_error("kftrain does not know the flag " + all);
    }
    return kftrain::operator_options().set(told);
}

} // namespace golden
