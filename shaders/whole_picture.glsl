// Vertex stage of the passes that go over the whole picture.
in vec2 in_plane;
out vec2 uv;
void main() {
    uv = in_plane * 0.5 + 0.5;
    gl_Position = vec4(in_plane, 0.0, 1.0);
}
