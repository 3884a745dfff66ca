import { Problem } from './problem.js';

/** Released versions of the contract, oldest first, with what each brought, for the changelog page. */
export const RELEASES = [
  {
    version: '1.0',
    changes: ['The first release: create, read and cancel orders.'],
  },
  {
    version: '1.2',
    changes: [
      'Orders take `optionalFields` and return them; version 1.0 refuses them and leaves them out.',
      'GET /api/order and GET /api/order/status look an order up by `orderMerchantId` or by the internal id.',
      'GET /api/order/{txid} and GET /api/order/{txid}/status are deprecated.',
      'The payment page is compiled once for each shop and language and then reused.',
    ],
  },
  {
    version: '1.2.1',
    changes: [
      'The portal’s transaction history shows provider, account and name of the payer, and can be downloaded.',
      'Merchants can opt in to an e-mail after each successful transaction.',
      'Nothing in the API changed.',
    ],
  },
  {
    version: '1.2.2',
    changes: [
      'The payment object has `payerAccountNumber`, `payerAccountType` and `payerAccountName`.',
    ],
  },
] as const;

export type ApiVersion = (typeof RELEASES)[number]['version'];
export const API_VERSIONS: readonly ApiVersion[] = RELEASES.map(({ version }) => version);

export const NEWEST_API_VERSION: ApiVersion = API_VERSIONS.at(-1)!;

export const isApiVersion = (text: string): text is ApiVersion =>
  API_VERSIONS.some((version) => version === text);

/** Whether `version` came out before `other`. */
export const isBefore = (version: ApiVersion, other: ApiVersion): boolean =>
  API_VERSIONS.indexOf(version) < API_VERSIONS.indexOf(other);

/** @throws Problem `not_in_this_version` for an operation that came later */
export function assertSince(since: ApiVersion, asked: ApiVersion): void {
  if (!isBefore(asked, since)) return;
  throw new Problem('not_in_this_version', {
    detail: `This operation came with version ${since}; version ${asked} was selected.`,
    members: { since },
  });
}
