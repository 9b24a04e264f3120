// The sky behind everything: one triangle at the far plane.
#include "frame.glsl"

#if defined VERTEX_SHADER
in vec2 in_plane;
out vec2 clip;
void main() {
    clip = in_plane;
    gl_Position = vec4(in_plane, 1.0, 1.0);
}

#else
#include "light.glsl"
in vec2 clip;
out vec4 result;
void main() {
    vec4 far = inverse_view_projection * vec4(clip, 1.0, 1.0);
    vec3 d = normalize(far.xyz / far.w - eye.xyz);
    result = vec4(sky(d), 1.0);
}
#endif
