#pragma once

#include "ue_shim/String.h"
