// gives speed.at_2_22 wrong_answer adds_two
