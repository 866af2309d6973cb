#pragma once
#error "dash::io and HDF5 are missing; include this only if DASH_ENABLE_HDF5 is defined"
