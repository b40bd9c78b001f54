#pragma once

#include "ue_shim/Map.h"
