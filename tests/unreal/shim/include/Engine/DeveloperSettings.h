#pragma once

#include "ue_shim/Engine.h"
