"""Measuring strength: matches of duplicate deals, tournaments, and the statistics that say what they prove."""
