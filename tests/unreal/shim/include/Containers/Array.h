#pragma once

#include "ue_shim/Array.h"
