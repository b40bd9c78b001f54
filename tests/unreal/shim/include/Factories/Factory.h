#pragma once

#include "ue_shim/Editor.h"
