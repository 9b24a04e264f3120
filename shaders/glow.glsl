// Fragment stage of what shines by itself: brighter where it faces the camera.
#include "tone.glsl"
in vec3 world;
in vec3 normal;
flat in vec4 color;
out vec4 result;
void main() {
    float facing = 0.65 + 0.35 * clamp(dot(normalize(normal), view_direction(world)), 0.0, 1.0);
    result = vec4(finished(color.rgb * facing).rgb, color.a);
}
