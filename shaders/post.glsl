// The last pass of the high rungs: occlusion, then light to pixels.
#include "frame.glsl"

#if defined VERTEX_SHADER
#include "whole_picture.glsl"

#else
#include "tone.glsl"
uniform sampler2D picture;
uniform sampler2D occlusion_map;
uniform sampler2D depth_map;
in vec2 uv;
out vec4 result;

#if OCCLUSION_SAMPLES > 0
// A 4x4 box removes the noise of the turned spirals; samples on another surface don't count.
float occlusion() {
    vec2 texel = 1.0 / vec2(textureSize(occlusion_map, 0));
    float here = texture(depth_map, uv).r, sum = 0.0, weight = 1e-4;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            vec2 at = uv + (vec2(i, j) - 1.5) * texel;
            float w = exp(-abs(texture(depth_map, at).r - here) * 9000.0 * (1.0 - here + 0.002) * 40.0);
            sum += w * texture(occlusion_map, at).r;
            weight += w;
        }
    return weight < 0.01 ? 1.0 : sum / weight;
}
#endif

void main() {
    vec3 color = texture(picture, uv).rgb;
#if OCCLUSION_SAMPLES > 0
    color *= mix(vec3(1.0), vec3(occlusion()), vec3(0.80, 0.78, 0.72));
#endif
    result = toned(color);
}
#endif
