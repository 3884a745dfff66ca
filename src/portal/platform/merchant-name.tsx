import { Typed } from '../kit/components.js';

interface MerchantNameProps {
  readonly id: string;
  readonly name: string;
}

/** The name that the merchant chose, and the end of its id: another merchant may choose the same name. */
export const MerchantName = ({ id, name }: MerchantNameProps) => (
  <>
    <Typed text={name} /> <span class="id">{id.slice(-8)}</span>
  </>
);
