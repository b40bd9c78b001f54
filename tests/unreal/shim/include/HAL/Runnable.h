#pragma once

#include "ue_shim/Threads.h"
