// gives example.adds_one wrong_answer adds_two
// gives edge.handles_nothing pass
// gives safety.has_no_race pass
// gives speed.at_2_22 skipped
