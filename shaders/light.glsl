// The light model: one warm sun with filtered shadows, sky above and ground below as ambient,
// a glossy coat that mirrors the sky, and air that fades everything into the horizon.
uniform sampler2DShadow shadow_map;

// Powers are written as products: on a software renderer pow() is the dearest thing in the sky.
vec3 sky(vec3 d) {
    float up = 4.6 * max(d.y, 0.0);
    vec3 color = mix(zenith.rgb, horizon.rgb, exp(-up * sqrt(up)));
    float t = max(dot(d, sun.xyz), 0.0);
    float t2 = t * t, t4 = t2 * t2, t16 = t4 * t4 * t4 * t4, t64 = t16 * t16 * t16 * t16;
    return color + sun_color.rgb * (0.05 * t2 * t4 + 0.12 * t64);
}

float fifth(float x) {
    float x2 = x * x;
    return x2 * x2 * x;
}

vec3 in_air(vec3 color, vec3 p) {
#if PAPER
    return color;
#else
    vec3 ray = p - eye.xyz;
    float far = length(ray), depth = far * zenith.w;
    float clear = exp(-depth * depth * depth);
    if (clear > 0.998) return color;
    vec3 d = ray / max(far, 1e-6);
    d.y = max(d.y, 0.0);
    return mix(sky(d), color, clear);
#endif
}

float shadow_tap(vec3 s, vec2 offset) {
    return texture(shadow_map, vec3(s.xy + offset * shadow.x, s.z));
}

#if SHADOW_TAPS > 9
// A spiral of 16 taps, turned by a per-pixel angle: noise instead of steps, for supersampling.
float filtered_shadow(vec3 s) {
    float turn = 6.2832 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    float lit = 0.0;
    for (int i = 0; i < 16; i++) {
        float r = sqrt((float(i) + 0.5) / 16.0), a = turn + 2.39996 * float(i);
        lit += shadow_tap(s, 3.6 * r * vec2(cos(a), sin(a)));
    }
    return lit / 16.0;
}
#elif SHADOW_TAPS > 4
// Nine bilinear taps at the weights of a 5x5 tent.
float filtered_shadow(vec3 s) {
    vec2 w = vec2(1.0, 2.0);
    float corners = shadow_tap(s, vec2(-1.5, -1.5)) + shadow_tap(s, vec2(1.5, -1.5))
                  + shadow_tap(s, vec2(-1.5, 1.5)) + shadow_tap(s, vec2(1.5, 1.5));
    float edges = shadow_tap(s, vec2(-1.5, 0.0)) + shadow_tap(s, vec2(1.5, 0.0))
                + shadow_tap(s, vec2(0.0, -1.5)) + shadow_tap(s, vec2(0.0, 1.5));
    return (corners * w.x + edges * w.y + shadow_tap(s, vec2(0.0)) * 4.0) / 16.0;
}
#elif SHADOW_TAPS > 1
float filtered_shadow(vec3 s) {
    return 0.25 * (shadow_tap(s, vec2(-0.75, -0.4)) + shadow_tap(s, vec2(0.4, -0.75))
                 + shadow_tap(s, vec2(0.75, 0.4)) + shadow_tap(s, vec2(-0.4, 0.75)));
}
#else
float filtered_shadow(vec3 s) { return shadow_tap(s, vec2(0.0)); }
#endif

float sunlight(vec3 p, vec3 n) {
#if SHADOW_TAPS == 0
    return 1.0;
#else
    // Pushing the point out along its normal hides the stair steps of the map.
    float grazing = 1.0 - clamp(dot(n, sun.xyz), 0.0, 1.0);
    vec3 s = (light_projection * vec4(p + n * shadow.y * (0.8 + 2.2 * grazing), 1.0)).xyz;
    vec2 edge = abs(s.xy - 0.5);
    float inside = 1.0 - smoothstep(0.44, 0.495, max(edge.x, edge.y));
    return inside > 0.0 ? mix(1.0, filtered_shadow(s), inside) : 1.0;
#endif
}

// Near the ground half of the sky is hidden; cheap, and it is what makes things stand.
float ground_occlusion(vec3 p, vec3 n) {
    float h = max(p.y - horizon.w, 0.0);
    float near = mix(0.52, 1.0, smoothstep(0.0, 1.1, h));
    return mix(1.0, near, grid.w * (0.75 - 0.25 * n.y));
}

vec3 paper(vec3 p, vec3 n, vec3 albedo) {
    float bevel = 0.5 + 0.5 * dot(n, normalize(vec3(-0.3, 0.8, 0.45)));
    float lit = sunlight(p, n);
    vec3 shade = mix(vec3(0.66, 0.70, 0.80), vec3(1.0), lit);
    return albedo * shade * (0.74 + 0.42 * bevel) * 0.86;
}

vec3 lit(vec3 p, vec3 n, vec3 albedo, float gloss) {
#if PAPER
    return paper(p, n, albedo);
#else
    vec3 v = view_direction(p);
    float ndl = dot(n, sun.xyz), ndv = clamp(dot(n, v), 0.0, 1.0);
    float direct = ndl > 0.0 ? sunlight(p, n) : 0.0;
    float occlusion = ground_occlusion(p, n);

    vec3 ambient = mix(ambient_ground.rgb, ambient_sky.rgb, 0.5 + 0.5 * n.y);
    float bounce = grid.w * (0.5 - 0.5 * n.y) / (1.0 + 0.35 * max(p.y - horizon.w, 0.0));
    ambient += bounce * ground.rgb * sun_color.rgb * 0.16;
    vec3 color = albedo * (sun_color.rgb * max(ndl, 0.0) * direct * 0.64 + ambient * occlusion);

    vec3 h = normalize(v + sun.xyz);
    float power = exp2(2.5 + 7.0 * gloss);
    float fresnel = 0.04 + 0.96 * fifth(1.0 - ndv);
    float highlight = pow(max(dot(n, h), 0.0), power) * (power + 8.0) / 8.0;
    color += sun_color.rgb * (0.04 * gloss * highlight * direct * max(ndl, 0.0));
    vec3 mirrored = reflect(-v, n);
#if SHADOW_TAPS > 1
    vec3 around = mirrored.y > 0.0 ? sky(mirrored) : mix(horizon.rgb, ground.rgb, min(-3.0 * mirrored.y, 1.0));
#else
    vec3 around = mix(horizon.rgb, mirrored.y > 0.0 ? zenith.rgb : ground.rgb, min(abs(mirrored.y), 1.0));
#endif
    color += around * fresnel * gloss * occlusion * 0.65;

    float edge = 1.0 - ndv;
    float rim = edge * edge * edge * sqrt(edge) * (0.55 + 0.45 * n.y);
    return color + rim * horizon.rgb * (0.05 + 0.3 * albedo) * occlusion;
#endif
}
