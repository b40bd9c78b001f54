#pragma once

#include "ue_shim/Object.h"
