"""The framebuffers of one picture size: shadow map, light, occlusion, pixels, smoothed."""

from typing import TYPE_CHECKING, Protocol, TypeVar

from sandbox.render.quality import Quality

if TYPE_CHECKING:
    import moderngl


class _Owned(Protocol):
    def release(self) -> None: ...


_Thing = TypeVar("_Thing", bound=_Owned)


class Targets:
    """`light` is drawn into, `resolved` is what the final pass reads; the same when not sampled."""

    def __init__(
        self, context: "moderngl.Context", size: tuple[int, int], quality: Quality
    ) -> None:
        self.size = size
        self.inner = (max(1, int(size[0] * quality.scale)), max(1, int(size[1] * quality.scale)))
        self._owned: list[_Owned] = []
        self._context = context

        self.picture = self._keep(
            context.texture(self.inner, 4, dtype="f1" if quality.direct else "f2")
        )
        self.depth = self._keep(context.depth_texture(self.inner))
        self.depth.compare_func = ""
        self.depth.filter = (context.NEAREST, context.NEAREST)
        self.picture.repeat_x = self.picture.repeat_y = False
        self.resolved = self._keep(context.framebuffer([self.picture], self.depth))
        samples = min(quality.samples, context.max_samples)
        self.light = self._sampled(samples) if samples else self.resolved

        half = (max(1, self.inner[0] // 2), max(1, self.inner[1] // 2))
        occlusion_size = half if quality.occlusion else (1, 1)
        self.occlusion = self._keep(context.texture(occlusion_size, 1))
        self.occlusion.repeat_x = self.occlusion.repeat_y = False
        self.occluded = self._keep(context.framebuffer([self.occlusion]))

        self.pixels = self.picture
        if not quality.direct:
            self.pixels = self._keep(context.texture(self.inner, 4))
            self.pixels.repeat_x = self.pixels.repeat_y = False
            self.final = self._keep(context.framebuffer([self.pixels]))
        if quality.fxaa:
            self.smoothed = self._keep(context.texture(self.inner, 4))
            self.smoothed.repeat_x = self.smoothed.repeat_y = False
            self.smooth = self._keep(context.framebuffer([self.smoothed]))

    def _sampled(self, samples: int) -> "moderngl.Framebuffer":
        color = self._keep(self._context.renderbuffer(self.inner, 4, samples=samples, dtype="f2"))
        depth = self._keep(self._context.depth_renderbuffer(self.inner, samples=samples))
        return self._keep(self._context.framebuffer([color], depth))

    def _keep(self, thing: _Thing) -> _Thing:
        self._owned.append(thing)
        return thing

    def release(self) -> None:
        for thing in reversed(self._owned):
            thing.release()
        self._owned.clear()


class ShadowMap:
    """A depth texture that compares on lookup; a single lit texel when shadows are off."""

    def __init__(self, context: "moderngl.Context", texels: int) -> None:
        self.texels = max(texels, 1)
        self.depth = context.depth_texture((self.texels, self.texels))
        self.depth.compare_func = "<="
        self.depth.filter = (context.LINEAR, context.LINEAR)
        self.depth.repeat_x = self.depth.repeat_y = False
        self.framebuffer = context.framebuffer(depth_attachment=self.depth)
        self.framebuffer.clear(depth=1.0)

    def release(self) -> None:
        self.framebuffer.release()
        self.depth.release()
