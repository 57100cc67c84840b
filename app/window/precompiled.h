// What nearly every file of the window includes and nobody here changes, parsed once.
#pragma once

#include <QtWidgets>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>
