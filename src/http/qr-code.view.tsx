import type { QrDrawing } from '../common/qr-code.js';

interface QrCodeProps {
  /** May contain placeholders of a cached page. */
  readonly drawing: QrDrawing;
  readonly label: string;
}

/** QR code as inline markup, so that no third party sees its content. Dark on white in any theme. */
export const QrCode = ({ drawing: { box, path }, label }: QrCodeProps) => (
  <svg class="qr" viewBox={box} role="img" aria-label={label}>
    <rect width="100%" height="100%" fill="#fff" />
    <path d={path} fill="none" stroke="#000" shape-rendering="crispEdges" />
  </svg>
);
