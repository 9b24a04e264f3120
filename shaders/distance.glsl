// Sky and backdrop as they were drawn before, at the depth they had.
#if defined VERTEX_SHADER
in vec2 in_plane;
void main() { gl_Position = vec4(in_plane, 0.0, 1.0); }

#else
uniform sampler2D picture;
uniform sampler2D depth_map;
out vec4 result;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    result = texelFetch(picture, at, 0);
    gl_FragDepth = texelFetch(depth_map, at, 0).r;
}
#endif
