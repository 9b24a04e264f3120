"""What can be asked of a world: energies, forces, joints as matrices, rays. Nothing changes."""
