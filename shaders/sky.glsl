// The sky behind everything: one quad at the far plane.
#include "frame.glsl"

#if defined VERTEX_SHADER
in vec2 in_plane;
out vec3 ray;
void main() {
    // Linear across the screen as long as it is not normalised, so four corners are enough.
    vec4 far = inverse_view_projection * vec4(in_plane, 1.0, 1.0);
    ray = far.xyz / far.w - eye.xyz;
    gl_Position = vec4(in_plane, 1.0, 1.0);
}

#else
#include "light.glsl"
#include "tone.glsl"
in vec3 ray;
out vec4 result;
void main() { result = finished(sky(normalize(ray))); }
#endif
