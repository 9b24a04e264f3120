// The finished picture onto its target, scaled.
#if defined VERTEX_SHADER
in vec2 in_plane;
out vec2 uv;
void main() {
    uv = in_plane * 0.5 + 0.5;
    gl_Position = vec4(in_plane, 0.0, 1.0);
}

#else
uniform sampler2D picture;
in vec2 uv;
out vec4 result;

void main() {
#if defined SHRINK
    // Four bilinear taps average a 2x2..4x4 block: the supersampled picture of the ultra rung.
    vec2 texel = 1.0 / vec2(textureSize(picture, 0));
    vec3 sum = texture(picture, uv + 0.5 * texel * vec2(-1, -1)).rgb + texture(picture, uv + 0.5 * texel * vec2(1, -1)).rgb
             + texture(picture, uv + 0.5 * texel * vec2(-1, 1)).rgb + texture(picture, uv + 0.5 * texel * vec2(1, 1)).rgb;
    result = vec4(0.25 * sum, 1.0);
#else
    result = vec4(texture(picture, uv).rgb, 1.0);
#endif
}
#endif
