import type { QrDrawing } from '../common/qr-code.js';

interface QrCodeProps {
  /** Its parts may be slots of a page that is kept. */
  readonly drawing: QrDrawing;
  readonly label: string;
}

/** A QR code as markup: no image is loaded, so no other program sees what stands in it. Dark on white in any theme. */
export const QrCode = ({ drawing: { box, path }, label }: QrCodeProps) => (
  <svg class="qr" viewBox={box} role="img" aria-label={label}>
    <rect width="100%" height="100%" fill="#fff" />
    <path d={path} fill="none" stroke="#000" shape-rendering="crispEdges" />
  </svg>
);
