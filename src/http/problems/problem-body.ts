import { ERRORS } from './errors.js';
import { type Problem } from './problem.js';

/** Problem details (RFC 9457) as bytes. `url` is stripped of its query, which may contain private data. */
export function problemBody(
  problem: Problem,
  publicUrl: string,
  requestId: string,
  url: string,
): string {
  const { title, status, retryable } = ERRORS[problem.code];
  return JSON.stringify({
    type: `${publicUrl}/errors/${problem.code}`,
    title,
    status,
    detail: problem.detail,
    instance: url.split('?')[0],
    code: problem.code,
    requestId,
    ...problem.members,
    ...(problem.errors ? { errors: problem.errors } : {}),
    retryable,
  });
}
