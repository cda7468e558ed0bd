// gives example.adds_one pass
// gives edge.handles_nothing pass
// gives safety.has_no_race finding
// gives speed.at_2_22 skipped
