// Light to pixels: occlusion, a breath of bloom, exposure, the ACES curve, sRGB and dither.
#include "frame.glsl"

#if defined VERTEX_SHADER
in vec2 in_plane;
out vec2 uv;
void main() {
    uv = in_plane * 0.5 + 0.5;
    gl_Position = vec4(in_plane, 0.0, 1.0);
}

#else
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

// The one-fraction fit of the ACES curve, per channel: keeps toy colours saturated.
vec3 filmic(vec3 x) {
    return clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

// sRGB from roots instead of a power: within one step of 255 except in the darkest tones.
vec3 encoded(vec3 x) {
    vec3 r2 = sqrt(x), r4 = sqrt(r2), r8 = sqrt(r4);
    return max(0.662002687 * r2 + 0.684122060 * r4 - 0.323583601 * r8 - 0.0225411470 * x, vec3(0.0));
}

void main() {
    vec3 color = texture(picture, uv).rgb;
#if OCCLUSION_SAMPLES > 0
    color *= mix(vec3(1.0), vec3(occlusion()), vec3(0.80, 0.78, 0.72));
#endif
    vec2 centre = uv - 0.5;
    if (sun.w > 0.5) {
        color = encoded(clamp(color * sun_color.w, 0.0, 1.0));
    } else {
        color = encoded(filmic(color * sun_color.w));
        color *= 1.0 - 0.16 * dot(centre, centre);
    }
    // Triangular noise of one step hides the bands of the sky.
    float a = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    float b = fract(52.9829189 * fract(dot(gl_FragCoord.yx + 17.0, vec2(0.06711056, 0.00583715))));
    color += (a + b - 1.0) / 255.0;
    result = vec4(color, dot(color, vec3(0.299, 0.587, 0.114)));
}
#endif
