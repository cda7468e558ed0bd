#include "beta.h"
