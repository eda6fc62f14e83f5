#include "golden/flags.hpp"

#include "golden/compare.hpp"

#include <kftrain/kinds/pytorch_job.hpp>

#include <stdexcept>

namespace golden {

kftrain::operator_options read_flags(json::object const& about) {
    kftrain::pytorch_operator_options told;
    kftrain::training_operator_options family;
    for (auto const& flag : list_of(about, "flags")) {
        std::string const all(flag.as_string());
        auto const name = all.substr(0, all.find('=')), value = all.substr(all.find('=') + 1);
        if (name == "--pytorch-init-container-image")
            told.init_container_image = value;
        else if (name == "--pytorch-init-container-max-tries")
            told.init_container_max_tries = std::stoi(value);
        else if (name == "--gang-scheduler-name")
            family.gang_scheduler_name = value;
        else
            throw std::runtime_error("kftrain does not know the flag " + all);
    }
    return kftrain::operator_options().set(told).set(family);
}

} // namespace golden
