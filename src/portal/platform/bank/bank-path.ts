import type { Mode } from '../../../database/merchants/api-key.entity.js';

export const BANK_PATH = '/portal/platform/bank';

export const CSV_PROFILES_PATH = `${BANK_PATH}/profiles`;

export const bankPath = (mode: Mode): string => `${BANK_PATH}/${mode}`;

interface Named {
  readonly mode: Mode;
  readonly id: string;
}

export const linePath = ({ mode, id }: Named): string => `${bankPath(mode)}/lines/${id}`;

/** Form that undoes a match or adds its payer. */
export const allocationPath = (
  line: Named,
  { paymentId }: { readonly paymentId: string },
  what: 'undo' | 'payer',
): string => `${linePath(line)}/payments/${paymentId}/${what}`;

export const uploadsPath = (mode: Mode): string => `${bankPath(mode)}/uploads`;

export const uploadPath = ({ mode, id }: Named): string => `${uploadsPath(mode)}/${id}`;

export const balancePath = (mode: Mode): string => `${bankPath(mode)}/balance`;
