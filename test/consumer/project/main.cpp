#include <kftrain/kftrain.hpp>

#include <iostream>

int main() {
    std::cout << "kftrain " << kftrain::version() << '\n';
    return 0;
}
