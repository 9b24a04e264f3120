// The ground (or, in two dimensions, the sheet of paper behind): grid lines, shadows, distance.
#include "frame.glsl"

#if defined VERTEX_SHADER
in vec2 in_plane;         // -1..1
out vec3 world;
void main() {
    vec2 p = in_plane * 900.0;
    world = PAPER > 0 ? vec3(p + eye.xy, -1.6) : vec3(p.x + eye.x, horizon.w, p.y + eye.z);
    gl_Position = view_projection * vec4(world, 1.0);
}

#else
#include "light.glsl"
#include "tone.glsl"
in vec3 world;
out vec4 result;

float lines(vec2 p, float width) {
    vec2 w = fwidth(p);
    vec2 d = abs(fract(p - 0.5) - 0.5);
    vec2 line = 1.0 - smoothstep(vec2(width), vec2(width) + 1.2 * w, d);
    line *= clamp(1.0 - 2.2 * w, 0.0, 1.0);        // no moiré: fade before lines meet
    return max(line.x, line.y);
}

vec3 sheet_of_paper() {
    vec2 p = world.xy / ground.w;
    float ink = 0.55 * lines(p, 0.012) + 0.9 * lines(p / 5.0, 0.004);
    vec3 color = mix(ground.rgb, grid.rgb, clamp(ink, 0.0, 1.0));
    float lit = sunlight(world, vec3(0.0, 0.0, 1.0));
    vec2 centre = (gl_FragCoord.xy * viewport.zw - 0.5);
    return color * mix(vec3(0.74, 0.78, 0.86), vec3(1.0), lit) * (1.0 - 0.22 * dot(centre, centre));
}

void main() {
#if PAPER
    result = finished(sheet_of_paper());
#else
    vec3 n = vec3(0.0, 1.0, 0.0);
    vec2 p = world.xz / ground.w;
    float far = length(world.xz - shadow.zw) / ambient_ground.w;
    float fade = exp(-0.35 * far * far);
    float ink = (0.30 * lines(p, 0.006) + 0.40 * lines(p / 5.0, 0.002)) * fade;
    vec3 albedo = mix(ground.rgb, grid.rgb, clamp(ink, 0.0, 1.0));
    float direct = sunlight(world, n);
    vec3 v = view_direction(world);
    vec3 color = albedo * (sun_color.rgb * max(sun.y, 0.0) * direct * 0.40 + ambient_sky.rgb * 0.46);
    float fresnel = 0.02 + 0.5 * fifth(1.0 - clamp(v.y, 0.0, 1.0));
    color += horizon.rgb * fresnel * 0.30;
    result = finished(in_air(color, world));
#endif
}
#endif
