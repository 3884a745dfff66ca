/** Definition of an error for answers, pages and OpenAPI. */
export interface ErrorDefinition {
  /** HTTP status of the answer. */
  readonly status: number;
  /** Short and constant. */
  readonly title: string;
  /** Cause, for the error's page. */
  readonly cause: string;
  /** Remedy, for the error's page. */
  readonly remedy: string;
  /** Whether repeating the same request later can succeed. */
  readonly retryable: boolean;
}

export const error = (
  status: number,
  title: string,
  cause: string,
  remedy: string,
  retryable = false,
): ErrorDefinition => ({ status, title, cause, remedy, retryable });
