import type { Mode } from '../../database/merchants/api-key.entity.js';
import { mayHere, type PageContext, pathOf } from '../../people/portal-context.js';
import type { Permission } from '../../people/roles.js';
import type { IconName } from '../kit/icons.js';

export interface NavItem {
  readonly label: string;
  readonly href: string;
  readonly icon: IconName;
}

type Entry = readonly [label: string, path: string, icon: IconName, needs: Permission];

/** Paths are relative to merchant and mode. */
const AT_MERCHANT: readonly Entry[] = [
  ['Home', '', 'home', 'orders.read'],
  ['Orders', '/orders', 'orders', 'orders.read'],
  ['Downloads', '/exports', 'download', 'orders.export'],
  ['Refunds', '/refunds', 'refund', 'orders.read'],
  ['Payouts', '/payouts', 'payout', 'payouts.read'],
  ['Bank accounts', '/bank-accounts', 'bank', 'payouts.manage'],
  ['API keys', '/keys', 'key', 'keys.manage'],
  ['Webhooks', '/webhooks', 'webhook', 'deliveries.read'],
  ['Emails', '/recipients', 'mail', 'recipients.manage'],
  ['Team', '/team', 'people', 'team.manage'],
  ['Business', '/business', 'settings', 'business.manage'],
  ['Audit log', '/audit', 'audit', 'audit.read'],
];

const AT_PLATFORM: readonly Entry[] = [
  ['Merchants', '/portal/platform', 'shop', 'platform.read'],
  ['All orders', '/portal/all/:mode/orders', 'orders', 'platform.orders'],
  ['Downloads', '/portal/all/:mode/exports', 'download', 'platform.orders'],
  ['Payouts', '/portal/platform/payouts/:mode', 'payout', 'platform.payouts'],
  ['Bank', '/portal/platform/bank/:mode', 'bank', 'platform.read'],
  ['Collection accounts', '/portal/platform/collection-accounts/:mode', 'payout', 'platform.read'],
  ['Unallocated funds', '/portal/platform/unallocated/:mode', 'coins', 'platform.read'],
  ['People', '/portal/platform/people', 'people', 'platform.manage'],
  ['Health', '/portal/platform/health', 'health', 'platform.manage'],
  ['Audit log', '/portal/platform/audit', 'audit', 'platform.manage'],
];

const OF_ONE_MODE =
  /^(\/portal\/(?:all|platform\/(?:payouts|unallocated|bank|collection-accounts))\/)(test|live)\b/;

/** Mode of platform pages that show one mode. */
export function platformMode(path: string): { readonly base: string; readonly mode: Mode } | null {
  const match = OF_ONE_MODE.exec(path);
  return match && { base: match[1]!, mode: match[2] as Mode };
}

/** Menu entries that the role of the user may open. */
export function navigationOf(context: PageContext): NavItem[] {
  const { access } = context;
  const base = access ? pathOf(access) : '';
  const mode = platformMode(context.path)?.mode ?? 'live';
  return (access ? AT_MERCHANT : AT_PLATFORM)
    .filter(([, , , needs]) => mayHere(context, needs))
    .map(([label, path, icon]) => ({ label, href: base + path.replace(':mode', mode), icon }));
}

/** Entry of the open page or its parent page. */
export function activeItem(items: readonly NavItem[], path: string): NavItem | undefined {
  const [here = ''] = path.split('?', 1);
  return items
    .filter(({ href }) => here === href || here.startsWith(`${href}/`))
    .sort((one, other) => other.href.length - one.href.length)[0];
}
