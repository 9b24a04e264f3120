// Bevelled boxes, capsules, spheres, cylinders and hulls: every instance of one unit mesh.
// Variants: DEPTH draws into the shadow map, OUTLINE the inflated back faces, GLOW unlit overlays.
#include "frame.glsl"

#if defined VERTEX_SHADER
in vec3 in_corner;
in vec3 in_normal;
in vec4 at_position;      // xyz, bevel radius
in vec4 at_orientation;   // w, x, y, z
in vec4 at_half;          // xyz; w: the pattern, chosen by the program
in vec4 at_color;         // rgb, gloss

out vec3 world;
out vec3 normal;
out vec3 local;
flat out vec3 half_size;
flat out vec4 color;

vec3 turned(vec4 q, vec3 v) {
    vec3 t = 2.0 * cross(q.yzw, v);
    return v + q.x * t + cross(q.yzw, t);
}

void main() {
    float r = at_position.w;
    local = in_corner * (at_half.xyz - r) + in_normal * r;
    normal = turned(at_orientation, in_normal);
    world = turned(at_orientation, local) + at_position.xyz;
    half_size = at_half.xyz;
    color = at_color;
#if defined DEPTH
    gl_Position = light_projection * vec4(world, 1.0) * vec4(2.0, 2.0, 2.0, 1.0) - vec4(1.0, 1.0, 1.0, 0.0);
#elif defined OUTLINE
    float width = PAPER > 0 && OUTLINE == 1 ? outline.w : outline.w * pixel_metres(world);
    gl_Position = view_projection * vec4(world + normal * width, 1.0);
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
#include "patterns.glsl"
in vec3 world;
in vec3 normal;
in vec3 local;
flat in vec3 half_size;
flat in vec4 color;
out vec4 result;

void main() {
    vec3 n = normalize(normal);
    // PATTERN is a constant: a software renderer computes every branch that may be taken.
    vec3 albedo = patterned(color.rgb, PATTERN, local, half_size, n);
    if (PATTERN == GLOW) result = finished(albedo);
    else result = finished(in_air(lit(world, n, albedo, color.a), world));
}
#endif
