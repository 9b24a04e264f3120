// Everything that is the same for all draws of a frame. Written once by renderer.py, field by field.
layout(std140) uniform Frame {
    mat4 view_projection;
    mat4 inverse_view_projection;
    mat4 light_projection;   // world to the shadow map, 0..1
    vec4 eye;                // xyz; w: 1 when the projection is orthographic
    vec4 forward;            // xyz; w: metres per pixel at unit depth (at any depth when orthographic)
    vec4 sun;                // xyz towards the sun
    vec4 sun_color;          // rgb; w: exposure
    vec4 zenith;             // rgb; w: fog, 1/m
    vec4 horizon;            // rgb; w: height of the ground
    vec4 ground;             // rgb; w: grid spacing, m
    vec4 grid;               // rgb; w: 1 when there is ground
    vec4 ambient_sky;        // rgb; w: seconds, for what moves on its own
    vec4 ambient_ground;     // rgb; w: radius of the sharply shadowed ball
    vec4 outline;            // rgb; w: width, m (paper) or pixels (selection)
    vec4 viewport;           // width, height and their inverses
    vec4 shadow;             // x: texel in 0..1; y: texel in metres; zw: centre of the scene, x and z
};

vec3 view_direction(vec3 p) {
    return eye.w > 0.5 ? -forward.xyz : normalize(eye.xyz - p);
}

float pixel_metres(vec3 p) {
    return forward.w * (eye.w > 0.5 ? 1.0 : max(dot(p - eye.xyz, forward.xyz), 0.05));
}
