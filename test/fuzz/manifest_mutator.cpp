#include "fuzz/drawn_manifests.hpp"

#include <kftrain/kinds/registry.hpp>

#include <algorithm>
#include <cstddef>

// libFuzzer's own functions have the names that it gives them.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);

/** A text for the next try: one of four is drawn for whichever kind, two are the given one with another part, one has
    other bytes. What is found is a manifest in any case, so that it stays what it is when drawing changes. */
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    auto const kinds = kftrain::known_job_rules();
    std::optional<std::string> made;
    switch (seed % 4) {
    case 0: made = fuzz::draw_manifest(*kinds[seed / 4 % kinds.size()], seed); break;
    case 1:
    case 2: made = fuzz::redraw_manifest({reinterpret_cast<char const*>(data), size}, seed); break;
    default: break;
    }
    if (!made || made->size() > most) return LLVMFuzzerMutate(data, size, most);
    std::ranges::copy(*made, data);
    return made->size();
}
