"""Tables at which something goes on: their queue, whoever is connected, the computers that play, and the lobby."""
