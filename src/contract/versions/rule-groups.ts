import type { Mode } from '../../database/merchants/api-key.entity.js';
import { API_VERSIONS, type ApiVersion, isBefore } from '../../http/api-version.js';

/** What of a caller decides which rules hold. */
export interface ContractCaller {
  readonly mode: Mode;
  readonly version: ApiVersion;
}

/** Rules of this group hold for live requests only. */
export const LIVE = 'live' satisfies Mode;

/** Rules of this group hold for requests of the versions before. */
export const beforeVersion = (version: ApiVersion): string => `before ${version}`;

/** The groups of rules that hold for a caller's requests, beside the rules that always hold. */
export const ruleGroups = (caller: ContractCaller): string[] => [
  caller.mode,
  ...API_VERSIONS.filter((later) => isBefore(caller.version, later)).map(beforeVersion),
];
