/** Released versions of the contract, oldest first. */
export const API_VERSIONS = ['1.0', '1.2', '1.2.1', '1.2.2', '1.3', '1.4'] as const;

export type ApiVersion = (typeof API_VERSIONS)[number];

export const NEWEST_API_VERSION: ApiVersion = API_VERSIONS.at(-1)!;

export const isApiVersion = (text: string): text is ApiVersion =>
  API_VERSIONS.some((version) => version === text);

/** Whether `version` came out before `other`. */
export const isBefore = (version: ApiVersion, other: ApiVersion): boolean =>
  API_VERSIONS.indexOf(version) < API_VERSIONS.indexOf(other);
