// One rope segment per instance. Both ends are cut along the plane that halves the angle to the
// neighbour, so the segments of a rope join without a gap, and normals are blended along it.
#include "frame.glsl"

#if defined VERTEX_SHADER
in vec3 in_ring;          // cos, sin of the angle; 0 at the start, 1 at the end
in vec4 at_a;             // xyz, radius
in vec4 at_b;             // xyz, pattern
in vec4 at_before;        // xyz, metres along the rope at a
in vec4 at_after;         // xyz, gloss
in vec4 at_color;         // rgb, length

out vec3 world;
out vec3 normal;
out vec3 along;           // angle / 2π, metres along the rope, radius
flat out vec4 color;
flat out int pattern;

void main() {
    vec3 axis = at_b.xyz - at_a.xyz;
    vec3 d = axis / max(length(axis), 1e-6);
    vec3 side = normalize(abs(d.y) < 0.9 ? cross(d, vec3(0, 1, 0)) : cross(d, vec3(1, 0, 0)));
    vec3 radial = side * in_ring.x + cross(d, side) * in_ring.y;

    bool end = in_ring.z > 0.5;
    vec3 here = end ? at_b.xyz : at_a.xyz;
    vec3 neighbour = end ? at_after.xyz - at_b.xyz : at_a.xyz - at_before.xyz;
    vec3 cut = normalize(d + neighbour / max(length(neighbour), 1e-6) + d * 1e-3);
    float slant = dot(radial, cut) / max(dot(d, cut), 0.35);
    // Never thinner than a pixel: a cable seen from afar must not break up into dots.
#if defined DEPTH
    float radius = at_a.w;
#else
    float radius = at_a.w > 0.0 ? max(at_a.w, (PAPER > 0 ? 0.9 : 0.6) * pixel_metres(here)) : 0.0;
#endif
    world = here + radius * (radial - d * slant);
    normal = normalize(radial - cut * dot(radial, cut));
    along = vec3(atan(in_ring.y, in_ring.x) / 6.2832, at_before.w + in_ring.z * at_color.w, at_a.w);
    color = vec4(at_color.rgb, at_after.w);
    pattern = int(at_b.w + 0.5);
#if defined DEPTH
    gl_Position = light_projection * vec4(world, 1.0) * vec4(2.0, 2.0, 2.0, 1.0) - vec4(1.0, 1.0, 1.0, 0.0);
#elif defined OUTLINE
    gl_Position = view_projection * vec4(world + normal * min(outline.w, 0.8 * radius), 1.0);
#else
    gl_Position = view_projection * vec4(world, 1.0);
#endif
}

#elif defined DEPTH
void main() {}

#elif defined OUTLINE
#include "outline.glsl"

#elif defined GLOWING
#include "glow.glsl"

#else
#include "light.glsl"
#include "tone.glsl"
in vec3 world;
in vec3 normal;
in vec3 along;
flat in vec4 color;
flat in int pattern;
out vec4 result;

void main() {
    vec3 albedo = color.rgb;
    if (pattern == 5) {
        // Strands laid around the rope; they fade to their mean where they get finer than a pixel.
        float turns = along.y / (along.z * 9.0);
        float visible = 1.0 - smoothstep(0.2, 0.6, fwidth(turns) * 3.0);
        float strand = 0.5 + 0.5 * sin(6.2832 * 3.0 * (turns + along.x));
        albedo *= mix(0.9, mix(0.62, 1.08, strand), visible);
    }
    result = finished(in_air(lit(world, normalize(normal), albedo, color.a), world));
}
#endif
