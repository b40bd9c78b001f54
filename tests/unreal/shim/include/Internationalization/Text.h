#pragma once

#include "ue_shim/Text.h"
