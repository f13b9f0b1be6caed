"""Many nodes as one server: any node takes any player to any room, and each room has one owner.

A person's connection ends at one node, the *gateway*; the room lives at its *owner*, which has a
lease for it in the database. What a session asks of a room, and what the room tells it, goes over
the bus, and neither knows. The room's log decides what has happened: its owner may append only
while it has the lease. So a message that is lost, or a node, costs no move: the people are brought
back to the room, wherever it is then, and hear what they have missed.
"""
