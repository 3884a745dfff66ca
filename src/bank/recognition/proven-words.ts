import type { Counterparty, StatementLine } from '../../bank-statements/statement.js';
import type { BankLine, LineState } from '../../database/bank/lines/bank-line.entity.js';
import type { KnownLine } from '../../database/bank/lines/line-store.repository.js';

/** States of lines about which nothing was decided for good. */
const OPEN: ReadonlySet<LineState> = new Set([
  'announced',
  'suggested',
  'unmatched',
  'not_a_payment',
]);

/**
 * Proof of an amount does not prove texts or payer from earlier files: the texts of the proving line replace them.
 * Earlier ones stay only where it has none and the bank itself identifies both lines as one booking (`isSame`).
 */
export function textsAfter(
  known: KnownLine,
  incoming: StatementLine,
  isSame: boolean,
): Partial<BankLine> | null {
  if (!OPEN.has(known.state)) return null;
  const { text, references, endToEndId, counterparty } = incoming;
  if (!isSame) return { text, references, endToEndId, ...payerColumns(counterparty) };
  return {
    ...payerAfter(known, counterparty),
    text: text ?? known.text,
    references: references.length > 0 ? references : known.references,
    endToEndId: endToEndId ?? known.endToEndId,
  };
}

export const payerColumns = ({ name, account, accountType, bic }: Counterparty) => ({
  counterpartyName: name,
  counterpartyAccount: account,
  counterpartyAccountType: accountType,
  counterpartyBic: bic,
});

/** An account and its type belong together. */
const payerAfter = (known: KnownLine, { name, bic, ...said }: Counterparty) => ({
  counterpartyName: name ?? known.counterpartyName,
  counterpartyBic: bic ?? known.counterpartyBic,
  ...(said.account !== null && {
    counterpartyAccount: said.account,
    counterpartyAccountType: said.accountType,
  }),
});
