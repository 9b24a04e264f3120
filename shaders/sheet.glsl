// Cloth and elastic bodies: a triangle mesh whose points arrive every frame, lit on both sides.
#include "frame.glsl"

#if defined VERTEX_SHADER
in vec3 in_position;
in vec3 in_normal;
in vec2 in_uv;            // metres of material
in vec4 in_tint;          // rgb and weight
out vec3 world;
out vec3 normal;
out vec2 uv;
out vec4 tint;
#if defined OUTLINE
uniform vec2 way;         // on the screen
#endif

void main() {
    world = in_position;
    normal = in_normal;
    uv = in_uv;
    tint = in_tint;
#if defined DEPTH
    gl_Position = light_projection * vec4(world, 1.0) * vec4(2.0, 2.0, 2.0, 1.0) - vec4(1.0, 1.0, 1.0, 0.0);
#else
    gl_Position = view_projection * vec4(world, 1.0);
#endif
#if defined OUTLINE
    gl_Position.xy += 2.0 * way * outline.w * viewport.zw * gl_Position.w;
    gl_Position.z += 2e-4 * gl_Position.w;  // behind the sheet itself
#endif
}

#elif defined DEPTH
void main() {}

#elif defined OUTLINE
#include "outline.glsl"

#else
#include "light.glsl"
#include "tone.glsl"
#include "patterns.glsl"
uniform vec4 material;    // rgb, gloss
uniform vec4 second;      // rgb of every other stripe, pattern
in vec3 world;
in vec3 normal;
in vec2 uv;
in vec4 tint;
out vec4 result;

void main() {
    // By the face, not by the normal: near a silhouette that one may look away from the eye, and
    // turned round it would be dark.
    vec3 n = normalize(gl_FrontFacing ? normal : -normal);
    int pattern = int(second.w + 0.5);
    vec3 albedo = material.rgb;
    if (pattern == STRIPES) albedo = mix(material.rgb, second.rgb, wave(uv.x));
    if (pattern == CHECKER) albedo = mix(material.rgb, second.rgb, abs(wave(uv.x) - wave(uv.y)));
    if (pattern == WEAVE || pattern == STRIPES) {
        vec2 threads = uv * 60.0;
        float visible = 1.0 - smoothstep(0.15, 0.5, max(fwidth(threads.x), fwidth(threads.y)));
        float over = sin(threads.x * 3.1416) * sin(threads.y * 3.1416);
        albedo *= 1.0 + 0.14 * visible * over;
    }
    albedo = mix(albedo, tint.rgb, tint.a);
    vec3 color = lit(world, n, albedo, material.a);
    // Thin cloth glows a little with the light that falls on its other side.
    float through = max(dot(-n, sun.xyz), 0.0) * (pattern == 0 ? 0.0 : 0.18);
    color += albedo * sun_color.rgb * through * sunlight(world, -n) * float(1 - PAPER);
    result = finished(in_air(color, world));
}
#endif
