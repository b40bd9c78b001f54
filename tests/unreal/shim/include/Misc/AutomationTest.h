#pragma once

#include "ue_shim/Automation.h"
