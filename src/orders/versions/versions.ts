import { type ApiVersion, isBefore } from '../../common/api-version.js';
import type { Body, ContractChange } from './contract-change.js';
import { V1_2 } from './v1-2.js';
import { V1_2_1 } from './v1-2-1.js';
import { V1_2_2 } from './v1-2-2.js';

/** Every released change, newest first. The changelog page is made from it. */
export const CONTRACT_CHANGES: readonly ContractChange[] = [V1_2_2, V1_2_1, V1_2];

/** Walks the newest order back to the asked version. */
export const orderIn = (version: ApiVersion, newest: Body): Body =>
  CONTRACT_CHANGES.filter((change) => isBefore(version, change.version)).reduce<Body>(
    (order, change) => change.downgradeOrder?.(order) ?? order,
    newest,
  );
