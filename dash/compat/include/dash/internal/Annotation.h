#pragma once
#include "dash/Annotation.h"
