#pragma once

#include "ue_shim/InstancedStruct.h"
