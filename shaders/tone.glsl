// Light to pixels: exposure, the ACES curve, sRGB, a darker rim and dither. On the rungs without
// multisampling and occlusion every surface does this itself (DIRECT), which saves a whole pass.

// The one-fraction fit of the ACES curve, per channel: keeps toy colours saturated.
vec3 filmic(vec3 x) {
    return clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

// sRGB from roots instead of a power: within one step of 255 except in the darkest tones.
vec3 encoded(vec3 x) {
    vec3 r2 = sqrt(x), r4 = sqrt(r2), r8 = sqrt(r4);
    return max(0.662002687 * r2 + 0.684122060 * r4 - 0.323583601 * r8 - 0.0225411470 * x, vec3(0.0));
}

// Colour, and its luma in alpha for the edge filter.
vec4 toned(vec3 color) {
    vec2 centre = gl_FragCoord.xy * viewport.zw - 0.5;
#if PAPER
    color = encoded(clamp(color * sun_color.w, 0.0, 1.0));
#else
    color = encoded(filmic(color * sun_color.w));
    color *= 1.0 - 0.16 * dot(centre, centre);
#endif
    // Triangular noise of one step hides the bands of the sky.
    float a = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    float b = fract(52.9829189 * fract(dot(gl_FragCoord.yx + 17.0, vec2(0.06711056, 0.00583715))));
    color += (a + b - 1.0) / 255.0;
    return vec4(color, dot(color, vec3(0.299, 0.587, 0.114)));
}

#if DIRECT
vec4 finished(vec3 color) { return toned(color); }
#else
vec4 finished(vec3 color) { return vec4(color, 1.0); }
#endif
