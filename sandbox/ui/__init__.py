"""The interface: Dear ImGui panels over the picture. Imported only once a window is open."""
