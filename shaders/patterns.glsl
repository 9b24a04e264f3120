// Procedural surfaces. `q` is the point in the body's own frame in metres, so patterns ride along.
const int WOOD = 1, CONCRETE = 2, HAZARD = 3, BALL = 4, ROPE = 5, METAL = 6, WEAVE = 7, STRIPES = 8,
          GLOW = 9, TYRE = 10, PANEL = 11, GRASS = 12, CHECKER = 13;

float hash(vec3 p) {
    p = fract(p * vec3(0.1031, 0.1030, 0.0973));
    p += dot(p, p.yzx + 33.33);
    return fract((p.x + p.y) * p.z);
}

float noise(vec3 p) {
    vec3 i = floor(p), f = fract(p);
    f = f * f * (3.0 - 2.0 * f);
    float a = mix(hash(i), hash(i + vec3(1, 0, 0)), f.x);
    float b = mix(hash(i + vec3(0, 1, 0)), hash(i + vec3(1, 1, 0)), f.x);
    float c = mix(hash(i + vec3(0, 0, 1)), hash(i + vec3(1, 0, 1)), f.x);
    float d = mix(hash(i + vec3(0, 1, 1)), hash(i + vec3(1, 1, 1)), f.x);
    return mix(mix(a, b, f.y), mix(c, d, f.y), f.z);
}

// A square wave with edges one pixel wide.
float wave(float x) {
    float w = clamp(fwidth(x), 1e-4, 0.5);
    float t = abs(fract(x) - 0.5);
    return smoothstep(0.25 - 0.5 * w, 0.25 + 0.5 * w, t);
}

vec3 patterned(vec3 color, int pattern, vec3 q, vec3 half_size, vec3 n) {
    if (pattern == WOOD) {
        // Rings run along the longest edge.
        vec3 s = half_size.x > half_size.y ? (half_size.x > half_size.z ? q.yzx : q.xyz) : (half_size.y > half_size.z ? q.xzy : q.xyz);
        float ring = length(s.xy + vec2(0.3, 0.2)) * 16.0 + 1.5 * noise(s * vec3(3.0, 3.0, 0.7));
        float grain = 0.5 + 0.5 * sin(ring * 3.0);
        return color * mix(0.87, 1.05, grain) * (0.93 + 0.14 * noise(s * vec3(40.0, 40.0, 4.0)));
    }
    if (pattern == CONCRETE)
        return color * (0.86 + 0.16 * noise(q * 2.2) + 0.10 * noise(q * 23.0));
    if (pattern == HAZARD)
        return mix(color, vec3(0.018, 0.018, 0.022), wave((q.x + q.y + q.z) * 1.3));
    if (pattern == BALL) {
        float sector = wave(atan(q.z, q.x) / 6.2832 * 3.0);
        float cap = smoothstep(0.86, 0.88, abs(q.y) / max(half_size.y, 1e-4));
        return mix(mix(color, vec3(0.86, 0.83, 0.77), sector), color, cap);
    }
    if (pattern == METAL)
        return color * (0.92 + 0.12 * noise(q * vec3(9.0, 60.0, 9.0)));
    if (pattern == TYRE) {
        float tread = wave(atan(q.z, q.x) * 5.0);
        float outer = smoothstep(0.80, 0.93, length(q.xz) / max(half_size.x, 1e-4));
        return color * mix(1.0, 0.65 + 0.6 * tread, outer);
    }
    if (pattern == PANEL) {
        vec3 edge = half_size - abs(q);
        float seam = min(min(max(edge.x, edge.y), max(edge.y, edge.z)), max(edge.x, edge.z));
        float line = smoothstep(0.035, 0.055, abs(seam - 0.11));
        return color * mix(0.72, 1.0, line);
    }
    if (pattern == GRASS) {
        float tuft = noise(q * vec3(6.0, 6.0, 6.0)) * 0.6 + noise(q * 1.3) * 0.4;
        return color * (0.78 + 0.42 * tuft);
    }
    if (pattern == STRIPES)
        return mix(color, vec3(0.86, 0.83, 0.77), wave(4.5 * (0.5 + 0.5 * q.x / max(half_size.x, 1e-4)) + 0.25));
    if (pattern == CHECKER) {
        float a = wave(q.x * 0.5), b = wave(q.z * 0.5);
        return color * mix(0.86, 1.06, abs(a - b));
    }
    return color;
}
