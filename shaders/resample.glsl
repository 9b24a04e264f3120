// The finished picture onto its target, scaled.
#if defined VERTEX_SHADER
#include "whole_picture.glsl"

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
