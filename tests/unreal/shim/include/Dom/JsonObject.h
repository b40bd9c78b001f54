#pragma once

#include "ue_shim/Json.h"
