// Contact shadows: where a body is near the ground the sky cannot reach, so the ground darkens.
// One quad per instance of a part, a soft box as wide as its footprint and wider with height.
#include "frame.glsl"

#if defined VERTEX_SHADER
in vec2 in_plane;
in vec4 at_position;
in vec4 at_orientation;
in vec4 at_half;
in vec4 at_color;
out vec2 offset;
flat out vec4 footprint;  // half widths x and z, softness, strength

vec3 turned(vec4 q, vec3 v) {
    vec3 t = 2.0 * cross(q.yzw, v);
    return v + q.x * t + cross(q.yzw, t);
}

void main() {
    float r = at_position.w;
    vec3 inner = at_half.xyz - r;
    vec3 ex = abs(turned(at_orientation, vec3(inner.x, 0, 0)));
    vec3 ey = abs(turned(at_orientation, vec3(0, inner.y, 0)));
    vec3 ez = abs(turned(at_orientation, vec3(0, 0, inner.z)));
    vec3 extent = ex + ey + ez + r;
    // The axis of the footprint: that of the longest horizontal edge, so turned boxes stay tight.
    vec3 bx = turned(at_orientation, vec3(1, 0, 0)), bz = turned(at_orientation, vec3(0, 0, 1));
    bool upright = abs(turned(at_orientation, vec3(0, 1, 0)).y) > 0.9;
    vec2 u = upright ? normalize(bx.xz) : vec2(1, 0);
    vec2 w = upright ? at_half.xz : extent.xz;
    float height = max(at_position.y - extent.y - horizon.w, 0.0);
    float size = min(w.x, w.y);
    float soft = 0.10 + 0.35 * size + 0.9 * height;
    float strength = 0.62 * exp(-height / (0.25 + 0.8 * size)) * clamp(size * 6.0, 0.0, 1.0);
    if (at_position.y < horizon.w) strength = 0.0;
    if (r > 0.9 * min(at_half.x, at_half.z)) w -= 0.75 * r;   // round bodies touch in the middle
    footprint = vec4(w, soft, strength);
    offset = in_plane * (w + 1.6 * soft);
    vec2 place = at_position.xz + u * offset.x + vec2(-u.y, u.x) * offset.y;
    vec4 clip = view_projection * vec4(place.x, horizon.w, place.y, 1.0);
    gl_Position = strength < 0.02 ? vec4(2.0, 2.0, 2.0, 1.0) : clip - vec4(0.0, 0.0, 2e-5 * clip.w, 0.0);
}

#else
in vec2 offset;
flat in vec4 footprint;
out vec4 result;

void main() {
    vec2 outside = max(abs(offset) - footprint.xy, 0.0);
    float d = clamp(1.0 - length(outside) / (1.6 * footprint.z), 0.0, 1.0);
    float dark = footprint.w * d * d * (3.0 - 2.0 * d);
    // Multiplied into the picture; a little blue stays, as in any shadow under a sky.
    vec3 left = 1.0 - dark * vec3(1.0, 0.96, 0.88);
#if DIRECT
    left = sqrt(left);    // what is there already is encoded: about the square root of its light
#endif
    result = vec4(left, 1.0);
}
#endif
