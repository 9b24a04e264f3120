// The finished picture onto its target: smoothed along edges (FXAA) or scaled.
#if defined VERTEX_SHADER
in vec2 in_plane;
out vec2 uv;
void main() {
    uv = in_plane * 0.5 + 0.5;
    gl_Position = vec4(in_plane, 0.0, 1.0);
}

#else
uniform sampler2D picture;   // rgb, luma in alpha
in vec2 uv;
out vec4 result;

#if defined FXAA
// Blend along the local edge direction, found from the luma of the four diagonal neighbours; keep
// the narrower blend where the wider one would reach beyond the edge.
vec3 smoothed(vec2 texel) {
    float nw = texture(picture, uv + vec2(-1.0, -1.0) * texel).a;
    float ne = texture(picture, uv + vec2(1.0, -1.0) * texel).a;
    float sw = texture(picture, uv + vec2(-1.0, 1.0) * texel).a;
    float se = texture(picture, uv + vec2(1.0, 1.0) * texel).a;
    vec4 here = texture(picture, uv);
    float low = min(here.a, min(min(nw, ne), min(sw, se)));
    float high = max(here.a, max(max(nw, ne), max(sw, se)));
    if (high - low < max(0.04, high * 0.12)) return here.rgb;
    vec2 d = vec2(-((nw + ne) - (sw + se)), (nw + sw) - (ne + se));
    float reduce = max((nw + ne + sw + se) * 0.03125, 0.0078125);
    d = clamp(d / (min(abs(d.x), abs(d.y)) + reduce), -8.0, 8.0) * texel;
    vec4 narrow = 0.5 * (texture(picture, uv - d / 6.0) + texture(picture, uv + d / 6.0));
    vec4 wide = 0.5 * narrow + 0.25 * (texture(picture, uv - d * 0.5) + texture(picture, uv + d * 0.5));
    return wide.a < low || wide.a > high ? narrow.rgb : wide.rgb;
}
#endif

void main() {
    vec2 texel = 1.0 / vec2(textureSize(picture, 0));
#if defined FXAA
    result = vec4(smoothed(texel), 1.0);
#elif defined SHRINK
    // Four bilinear taps average a 2x2..4x4 block: the supersampled picture of the ultra rung.
    vec3 sum = texture(picture, uv + 0.5 * texel * vec2(-1, -1)).rgb + texture(picture, uv + 0.5 * texel * vec2(1, -1)).rgb
             + texture(picture, uv + 0.5 * texel * vec2(-1, 1)).rgb + texture(picture, uv + 0.5 * texel * vec2(1, 1)).rgb;
    result = vec4(0.25 * sum, 1.0);
#else
    result = vec4(texture(picture, uv).rgb, 1.0);
#endif
}
#endif
