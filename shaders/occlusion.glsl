// Screen-space ambient occlusion from depth alone, at half resolution: for each pixel, how many of
// a spiral of samples within a world radius lie above its tangent plane.
#include "frame.glsl"

#if defined VERTEX_SHADER
in vec2 in_plane;
void main() { gl_Position = vec4(in_plane, 0.0, 1.0); }

#else
uniform sampler2D depth_map;
uniform vec2 texel;       // of the half-size target
out vec4 result;

vec3 point(vec2 uv) {
    vec4 clip = vec4(vec3(uv, texture(depth_map, uv).r) * 2.0 - 1.0, 1.0);
    vec4 p = inverse_view_projection * clip;
    return p.xyz / p.w;
}

void main() {
    vec2 uv = gl_FragCoord.xy * texel;
    float depth = texture(depth_map, uv).r;
    if (depth >= 1.0) { result = vec4(1.0); return; }
    vec3 p = point(uv);
    vec3 right = point(uv + vec2(texel.x, 0.0)) - p, left = p - point(uv - vec2(texel.x, 0.0));
    vec3 up = point(uv + vec2(0.0, texel.y)) - p, down = p - point(uv - vec2(0.0, texel.y));
    vec3 dx = dot(right, right) < dot(left, left) ? right : left;
    vec3 dy = dot(up, up) < dot(down, down) ? up : down;
    vec3 n = normalize(cross(dx, dy));

    float radius = 0.55;                                    // m
    float spread = clamp(radius / (pixel_metres(p) * 2.0), 3.0, 40.0);
    float turn = 6.2832 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    float hidden = 0.0;
    for (int i = 0; i < OCCLUSION_SAMPLES; i++) {
        float r = (float(i) + 0.6) / float(OCCLUSION_SAMPLES), a = turn + 2.39996 * float(i);
        vec3 v = point(uv + spread * r * vec2(cos(a), sin(a)) * texel) - p;
        float d2 = dot(v, v);
        float above = max(dot(v, n) - 0.02 - 1.5 * pixel_metres(p), 0.0) * inversesqrt(d2 + 1e-5);
        hidden += above * clamp(1.0 - d2 / (radius * radius), 0.0, 1.0);
    }
    float open = 1.0 - 1.7 * hidden / float(OCCLUSION_SAMPLES);
    result = vec4(vec3(clamp(open, 0.0, 1.0)), 1.0);
}
#endif
