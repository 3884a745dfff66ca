import { type PartyTexts, reference } from '../counterparty.js';
import { type MtDetails, NO_DETAILS } from './mt-details.js';
import { TaggedFields } from './tagged-fields.js';

const ID_LENGTH = 35;
/** Tags that banks append to the remittance text: order date and purpose code. */
const BEHIND = /\/(?:ISDT\/\d{4}-\d\d-\d\d|PURP\/(?:CD\/)?[A-Z]{4})\/{0,2}$/;
const ID = '/EREF/';

/** @returns undefined for details in another format */
export function taggedDetails(glued: string): MtDetails | undefined {
  const fields = TaggedFields.of(glued);
  if (!fields) return undefined;
  const { remitted, id } = remittance(fields);
  const [, type = '', value] = /^STRD\/([A-Z]+)\/+([^/].*)$/s.exec(remitted) ?? [];
  const structured = reference(value);
  return {
    ...NO_DETAILS,
    ...parties(fields),
    references: structured === null ? [] : [{ type, value: structured }],
    endToEndId: reference(id),
    returned: fields.certainBeforePayerValues().has('RTRN'),
    mayBeReturned: fields.mentions('RTRN'),
    texts: remitted
      ? [remitted.replace(/^(?:USTD|STRD\/[A-Z]+)\/+/, ''), fields.unsure()]
      : [glued],
  };
}

function parties(fields: TaggedFields): Pick<MtDetails, 'party' | 'payer' | 'payee'> {
  const [values, before] = [fields.sure(), fields.certainBeforePayerValues()];
  const clean = (name: string) => withoutSlashes(values.get(name));
  // Account, BIC and name of the counterparty.
  const [account, bic, name] = (before.get('CNTP') ?? '').split('/');
  const party = (role: string): PartyTexts | undefined =>
    values.has(role) ? { name: clean(`${role}/NAME`) || clean(role) } : undefined;
  return {
    party: {
      // A name in `CNTP` may contain the tag.
      name: fields.mentions('CNTP') ? name : clean('NAME'),
      account: withoutSlashes(before.get('IBAN')) || account,
      bic: withoutSlashes(before.get('BIC')) || bic,
    },
    payer: party('ORDP'),
    payee: party('BENM'),
  };
}

/** Remittance text; some banks append the end-to-end id. */
function remittance(fields: TaggedFields): { remitted: string; id: string | undefined } {
  const all = fields.remitted();
  const text = withoutSlashes(all?.replace(BEHIND, '')) ?? '';
  if (fields.mentions('EREF')) {
    return { remitted: text, id: withoutSlashes(fields.sure().get('EREF')) };
  }
  const at = text.lastIndexOf(ID);
  const id = at === -1 ? '' : withoutSlashes(text.slice(at + ID.length));
  if (!id || id.length > ID_LENGTH) return { remitted: text, id: undefined };
  return { remitted: withoutSlashes(text.slice(0, at)), id };
}

function withoutSlashes(text: string): string;
function withoutSlashes(text: string | undefined): string | undefined;
/** Linear time: `/\/+$/` would restart at every slash of a long run. */
function withoutSlashes(text: string | undefined): string | undefined {
  let start = 0;
  let end = text?.length ?? 0;
  while (text?.[start] === '/') start += 1;
  while (end > start && text?.[end - 1] === '/') end -= 1;
  return text?.slice(start, end);
}
