#include "kinds/train_job/kind.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>

namespace kftrain::trainer {
namespace {

std::string_view trimmed(std::string_view s) noexcept {
    constexpr std::string_view blanks = " \t\n\v\f\r";
    auto const first = s.find_first_not_of(blanks);
    return first == s.npos ? std::string_view() : s.substr(first, s.find_last_not_of(blanks) - first + 1);
}

/// Whether there is `key=true`; the key may be a part of the name.
bool is_switched_on(std::vector<std::string> const& args, std::string_view key) {
    return std::ranges::any_of(args, [&](std::string_view arg) {
        auto const equals = arg.find('=');
        return equals != arg.npos && arg.substr(0, equals).find(key) != arg.npos &&
               to_lower(trimmed(arg.substr(equals + 1))) == "true";
    });
}

} // namespace

bool runs_torchtune(job_trainer const& t) {
    return t.command.size() == 2 && t.command[0] == "tune" && t.command[1] == "run";
}

std::string model_of_runtime(std::string_view runtime) {
    auto const first = runtime.find('-');
    if (first == runtime.npos) return {};
    auto const second = runtime.find('-', first + 1);
    if (second == runtime.npos || runtime.find('-', second + 1) != runtime.npos) return {};
    std::string model(runtime.substr(first + 1, second - first - 1));
    std::ranges::replace(model, '.', '_');
    model += '/';
    for (char const c : runtime.substr(second + 1)) model += is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
    return model;
}

bool is_supported_model(std::string_view model) noexcept {
    constexpr std::array<std::string_view, 4> known{"llama3_2/1B", "llama3_2/3B", "llama3_3/70B", "qwen2_5/1.5B"};
    return std::ranges::find(known, model) != known.end();
}

bool is_set_by_runtime(std::string_view argument) {
    constexpr std::array<std::string_view, 4> keys{"output_dir", "tokenizer.path", "tokenizer.merges_file",
                                                   "checkpointer.checkpoint_dir"};
    return std::ranges::find(keys, argument.substr(0, argument.find('='))) != keys.end();
}

bool uses_lora(std::vector<std::string> const& args) {
    return std::ranges::any_of(args,
                               [](std::string const& arg) { return arg.find("model.lora_attn_modules") != arg.npos; });
}

bool uses_qlora(std::vector<std::string> const& args) {
    return !is_switched_on(args, "model.use_dora") && is_switched_on(args, "model.quantize_base");
}

recipe_choice choose_recipe(std::int32_t nodes, std::optional<std::int32_t> processes, std::int64_t gpus,
                            std::vector<std::string> const& args) {
    constexpr std::string_view full = "full_finetune_distributed", lora = "lora_finetune_distributed";
    constexpr std::string_view full_single = "full_finetune_single_device", lora_single = "lora_finetune_single_device";
    if (nodes == 1 && (processes == 1 || gpus == 1)) {
        if (uses_qlora(args)) return {lora_single, "_qlora_single_device"};
        if (uses_lora(args)) return {lora_single, "_lora_single_device"};
        return {full_single, "_full_single_device"};
    }
    if (nodes == 1 && uses_qlora(args)) return {lora, "_qlora"};
    if (nodes == 1 && uses_lora(args)) return {lora, "_lora"};
    return {full, nodes > 1 ? "_full_multinode" : "_full"};
}

} // namespace kftrain::trainer
