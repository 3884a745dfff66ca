import type { Mode } from '../../database/merchants/api-key.entity.js';
import { API_VERSIONS, type ApiVersion, isBefore } from '../../common/api-version.js';

/** Caller properties that select the rules. */
export interface ContractCaller {
  readonly mode: Mode;
  readonly version: ApiVersion;
}

/** Rules of this group apply to live requests only. */
export const LIVE = 'live' satisfies Mode;

/** Rules of this group apply to requests of earlier versions. */
export const beforeVersion = (version: ApiVersion): string => `before ${version}`;

/** Rule groups of a caller's requests, besides the general rules. */
export const ruleGroups = (caller: ContractCaller): string[] => [
  caller.mode,
  ...API_VERSIONS.filter((later) => isBefore(caller.version, later)).map(beforeVersion),
];
