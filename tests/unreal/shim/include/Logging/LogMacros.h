#pragma once

#include "ue_shim/Log.h"
