/* analysis/on_chip.h: what a program keeps on chip: the results of its dots. */
#ifndef ANALYSIS_ON_CHIP_H
#define ANALYSIS_ON_CHIP_H

#include "analysis/launch.h"

/* Bytes of the results of dots that live at one time, in launch variables: 0
 * without any. Accumulators and score tiles count alike; operands and states of
 * one axis do not. Results of loops and arms that come one after the other
 * share their room. A dot whose element type nobody states gives f32. Inexact
 * where an extent is not known. */
sym on_chip_bytes(const launch *l);

#endif
