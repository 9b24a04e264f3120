// Fragment stage of outlines: one colour.
#include "tone.glsl"
out vec4 result;
void main() { result = finished(outline.rgb); }
