/** What one error says wherever it is spoken of. */
export interface ErrorDefinition {
  /** HTTP status of the answer. */
  readonly status: number;
  /** Short and the same every time. */
  readonly title: string;
  /** Why it happens, for the error's page. */
  readonly cause: string;
  /** What the caller does about it, for the error's page. */
  readonly remedy: string;
  /** Whether the same request, sent again later, can succeed. */
  readonly retryable: boolean;
}

export const error = (
  status: number,
  title: string,
  cause: string,
  remedy: string,
  retryable = false,
): ErrorDefinition => ({ status, title, cause, remedy, retryable });
