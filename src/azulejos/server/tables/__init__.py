"""Tables: what is stored of them, what follows from it, and who may do what."""
