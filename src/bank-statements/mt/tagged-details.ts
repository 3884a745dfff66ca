import { type PartyTexts, textOrNull, reference } from '../counterparty.js';
import { type MtDetails, NO_DETAILS } from './mt-details.js';

/** Marks of the Dutch and of SWIFT: `/EREF/…/ORDP//NAME/…/REMI/…`. */
const CODES =
  'EREF|KREF|PREF|RREF|MARF|CSID|CNTP|REMI|PURP|ULTC|ULTD|ULTB|TRTP|TRCD|IBAN|BIC|NAME|ORDP|BENM|ISDT|RTRN|SVCL|CREF|INIT|SVWZ|OCMT|EXCH|CHGS';
/** Those that say more of a party. Elsewhere payers write them, as in `customer/ID/4711`. */
const PARTY_CODES = 'ID|ADDR';
const TAGGED = new RegExp(`^/(?:${CODES})/`);
const TAGS = new RegExp(`/(${CODES}|${PARTY_CODES})/`, 'g');
const IN_PARTY: ReadonlySet<string> = new Set(['NAME', ...PARTY_CODES.split('|')]);

interface Tag {
  /** `ORDP/NAME` for what belongs to a party. */
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** @returns undefined for what is written in another way */
export function taggedDetails(glued: string): MtDetails | undefined {
  if (!TAGGED.test(glued)) return undefined;
  const tags = valuesOf(glued);
  const clean = (name: string) => withoutSlashes(tags.get(name));
  // The account, the bank and the name of the other side, one after the other.
  const [account, bic, name] = (tags.get('CNTP') ?? '').split('/');
  const party = (role: string): PartyTexts | undefined =>
    tags.has(role) ? { name: clean(`${role}/NAME`) || clean(role) } : undefined;
  const remitted = clean('REMI') ?? '';
  const structured = /^STRD\/([A-Z]+)\/+([^/].*)$/s.exec(remitted);
  const value = reference(structured?.[2]);
  return {
    ...NO_DETAILS,
    party: {
      name: clean('NAME') || name,
      account: clean('IBAN') || account,
      bic: clean('BIC') || bic,
    },
    payer: party('ORDP'),
    payee: party('BENM'),
    references: value === null ? [] : [{ type: structured![1]!, value }],
    endToEndId: reference(clean('EREF')),
    returned: tags.has('RTRN'),
    texts: [textOrNull(remitted.replace(/^(?:USTD|STRD\/[A-Z]+)\/+/, '')) ?? glued],
  };
}

/** Looks at each sign once: `/\/+$/` begins again at every slash of a long row. */
function withoutSlashes(text: string | undefined): string | undefined {
  let start = 0;
  let end = text?.length ?? 0;
  while (text?.[start] === '/') start += 1;
  while (end > start && text?.[end - 1] === '/') end -= 1;
  return text?.slice(start, end);
}

/** What follows each mark, up to the next one; the first of marks that are there twice. */
function valuesOf(glued: string): Map<string, string> {
  const tags = tagsOf(glued);
  const entries = tags.map(({ path, end }, at) => {
    const next = tags[at + 1]?.start ?? glued.length;
    return [path, glued.slice(end, next)] as const;
  });
  return new Map(entries.toReversed());
}

function tagsOf(glued: string): Tag[] {
  const tags: Tag[] = [];
  let party: string | undefined;
  for (const match of glued.matchAll(TAGS)) {
    const name = match[1]!;
    const isPart = party !== undefined && IN_PARTY.has(name);
    if (!isPart && PARTY_CODES.split('|').includes(name)) continue;
    if (!isPart) party = name === 'ORDP' || name === 'BENM' ? name : undefined;
    const end = match.index + match[0].length;
    tags.push({ path: isPart ? `${party}/${name}` : name, start: match.index, end });
  }
  return tags;
}
