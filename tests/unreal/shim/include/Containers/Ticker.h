#pragma once

#include "ue_shim/System.h"
