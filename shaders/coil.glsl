// One spring per instance: a wire wound around the line from a to b, tapering to it at both ends.
#include "frame.glsl"

#if defined VERTEX_SHADER
in vec3 in_ring;          // cos, sin around the wire; share of the way from a to b
in vec4 at_a;             // xyz, radius of the coil
in vec4 at_b;             // xyz, radius of the wire
in vec4 at_color;         // rgb, number of turns

out vec3 world;
out vec3 normal;
flat out vec3 color;

const float TAPER = 12.0;  // 1 / share of the way in which the coil widens

void main() {
    vec3 axis = at_b.xyz - at_a.xyz;
    vec3 d = axis / max(length(axis), 1e-6);
    vec3 side = normalize(abs(d.y) < 0.9 ? cross(d, vec3(0, 1, 0)) : cross(d, vec3(1, 0, 0)));
    vec3 up = cross(d, side);
    float s = in_ring.z, speed = 6.2832 * at_color.w, angle = speed * s;
    vec3 out_ = side * cos(angle) + up * sin(angle), on = up * cos(angle) - side * sin(angle);

    // centre(s) = a + s axis + wide(s) out(s); its derivative is the direction of the wire
    float end = TAPER * min(s, 1.0 - s);
    float wide = at_a.w * min(end, 1.0);
    float widening = end < 1.0 ? at_a.w * TAPER * (s < 0.5 ? 1.0 : -1.0) : 0.0;
    vec3 centre = at_a.xyz + s * axis + wide * out_;
    vec3 t = normalize(axis + widening * out_ + wide * speed * on + d * 1e-6);
    vec3 n = normalize(out_ - t * dot(out_, t));
    normal = n * in_ring.x + cross(t, n) * in_ring.y;
#if defined DEPTH
    float radius = at_b.w;
#else
    float radius = max(at_b.w, 0.6 * pixel_metres(centre));
#endif
    world = centre + radius * normal;
    color = at_color.rgb;
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

#else
#include "light.glsl"
#include "tone.glsl"
in vec3 world;
in vec3 normal;
flat in vec3 color;
out vec4 result;

void main() {
    result = finished(in_air(lit(world, normalize(normal), color, 0.6), world));
}
#endif
