#pragma once

#include "ue_shim/Function.h"
