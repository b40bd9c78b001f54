#pragma once

#include "ue_shim/Pointers.h"
