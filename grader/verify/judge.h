/* The checks of `verify`, one function for each kind of item. It returns what is wrong, in a text
 * of its own, or NULL where all is well, and puts into `*got` what to show beside an item that
 * passed, and after a newline what --verbose shows. */
#pragma once

#include "grader/verify/catalogue.h"

catalogue_judge judge_skeleton; /* every test says: not written yet */
catalogue_judge judge_model;    /* every test passes: of variants, too */
catalogue_judge judge_answer;   /* the same, and what is predicted in the file is what is counted */
catalogue_judge
    judge_mistake; /* the named test gives the verdict and diagnosis that were claimed */
catalogue_judge judge_likeness; /* skeleton and model answer agree outside the TODO regions */
catalogue_judge judge_hints;    /* there are hints, none empty */
catalogue_judge judge_folder;   /* the lab's folders have nothing unexpected */
catalogue_judge judge_handout;  /* the handout's code is that of the lab's sources */
catalogue_judge judge_numbers;  /* the handout's numbers and its figures' words are current */
catalogue_judge
    judge_tests; /* the manifest names the tests that there are, and no lab has a twin */
catalogue_judge judge_reach; /* something tells each diagnosis; what has no mistake is named */
catalogue_judge judge_rest;  /* never: it names what is left of a lab that was deleted in part */
catalogue_judge judge_table; /* the page of mistakes is current */
