// Stairs along edges are blended away (FXAA), pixel by pixel, before the picture is scaled: a larger
// picture would have more pixels to look at and blurred edges to find.
#if defined VERTEX_SHADER
#include "whole_picture.glsl"

#else
uniform sampler2D picture;   // rgb, luma in alpha
in vec2 uv;
out vec4 result;

// Fetching a pixel costs a fifth of a filtered sample on a software renderer.
vec4 pixel(int x, int y) {
    ivec2 size = textureSize(picture, 0);
    return texelFetch(picture, clamp(ivec2(uv * vec2(size)) + ivec2(x, y), ivec2(0), size - 1), 0);
}

// Blend along the local edge direction, found from the luma of the four diagonal neighbours; keep
// the narrower blend where the wider one would reach beyond the edge.
void main() {
    vec2 texel = 1.0 / vec2(textureSize(picture, 0));
    float nw = pixel(-1, -1).a, ne = pixel(1, -1).a, sw = pixel(-1, 1).a, se = pixel(1, 1).a;
    vec4 here = pixel(0, 0);
    float low = min(here.a, min(min(nw, ne), min(sw, se)));
    float high = max(here.a, max(max(nw, ne), max(sw, se)));
    vec2 d = vec2(-((nw + ne) - (sw + se)), (nw + sw) - (ne + se));
    float reduce = max((nw + ne + sw + se) * 0.03125, 0.0078125);
    d = clamp(d / (min(abs(d.x), abs(d.y)) + reduce), -8.0, 8.0) * texel;
    vec4 narrow = 0.5 * (texture(picture, uv - d / 6.0) + texture(picture, uv + d / 6.0));
    vec4 wide = 0.5 * narrow + 0.25 * (texture(picture, uv - d * 0.5) + texture(picture, uv + d * 0.5));
    vec3 blended = wide.a < low || wide.a > high ? narrow.rgb : wide.rgb;
    result = vec4(high - low < max(0.04, high * 0.12) ? here.rgb : blended, 1.0);
}
#endif
