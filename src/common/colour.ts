/** Black or white, whichever reads better: one of them always has a contrast above 4.5. */
export function readableOn(hex: string): '#fff' | '#000' {
  const { white, black } = contrastsOf(hex);
  return white >= black ? '#fff' : '#000';
}

/** Contrast ratio n:1 (WCAG) of the colour that `readableOn` returns. */
export function contrastOn(hex: string): number {
  const { white, black } = contrastsOf(hex);
  return Math.max(white, black);
}

function contrastsOf(hex: string): { white: number; black: number } {
  const light = luminance(hex);
  return { white: 1.05 / (light + 0.05), black: (light + 0.05) / 0.05 };
}

/** Relative luminance, WCAG 2.2. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((start) => {
    const channel = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
