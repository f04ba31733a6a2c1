"""What the contract tools share: schemas read into shapes, and what is made from shapes.

schema files -> `schemas.load` -> `shapes.Contracts` -> models, protos and pages (`outputs.desired`).
The same shapes are compared with the compiled protos (`parity`), with contracts/vocabulary.toml
(`vocabulary`) and with the released baseline (`additive`, `released`). `signatures` reads what commands take.
"""
