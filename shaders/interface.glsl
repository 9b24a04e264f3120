// Panels and text: ImGui's triangles in pixels from the top left.
#if defined VERTEX_SHADER
uniform vec2 size;
in vec2 in_position;
in vec2 in_uv;
in vec4 in_color;
out vec2 uv;
out vec4 color;
void main() {
    uv = in_uv;
    color = in_color;
    gl_Position = vec4(in_position / size * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
}

#else
uniform sampler2D atlas;
in vec2 uv;
in vec4 color;
out vec4 result;
void main() { result = color * texture(atlas, uv); }
#endif
