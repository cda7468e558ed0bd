/* What a test program says to its grader by the socket of WARPBOOK_TURN, a byte at a time. */
#pragma once

enum turn_word {
    TURN_WANTED = 'w', /* its context is made: it waits for a byte, and may use the GPU then */
    TURN_WANTED_ALONE = 'a', /* the same, and nobody else may use it then */
    TURN_DONE = 'd', /* nothing of it runs on the GPU any more, though its context is still there */
};
