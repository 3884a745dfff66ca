import type { Mode } from '../../../database/merchants/api-key.entity.js';

export const collectionAccountsPath = (mode: Mode): string =>
  `/portal/platform/collection-accounts/${mode}`;

export const changePath = (id: string): string => `${collectionAccountsPath('live')}/changes/${id}`;
