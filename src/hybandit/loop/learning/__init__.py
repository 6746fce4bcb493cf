"""How a loop learns: the model, its versions, and who follows the journal."""
