"""Tables: what is stored of them, what follows from it, and who may do what. Nothing here waits, stores or sends."""
