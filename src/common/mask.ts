const HIDDEN = '••••';
/** Characters that a masked account shows at its end. */
const SHOWN = 4;
/** Fewer hidden characters would not protect the account. */
const HIDDEN_MIN = 4;

/** Masks a payer's account: enough remains to recognise it, too little to use it. */
export function maskAccount(account: string, type: string | null): string {
  if (type === 'masked_card') return account;
  if (account.includes('@')) return maskMailbox(account);
  const compact = [...account.replace(/\s/g, '')];
  if (compact.length < SHOWN + HIDDEN_MIN) return HIDDEN;
  const start = type === 'iban' ? compact.slice(0, 2).join('') : '';
  return `${start}${HIDDEN} ${compact.slice(-SHOWN).join('')}`;
}

function maskMailbox(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = ''] = address.slice(0, at);
  return `${first}${HIDDEN}${address.slice(at)}`;
}
