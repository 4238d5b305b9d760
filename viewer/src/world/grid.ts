// The lines of a grid that fades with distance.
import { Matrix4, Vector3 } from "three";

/** Distance between strong lines at most, relative to the distance of the camera. */
const DENSITY = 0.4;
/** Opacity of fine and of strong lines. */
const FINE = 0.22;
const STRONG = 0.5;
/** Lines to each side of the middle: of lines a tenth of the strong ones' distance apart, of these, of tenfold. */
const LINES = [14, 16, 6];

/** A line that is strongest in its middle and fades to its end; world coordinates, m. */
export interface GridLine {
  middle: Vector3;
  end: Vector3;
  opacity: number;
}

/** Distance between strong lines, m, of a grid seen from `distance`. */
export function gridSpacing(distance: number): number {
  return 10 ** Math.floor(Math.log10(DENSITY * distance));
}

/** Lines in the x-y plane of `pose` about `target` (in its axes), seen from `distance`. */
export function gridLines(pose: Matrix4, target: Vector3, distance: number): GridLine[] {
  const spacing = gridSpacing(distance);
  const fraction = Math.log10((DENSITY * distance) / spacing);
  // Seen from further away, lines fade and strong ones take their place.
  const opacity = [FINE * (1 - fraction), FINE + (STRONG - FINE) * (1 - fraction), STRONG];
  return LINES.flatMap((lines, level) => {
    const step = spacing * 10 ** (level - 1);
    // Lines stay where they are when the camera moves: the lattice moves by whole steps.
    const [x, y] = [Math.round(target.x / step) * step, Math.round(target.y / step) * step];
    const place = (u: number, v: number) => new Vector3(x + u * step, y + v * step, 0).applyMatrix4(pose);
    return lattice(lines).map(({ middle, end, strength }) => ({
      middle: place(...middle),
      end: place(...end),
      opacity: opacity[level] * strength,
    }));
  });
}

interface HalfLine {
  middle: [number, number];
  end: [number, number];
  strength: number;
}

/** Halves of lines one apart along x and y, in a circle. */
function lattice(lines: number): HalfLine[] {
  const halves: HalfLine[] = [];
  for (let i = 1 - lines; i < lines; i++) {
    const end = Math.sqrt(lines * lines - i * i);
    const strength = (end / lines) ** 2;
    for (const t of [-end, end]) {
      halves.push({ middle: [0, i], end: [t, i], strength }, { middle: [i, 0], end: [i, t], strength });
    }
  }
  return halves;
}
