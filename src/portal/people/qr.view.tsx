import encodeQr from 'qr';

/** Modules of quiet around the code, which scanners need (ISO/IEC 18004, 6.3.8). */
const QUIET = 4;

/** A QR code as markup: no image is loaded, so no other program sees what stands in it. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const modules = encodeQr(text, 'raw', { ecc: 'medium', border: QUIET });
  const size = modules.length;
  const path = modules.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])),
  );
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join('')} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}
