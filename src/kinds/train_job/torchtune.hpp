#ifndef KFTRAIN_SRC_KINDS_TRAIN_JOB_TORCHTUNE_HPP
#define KFTRAIN_SRC_KINDS_TRAIN_JOB_TORCHTUNE_HPP

#include "kinds/train_job/layout.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/** Fine-tuning with the program `tune` of TorchTune.
    @par Upstream kubeflow/trainer v2.3.0 `pkg/runtime/framework/plugins/torch/torchtune.go` */
namespace kftrain::trainer {

/// Whether the command of a job is exactly `tune run`.
bool runs_torchtune(job_trainer const&);
/// `llama3_2/1B` for the runtime `torchtune-llama3.2-1b`; empty for names of another form.
std::string model_of_runtime(std::string_view runtime);
bool is_supported_model(std::string_view model) noexcept;
/// Whether the runtime alone sets the value of `key=value`.
bool is_set_by_runtime(std::string_view argument);

bool uses_lora(std::vector<std::string> const& args);
bool uses_qlora(std::vector<std::string> const& args);

/// A recipe of TorchTune and its configuration.
struct recipe_choice {
    recipe_choice() = default;
    recipe_choice(std::string_view r, std::string_view s) : recipe(r), suffix(s) {}

    std::string_view recipe; ///< e.g. `full_finetune_distributed`
    std::string_view suffix; ///< follows the model in the name of the configuration
};

/// `processes`: per node; absent: torchrun counts the GPUs.
recipe_choice choose_recipe(std::int32_t nodes, std::optional<std::int32_t> processes, std::int64_t gpus,
                            std::vector<std::string> const& args);

} // namespace kftrain::trainer

#endif
